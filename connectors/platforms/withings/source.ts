/** Reads the rows of a Withings activities.csv. The values of their `Data` become separate columns. */
import { isZone } from "../../../transforms/calendar.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { utcOf } from "../table/cells/instants.ts";
import { addedValue, NewColumns } from "../table/cells/new-columns.ts";
import type { FoundRows, RowSource } from "../table/description.ts";
import { csv } from "../table/sources/csv-source.ts";
import { findSpan, findWeight, MASS } from "./columns.ts";

/** The members of `Data`. Any other member is reported by name. */
export const MEMBERS = [
  ...["calories", "intensity", "manual_distance", "manual_calories", "hr_average", "hr_min", "hr_max"],
  ...["hr_zone_0", "hr_zone_1", "hr_zone_2", "hr_zone_3", "device_startdate", "device_enddate"],
  ...["pause_duration", "steps", "distance", "elevation", "metcumul", "strokes", "laps", "pool_length", "type"],
] as const;

/** Activities with a real way. For the others, Withings computes a distance from steps, without any way. */
const WAYS = ["walking", "running", "hiking", "cycling", "swimming"];

const ADDED = ["begin", "seconds", "way", "way of steps", "double"] as const;

const anyWeights = csv("weight.csv", []);
const table = csv("activities.csv", ["Timezone", "Activity type", "Data", "GPS", "Modified"]);

/** Finds the table, and in it the start and the end. */
export const activities: RowSource = {
  ...(table.claims && { claims: table.claims }),
  async find(archive, columns) {
    const found = await table.find(archive, columns);
    if (found === undefined) return undefined;
    const span = await findSpan(archive, found.entries[0], found.header);
    if (!("places" in span)) return { ...found, refused: { key: "activities.csv", issue: span } };
    const names = ["from", "to"];
    const header = found.header.map((name, place) => names[span.places.indexOf(place)] ?? name);
    return withData({ ...found, header, ...(span.remark && { remarks: [span.remark] }) });
  },
};

/** The weights of days. Their columns are in the language of the account: a date, and a weight with its unit. */
export const weights: RowSource = {
  async find(archive, columns) {
    const found = await anyWeights.find(archive, columns);
    if (found === undefined || !/(?:^|\/)weight\.csv$/i.test(found.entries[0].path)) return undefined;
    const pair = await findWeight(archive, found.entries[0], found.header);
    if (!("places" in pair)) return { ...found, header: [], remarks: [{ ...pair, severity: "warning" }], rows: none };
    const [day, weight] = pair.places;
    const unit = MASS.exec(found.header[weight] ?? "")?.[1] ?? "";
    return {
      ...found,
      header: ["day", `weight in ${unit}`],
      ...(pair.remark && { remarks: [pair.remark] }),
      async *rows(...words) {
        for await (const row of found.rows(...words))
          yield "fields" in row
            ? { ...row, fields: [row.fields[day] ?? "", withPoint(row.fields[weight] ?? "")] }
            : row;
      },
    };
  },
};

/** A list of which no row is believed. */
async function* none(): ReturnType<FoundRows["rows"]> {}

/** A weight that a spreadsheet program saved with a decimal comma, `70,5`, with a point. No weight has thousands. */
function withPoint(weight: string): string {
  return weight.replace(/^(\d{1,3}),(\d{1,9})$/, "$1.$2");
}

type Members = Readonly<Record<string, unknown>>;

function withData(found: FoundRows): FoundRows {
  const { header } = found;
  const textIn = (fields: readonly string[], name: string) => (fields[header.indexOf(name)] ?? "").trim();
  const spanOf = (fields: readonly string[]) => `${textIn(fields, "from")} ${textIn(fields, "to")}`;
  const strangers = new NewColumns();
  let spans: Promise<ReadonlySet<string>> | undefined;
  const spansIn = async (rows: ReturnType<FoundRows["rows"]>) => {
    const all = new Set<string>();
    for await (const row of rows)
      if ("fields" in row && !isEmpty(textIn(row.fields, "Data"))) all.add(spanOf(row.fields));
    return all;
  };
  return {
    ...found,
    header: [...header, ...MEMBERS.map((name) => `Data/${name}`), ...ADDED],
    strangers: () => strangers.all(),
    async *rows(session, entry, mapping, report) {
      spans ??= spansIn(found.rows(session, entry, mapping));
      const known = await spans;
      for await (const row of found.rows(session, entry, mapping, report)) {
        if (!("fields" in row)) {
          yield row;
          continue;
        }
        const text = textIn(row.fields, "Data");
        const data = parsed(text);
        if (data === undefined)
          report?.(
            { severity: "warning", rule: "table/bad-data", found: text.slice(0, 100), expected: "JSON" },
            row.origin,
          );
        const more = Object.entries(data ?? {}).flatMap(([name, value]) =>
          isMember(name) || !strangers.add(`Data/${name}`, entry.path) || inText(value) === ""
            ? []
            : [addedValue(`Data/${name}`, inText(value))],
        );
        const remarks = backwards((name) => textIn(row.fields, name));
        const isDouble = isEmpty(text) && known.has(spanOf(row.fields));
        const added = addedCells((name) => textIn(row.fields, name), data ?? {}, isDouble);
        const own = header.map((_, index) => row.fields[index] ?? "");
        const fields = [...own, ...MEMBERS.map((name) => inText(data?.[name])), ...added];
        yield { ...row, fields, ...(remarks.length > 0 && { remarks }), ...(more.length > 0 && { added: more }) };
      }
    },
  };
}

function isMember(name: string): boolean {
  return MEMBERS.some((member) => member === name);
}

function isEmpty(data: string): boolean {
  return data === "" || /^\{\s{0,10}\}$/.test(data);
}

function parsed(text: string): Members | undefined {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function inText(value: unknown): string {
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

/** The remark of a row that ends before it begins. Such a row has no duration. */
function backwards(cellOf: (name: string) => string): readonly Issue[] {
  const { begin, end } = spanIn(cellOf);
  if (!(Date.parse(end) < Date.parse(begin))) return [];
  const expected = "an end after the start";
  return [{ severity: "warning", rule: "table/end-before-start", field: "to", found: end, expected }];
}

/** A value that a person typed counts before a measured one. */
function spanIn(cellOf: (name: string) => string): { begin: string; end: string } {
  return { begin: cellOf("from (manual)") || cellOf("from"), end: cellOf("to (manual)") || cellOf("to") };
}

/** The cells that follow from several others. A value that a person typed counts before a measured one. */
function addedCells(cellOf: (name: string) => string, data: Members, isDouble: boolean): readonly string[] {
  const { begin, end } = spanIn(cellOf);
  const pause = Number(data.pause_duration ?? 0);
  const seconds = (Date.parse(end) - Date.parse(begin)) / 1000 - (pause > 0 ? pause : 0);
  const manual = Number(data.manual_distance ?? 0);
  const distance = manual > 0 ? inText(manual) : inText(data.distance);
  const isWay = manual > 0 || WAYS.includes(cellOf("Activity type").toLowerCase());
  return [
    // Withings writes the distance from UTC of the account. Where a zone is named, the clock there counts.
    isZone(cellOf("Timezone")) ? utcOf(begin) : begin,
    seconds > 0 ? String(seconds) : "",
    isWay ? distance : "",
    isWay ? "" : distance,
    isDouble ? "yes" : "",
  ];
}
