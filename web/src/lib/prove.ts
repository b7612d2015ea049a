// Whether a finished game's cards were chosen by nobody, in words for people.
import { t } from "../strings/over";
import { record } from "./api";
import { check, keptProof, type RecordWithProof } from "./proof";

export async function prove(game: string): Promise<string> {
  try {
    return t(check((await record(game)) as RecordWithProof, keptProof(game)));
  } catch (error) {
    return (error as Error).message;
  }
}
