// The words for people who share one device.
import { strings } from "../lib/i18n";
import en from "./hotseat.en.json";
import fr from "./hotseat.fr.json";

export const t = strings(en, fr);
