// The words of one’s profile.
import { strings } from "../lib/i18n";
import en from "./me.en.json";
import fr from "./me.fr.json";

export const t = strings(en, fr);
