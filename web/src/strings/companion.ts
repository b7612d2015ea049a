// The words of the table companion.
import { strings } from "../lib/i18n";
import en from "./companion.en.json";
import fr from "./companion.fr.json";

export const t = strings(en, fr);
