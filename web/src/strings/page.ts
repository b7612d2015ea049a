// The words of the first load: home, making and joining a table, the table itself.
import { strings } from "../lib/i18n";
import en from "./page.en.json";
import fr from "./page.fr.json";

export const t = strings(en, fr);
