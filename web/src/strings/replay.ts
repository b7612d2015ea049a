// The words of a replay.
import { strings } from "../lib/i18n";
import en from "./replay.en.json";
import fr from "./replay.fr.json";

export const t = strings(en, fr);
