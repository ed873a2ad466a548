/**
 * Recognises tables that were damaged before they reached us. An export whose list of workouts is empty or cut at its head looks like a folder of
 * recordings. If logferry ignored such a file, a person would not notice that its workouts are missing.
 */
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { decodeStream } from "../../formats/text.ts";

/** Characters at the beginning of a file to check. */
const HEAD = 64 * 1024;

const WEB_PAGE = /^<(?:!doctype html|html)\b/i;

/** The fault at the beginning of a file; undefined if it may be sound. `isWhole` is true if `head` is all of it. */
type Check = (head: string, isWhole: boolean) => string | undefined;

/** Checks by the ending of the file. */
const CHECKS: Readonly<Record<string, Check>> = {
  csv: (head, isWhole) => (isWhole && !/[\r\n]/.test(head) ? "it ends in its first line" : undefined),
  tsv: (head, isWhole) => (isWhole && !/[\r\n]/.test(head) ? "it ends in its first line" : undefined),
  json: (head, isWhole) =>
    /^[[{]/.test(head) ? (isWhole ? whyNoJson(head) : undefined) : "it doesn't begin like JSON",
  xml: (head) => (/<[\w:]/.test(head) ? undefined : "it ends before its first element"),
};

function whyNoJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return "it breaks off, or is not JSON";
  }
}

/**
 * Finds the fault of a table in its first 64 KiB.
 *
 * @returns undefined if it may be sound, or is not a table by its name
 */
export async function faultOfTable(archive: Archive, entry: Entry): Promise<string | undefined> {
  const check = CHECKS[/\.(\w+)$/.exec(entry.path.toLowerCase())?.[1] ?? ""];
  if (check === undefined) return undefined;
  let head = "";
  let isWhole = true;
  try {
    for await (const text of decodeStream(archive.stream(entry), () => {})) {
      head += text;
      if (head.length < HEAD) continue;
      isWhole = false;
      break;
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return error.message;
  }
  const text = head.replace(/^[\s\u0000\ufeff]+/, "");
  if (text === "") return head === "" ? "it is empty" : "it holds nothing but blanks";
  return WEB_PAGE.test(text) ? "it is a web page" : check(text, isWhole);
}
