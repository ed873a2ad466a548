/** The text of a JSON file of a platform: unpacked, decoded, and with whole characters. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Archive, Entry } from "../containers/archive.ts";
import { streamUnpacked } from "../containers/gzip.ts";
import { wholeCharacters } from "../formats/json/whole-characters.ts";
import { decodeStream } from "../formats/text.ts";

/** Gives the text of a file piece by piece. @param remark gets the issues of its bytes and its characters */
export function jsonTexts(archive: Archive, entry: Entry, remark: (issue: Issue) => void): AsyncIterable<string> {
  return wholeCharacters(decodeStream(streamUnpacked(archive, entry, remark), remark), remark);
}
