/** Reads rows from a platform's JSON files: one row a file, or the elements of a list, one at a time. */
import { defined } from "../../../../transforms/model/defined.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import { EACH_OF_OBJECT, type JsonPlace, jsonEach } from "../../../formats/json/each.ts";
import { linesOf } from "../../../formats/json/lines.ts";
import { JSON_CAPS, JsonError, jsonParts, parsedJson } from "../../../formats/json/parts.ts";
import { withoutSeries } from "../../../formats/json/without-series.ts";
import { jsonTexts } from "../../json-texts.ts";
import type { RecordFound, RowSource } from "../description.ts";
import { headOf } from "../reading/head-of.ts";
import { recordSource } from "./record-source.ts";

/** The place of the rows. */
export interface JsonRows {
  /** Names of files that may hold rows. */
  readonly files: RegExp;
  /** Members that every row has. They identify a file. */
  readonly knownBy: readonly string[];
  /** Members of some rows, which identify a file whose rows have nothing else of their own. */
  readonly marks?: readonly string[];
  /** The places of lists of rows, for files that have one of them. A file without such a list is one row itself. */
  readonly lists: readonly JsonPlace[];
  /** Large members of a row that are not read. In a file that is one row, they are never held in memory. */
  readonly skips?: readonly string[];
  /** Large lists of a row, and the part of an element that a row keeps. In a file that is one row, memory holds one whole element at a time. */
  readonly thins?: Readonly<Record<string, (element: unknown) => unknown>>;
  /** A file may also have a row on each line. */
  readonly linewise?: true;
  /** A file is one row in parts: a list of objects with one or two members each. Lists inside it are split in the same way. */
  readonly merges?: true;
  /** Members with recorded series, at any depth. In their place, a row has the names of the parts with numbers. */
  readonly series?: readonly string[];
  /** Those series members that tracks don't need, or that are not JSON. */
  readonly drops?: readonly string[];
  /** With `series`: lists of measurements. In their place, a row has the last, largest and mean number of each: `SAMPLES/HR/mean`. */
  readonly summarises?: readonly string[];
  /**
   * A list inside a file that is otherwise one row. Each element of the list then makes a row, with the element in the place of the list. `totals`
   * are members of the file with sums over the list. If the list has several elements, their rows lack these members. `once` gives some of them another
   * name, under which the first of the rows has them: sums of values that the elements may lack.
   */
  readonly each?: {
    readonly list: string;
    readonly totals: readonly string[];
    readonly once?: Readonly<Record<string, string>>;
  };
  /** Turns a record that is not JSON into JSON, for platforms that write such records. */
  readonly mends?: (text: string) => string;
  /** A file may lack its outer braces, and have several rows under one name: `"RIDE": {...}, "RIDE": {...}`. */
  readonly bare?: true;
  /** Adds members to a row that follow from several others. For the second row of a file, and those behind it, `first` is the completed first row. */
  readonly completes?: (row: JsonRow, path: string, first: JsonRow | undefined) => JsonRow;
}

/** A JSON object. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Makes a source of rows from JSON files. */
export function json(described: JsonRows): RowSource {
  const { files, knownBy, lists } = described;
  const { series: _, summarises: __, skips: ___, thins: ____, ...whole } = described;
  return recordSource({
    files,
    knownBy,
    ...(lists.length === 0 && described.linewise !== true && described.each === undefined && { oneEach: true }),
    isKnown: (head) =>
      [...knownBy, ...(described.marks ?? [])].every((member) => head.includes(JSON.stringify(member))),
    records: (archive, entry, remark) => completed(recordsOf(archive, entry, described, remark), entry.path, described),
    whole: (archive, entry) => recordsOf(archive, entry, whole, () => {}),
    issueOf: (error) => (error instanceof JsonError ? error.issue : undefined),
  });
}

/** Gives the records, each row with the members that follow from its own. */
async function* completed(
  records: AsyncIterable<RecordFound>,
  path: string,
  { completes, knownBy }: JsonRows,
): AsyncGenerator<RecordFound> {
  let first: JsonRow | undefined;
  for await (const record of records) {
    const { value } = record;
    const isRow = isJsonRow(value) && knownBy.every((member) => member in value);
    if (completes === undefined || !isRow) {
      first ??= {};
      yield record;
      continue;
    }
    const whole = completes(value, path, first);
    first ??= whole;
    yield { ...record, value: whole };
  }
}

