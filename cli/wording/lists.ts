/** Options that take words from a list: the words, and the message for an unknown one. */

import { didYouMean } from "../../transforms/text/suggestions.ts";
import { UsageError } from "../errors/exit-codes.ts";

/** Words of an option that a person may repeat, or join by commas. */
export function parseList(given: readonly string[] | undefined): readonly string[] | undefined {
  const words = given?.flatMap((text) => text.split(",").map((word) => word.trim())).filter((word) => word !== "");
  return words?.length === 0 ? undefined : words;
}

/** The error for an unknown word, with the word that the person probably meant. */
export function unknownValue(option: string, word: string, known: readonly string[]): UsageError {
  const near = didYouMean(word, known);
  const expected =
    known.length <= 12 ? `; expected ${known.join(", ")}` : near === "" ? "; docs/exports.md lists them" : "";
  return new UsageError(`Cannot use --${option}: there is no ${JSON.stringify(word)}${near}${expected}`);
}
