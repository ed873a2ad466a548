/** Reads the rows of a platform's XML files: the elements at a place, one at a time. */

import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { streamUnpacked } from "../../../containers/gzip.ts";
import {
  XmlError,
  type XmlPlace,
  type XmlRecord,
  type XmlSum,
  type XmlValue,
  xmlEach,
} from "../../../formats/xml/each.ts";
import { membersOf } from "../../../formats/xml/members.ts";
import type { RecordFound, RowSource } from "../description.ts";
import { recordSource } from "./record-source.ts";

/** The place of the rows. */
export interface XmlRows extends XmlPlace {
  /** Names of files that may hold rows. */
  readonly files: RegExp;
  /** Attributes or elements that every row has, by name. */
  readonly knownBy: readonly string[];
  /**
   * Elements that hold a track, by name. For each, it gives the name of a point and the members to read. They are read only when a track is made.
   * Memory then holds only these members of each point.
   */
  readonly gathers?: Readonly<Record<string, Gathered>>;
  /** Whether a file with this root has such rows, by its beginning. Without it, each does. */
  readonly hasRows?: (head: string) => boolean;
  /** Adds members to a row that follow from several others. */
  readonly completes?: (row: XmlRecord) => Readonly<Record<string, unknown>>;
  /** Why a person has to decide about a row, with the members that were added. Such a row is rejected. */
  readonly refuses?: (row: Readonly<Record<string, unknown>>) => Issue | undefined;
  /** Reads what lies elsewhere in the file, before its rows, and gives a function that adds it to a row. */
  readonly elsewhere?: (archive: Archive, entry: Entry) => Promise<(row: XmlRecord) => XmlRecord>;
}

/** The points in an element, and the members to read. */
export interface Gathered {
  readonly points: string;
  readonly members: readonly string[];
}

/**
 * Makes a source of rows from XML files. The root element identifies a file. The name of a column is the path to its value, as in JSON files.
 * Attributes and elements are treated alike: `MetadataEntry[key=HKTimeZone]/value`.
 */
export function xml(described: XmlRows): RowSource {
  const { files, knownBy, path } = described;
  const root = `<${path[0]}`;
  return recordSource({
    files,
    knownBy,
    eachIsKnown: true,
    isKnown: (head) =>
      described.hasRows?.(head) !== false &&
      /[\s/>]/.test(head.charAt(head.indexOf(root) + root.length)) &&
      head.includes(root),
    records: (archive, entry, remark) => recordsOf(archive, entry, described, remark),
    ...(described.gathers !== undefined && { whole: (archive, entry) => wholeOf(archive, entry, described) }),
    issueOf: (error) => (error instanceof XmlError ? error.issue : undefined),
  });
}

async function* recordsOf(
  archive: Archive,
  entry: Entry,
  { completes = (row) => row, elsewhere, refuses, ...place }: XmlRows,
  remark: (issue: Issue) => void,
): AsyncGenerator<RecordFound> {
  const adds = await elsewhere?.(archive, entry);
  let count = 0;
  for await (const { record, issue: damage } of xmlEach(streamUnpacked(archive, entry, remark), place, remark)) {
    const value = record && completes(adds?.(record) ?? record);
    const issue = damage ?? (value && refuses?.(value));
    yield { place: `record ${++count}`, ...(issue === undefined ? { value } : { value: undefined, issue }) };
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
  for await (const { record } of xmlEach(
    streamUnpacked(archive, entry, () => {}),
    place,
    () => {},
  ))
    yield { value: record, place: `record ${++count}` };
}

/** Keeps the listed members of each point, and the whole of all other elements. */
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
