// The words of the tutorial; what the situations bring is said by the game (generated).
import { strings } from "../lib/i18n";
import en from "./learn.en.json";
import fr from "./learn.fr.json";

export type LearnKey = keyof typeof en;
export const t = strings(en, fr);
