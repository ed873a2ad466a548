/** Rows of a platform's XML files: the elements at a place, read one at a time. */

import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { XmlError, type XmlPlace, type XmlRecord, xmlEach } from "../../formats/xml/each.ts";
import type { RecordFound, RowSource } from "./description.ts";
import { recordSource } from "./record-source.ts";

/** Where the rows are. */
export interface XmlRows extends XmlPlace {
  /** Names of files that may hold rows. */
  readonly files: RegExp;
  /** What every row has: names of attributes, or of elements. */
  readonly knownBy: readonly string[];
  /** Adds members to a row that follow from several of its own. */
  readonly completes?: (row: XmlRecord) => Readonly<Record<string, unknown>>;
}

/**
 * Rows of XML files. A file is known by its root element. The name of a column is the way to its value, as in JSON files: attributes and
 * elements alike, `MetadataEntry[key=HKTimeZone]/value`.
 */
export function xml(described: XmlRows): RowSource {
  const { files, knownBy, path } = described;
  const root = `<${path[0]}`;
  return recordSource({
    files,
    knownBy,
    eachIsKnown: true,
    isKnown: (head) => /[\s/>]/.test(head.charAt(head.indexOf(root) + root.length)) && head.includes(root),
    records: (archive, entry, remark) => recordsOf(archive, entry, described, remark),
    issueOf: (error) => (error instanceof XmlError ? error.issue : undefined),
  });
}

async function* recordsOf(
  archive: Archive,
  entry: Entry,
  { completes, ...place }: XmlRows,
  remark: (issue: Issue) => void,
): AsyncGenerator<RecordFound> {
  let count = 0;
  for await (const { record } of xmlEach(archive.stream(entry), place, remark)) {
    const value = record === undefined || completes === undefined ? record : completes(record);
    yield { value, place: `record ${++count}` };
  }
}
