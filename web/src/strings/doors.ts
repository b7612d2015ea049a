// The words around a table's door: invitations, televisions, opponents.
import { strings } from "../lib/i18n";
import en from "./doors.en.json";
import fr from "./doors.fr.json";

export const t = strings(en, fr);