/** Whether a value is a JSON object. */
export function isJsonRow(value: unknown): value is JsonRow {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Gives the elements of a file's list. If the file has no list, it gives the file itself as an object. */
async function* recordsOf(
  archive: Archive,
  entry: Entry,
  described: JsonRows,
  remark: (issue: Issue) => void,
): AsyncGenerator<RecordFound> {
  const { lists, skips = [], summarises, thins = {} } = described;
  const series = [...(described.series ?? []), ...(described.drops ?? [])];
  const start = (await headOf(archive, entry)).trimStart();
  const lacksBraces = described.bare === true && start.startsWith('"');
  const head = lacksBraces ? `{${start}` : start;
  const list = lists.find((place) => leadsTo(head, place)) ?? lists.find((place) => opensLike(head, place, "["));
  const decoded = jsonTexts(archive, entry, remark);
  const all = lacksBraces ? inBraces(decoded) : decoded;
  const texts =
    series.length === 0 && summarises === undefined
      ? all
      : withoutSeries(all, { named: series, ...defined({ summarised: summarises }) });
  if (described.linewise && isLinewise(head)) {
    yield* recordsOnLines(texts, described);
    return;
  }
  if (described.merges) {
    const parts: Record<string, unknown>[] = [];
    for await (const { member = "", text, line } of jsonEach(texts, ["*", EACH_OF_OBJECT], skips))
      parts.push(ownMembers([[member, parsedJson(text, line)]]));
    yield { value: merged(parts), place: undefined };
    return;
  }
  if (list !== undefined) {
    let count = 0;
    for await (const { text, line } of jsonEach(texts, list))
      yield recordOf(text, line, `record ${++count}`, described);
    return;
  }
  const row: Record<string, unknown> = Object.create(null);
  for await (const { member, index, text, line } of jsonParts(texts)) {
    if (skips.includes(member)) row[member] = [];
    else if (index === undefined) row[member] = parsed(text, line, described);
    else {
      if (index === 0) row[member] = [];
      const members = row[member];
      const element = parsed(text, line, described);
      if (Array.isArray(members)) members.push(Object.hasOwn(thins, member) ? thins[member]?.(element) : element);
    }
  }
  yield* rowsOfFile(row, described);
}

/** Puts the outer braces around a text that lacks them. A text that ends with a comma lacks its next row, so it stays open: then it counts as cut. */
async function* inBraces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let last = "";
  yield "{";
  for await (const text of texts) {
    last = text.trimEnd().at(-1) ?? last;
    yield text;
  }
  if (last !== ",") yield "}";
}

/** Whether a file with this beginning has an object on each line. */
function isLinewise(head: string): boolean {
  const [first = "", second = ""] = head.split("\n", 2).map((line) => line.trim());
  return first.startsWith("{") && first.endsWith("}") && second.startsWith("{");
}

/** Gives the rows of a file with one on each line. A line that is not JSON becomes a faulty row, and the others stay. */
async function* recordsOnLines(texts: AsyncIterable<string>, described: JsonRows): AsyncGenerator<RecordFound> {
  let count = 0;
  for await (const { text, line } of linesOf(texts, () => JSON_CAPS.partLength)) {
    if (text === "") continue;
    yield recordOf(text, line, `record ${++count}`, described);
  }
}

/** One record of a file with many. A record that can't be read says why, and the records behind it are read. */
function recordOf(text: string | undefined, line: number, place: string, described: JsonRows): RecordFound {
  try {
    return { value: text && parsed(text, line, described), place };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { value: undefined, place, issue: error.issue };
  }
}

/** Gives a file as one row, or as a row for each element of its list. */
function* rowsOfFile(row: Readonly<Record<string, unknown>>, { each, knownBy }: JsonRows): Generator<RecordFound> {
  const elements = each === undefined ? undefined : row[each.list];
  if (each === undefined || !Array.isArray(elements) || !knownBy.every((member) => member in row))
    return yield { value: row, place: undefined };
  if (elements.length < 2) return yield { value: { ...row, [each.list]: elements[0] }, place: undefined };
  const shared = Object.fromEntries(Object.entries(row).filter(([member]) => !each.totals.includes(member)));
  const once = Object.entries(each.once ?? {}).flatMap(([member, name]) =>
    member in row ? [[name, row[member]]] : [],
  );
  for (const [index, element] of elements.entries()) {
    const sums = index === 0 ? Object.fromEntries(once) : {};
    yield { value: { ...shared, ...sums, [each.list]: element }, place: `record ${index + 1}` };
  }
}

/** Reads JSON. If the platform writes another form, it is turned into JSON first. */
function parsed(text: string, line: number, { mends }: JsonRows): unknown {
  try {
    return parsedJson(text, line);
  } catch (error) {
    if (mends === undefined || !(error instanceof JsonError) || error.issue.rule !== "json/malformed") throw error;
    return parsedJson(mends(text), line);
  }
}

/**
 * Merges lists of objects into one object each. If several objects have a member, the member becomes the list of its values: `[[{"name": "a"}],
 * [{"name": "b"}]]` is `{"name": ["a", "b"]}`.
 */
function merged(value: unknown): unknown {
  if (Array.isArray(value)) {
    const parts: readonly unknown[] = value.flat(Number.POSITIVE_INFINITY);
    if (parts.length === 0 || !parts.every(isObject)) return parts;
    const members = Map.groupBy(parts.flatMap(Object.entries), ([name]) => name);
    return ownMembers(
      [...members].map(([name, all]) => {
        const values = all.map(([, each]) => merged(each));
        return [name, values.length === 1 ? values[0] : values];
      }),
    );
  }
  return isObject(value) ? ownMembers(Object.entries(value).map(([name, each]) => [name, merged(each)])) : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object without a prototype, because the names come from a file. */
function ownMembers(members: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  return Object.assign(Object.create(null), Object.fromEntries(members));
}

/**
 * Says whether a file with this beginning has a list at a place. Its outermost value must be of the right kind, and the beginning must name the
 * members on the way.
 */
export function leadsTo(head: string, place: JsonPlace): boolean {
  const members = place.filter((step) => step !== "*" && step !== EACH_OF_OBJECT);
  const isOpen = opensLike(head, place, "[") || opensLike(head, place, "{");
  return isOpen && members.every((member) => head.includes(JSON.stringify(member)));
}

/** Whether a file and a place both begin with a list, or both with an object. A file that is one row is not a list. */
function opensLike(head: string, place: JsonPlace, opens: "[" | "{"): boolean {
  return head.startsWith(opens) && (place[0] === "*") === (opens === "[");
}
