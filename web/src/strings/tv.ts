// The words on a television.
import { strings } from "../lib/i18n";
import en from "./tv.en.json";
import fr from "./tv.fr.json";

export const t = strings(en, fr);
