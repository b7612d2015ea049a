// The words of the end of a game.
import { strings } from "../lib/i18n";
import en from "./over.en.json";
import fr from "./over.fr.json";

export const t = strings(en, fr);
