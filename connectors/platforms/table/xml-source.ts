/** Rows of a platform's XML files: the elements at a place, read one at a time. */

import type { Issue } from "../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import {
  XmlError,
  type XmlPlace,
  type XmlRecord,
  type XmlSum,
  type XmlValue,
  xmlEach,
} from "../../formats/xml/each.ts";
import { membersOf } from "../../formats/xml/members.ts";
import type { RecordFound, RowSource } from "./description.ts";
import { recordSource } from "./record-source.ts";

/** Where the rows are. */
export interface XmlRows extends XmlPlace {
  /** Names of files that may hold rows. */
  readonly files: RegExp;
  /** What every row has: names of attributes, or of elements. */
  readonly knownBy: readonly string[];
  /**
   * Elements that hold a track: by their name the name of a point, and what is wanted of it. They are read only when a track is made, and of
   * each point nothing else is held.
   */
  readonly gathers?: Readonly<Record<string, Gathered>>;
  /** Adds members to a row that follow from several of its own. */
  readonly completes?: (row: XmlRecord) => Readonly<Record<string, unknown>>;
}

/** The points in an element, and their members that are wanted. */
export interface Gathered {
  readonly points: string;
  readonly members: readonly string[];
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
    ...(described.gathers !== undefined && { whole: (archive, entry) => wholeOf(archive, entry, described) }),
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

/** Gives the records with their points. */
async function* wholeOf(
  archive: Archive,
  entry: Entry,
  { path, skips = [], gathers = {} }: XmlRows,
): AsyncGenerator<RecordFound> {
  const places = Object.entries(gathers);
  const wanted = [...Object.keys(gathers), ...places.map(([, { points }]) => points)];
  const place: XmlPlace = {
    path,
    skips: skips.filter((name) => !wanted.includes(name)),
    sums: Object.fromEntries(places.map(([name, gathered]) => [name, () => gatherer(gathered)])),
  };
  let count = 0;
  for await (const { record } of xmlEach(archive.stream(entry), place, () => {}))
    yield { value: record, place: `record ${++count}` };
}

/** Keeps of each point what is wanted, and the other elements as they are. */
function gatherer({ points, members }: Gathered): XmlSum {
  const found: XmlRecord[] = [];
  const others: Record<string, XmlValue> = Object.create(null);
  return {
    add(name, value) {
      if (name !== points) {
        const known = others[name];
        others[name] = known === undefined ? value : [known, value].flat();
        return;
      }
      const point = membersOf(value);
      found.push(
        Object.fromEntries(
          members.flatMap((member) => (member in point ? [[member, point[member]]] : [])),
        ) as XmlRecord,
      );
    },
    result: () => ({ ...others, [points]: found }),
  };
}
