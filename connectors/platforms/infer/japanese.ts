/** Tells texts in a Japanese encoding that logferry can't read. Read in another one, their headers and dates are gibberish. */
import { TextDecoder } from "node:util";
import type { Archive, Entry } from "../../containers/archive.ts";
import { readHeaderWords } from "./header-words.ts";
import type { NoProposal } from "./no-proposal.ts";

const ENCODINGS = [
  ["shift_jis", "Shift_JIS"],
  ["euc-jp", "EUC-JP"],
] as const;

/** Two known words of a header are no accident. */
const LEAST_WORDS = 2;

/** Lines among which the header stands. */
const LINES = 20;

/** Why a table that isn't UTF-8 can't be used; undefined if no Japanese encoding makes a header of its first lines. */
export async function inJapaneseEncoding(archive: Archive, entry: Entry): Promise<NoProposal | undefined> {
  for await (const chunk of archive.stream(entry)) {
    for (const [encoding, name] of ENCODINGS) {
      const lines = new TextDecoder(encoding).decode(chunk).split(/\r?\n/).slice(0, LINES);
      const words = (line: string) =>
        line
          .split(/[,;\t]/)
          .filter((cell) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(cell) && readHeaderWords(cell).roles.length > 0).length;
      if (lines.some((line) => words(line) >= LEAST_WORDS))
        return { problem: `its text is in the encoding ${name}`, next: "Save it as CSV UTF-8, and run this again" };
    }
    return undefined;
  }
  return undefined;
}
