/**
 * The meaning of a table's columns. A person's mapping file is checked against this schema. A platform's table becomes such a mapping for
 * each of its headers.
 */
import { z } from "zod";
import { ACTIVITY_NAMES, type Activity, WORKOUT_TYPES } from "../../../../transforms/activities.ts";
import { isLocalDate } from "../../../../transforms/calendar.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { DecimalCommas } from "./decimal-commas.ts";
import { FIELD_NAMES, FIELDS, type FieldName } from "./fields.ts";
import { column, type MappedColumn, oneOrMore, pattern, type SaidColumn, text, wholeNumber } from "./mapping-column.ts";
import { join, layout } from "./mapping-layout.ts";
import { tests } from "./mapping-tests.ts";
import { partName } from "./pattern.ts";

/** In the place of a value that a person must choose. A plan refuses a mapping file that has it. */
export const ASK = "ASK";

const YEAR_PIVOT = 70;

const count = wholeNumber(0, 100_000);

const condition = { column: text, matches: pattern.optional(), isNot: text.optional() };

const hasTest = ({ matches, isNot }: { readonly matches?: string | undefined; readonly isNot?: string | undefined }) =>
  (matches === undefined) !== (isNot === undefined);
const ONE_TEST = { message: "expected either matches or isNot" };

const rule = z
  .strictObject({
    when: z
      .strictObject({
        ...condition,
        and: z.array(z.strictObject(condition).refine(hasTest, ONE_TEST)).min(1).optional(),
      })
      .refine(hasTest, ONE_TEST)
      .transform(({ and = [], ...first }) => [first, ...and]),
    skip: z.string().min(1).max(200).optional(),
    hold: z.string().min(1).max(200).optional(),
    set: z.partialRecord(z.enum(FIELD_NAMES as [FieldName, ...FieldName[]]), text.nullable()).optional(),
  })
  .refine((all) => [all.skip, all.hold, all.set].filter((one) => one !== undefined).length === 1, {
    message: "expected one of skip, hold or set",
  });

const activity = z.enum(ACTIVITY_NAMES as [Activity, ...Activity[]]);

const equipment = z.strictObject({
  activity: activity.optional(),
  brandName: text.optional(),
  modelName: text.optional(),
  serial: text.optional(),
  notes: text.optional(),
  purchaseDate: z.string().refine(isLocalDate, { message: "expected a date like 2012-03-01" }).optional(),
  price: z.number().optional(),
});

/** The columns, each before those of its parts, `Workout/distance`. */
function entriesOf(
  columns: Readonly<Record<string, SaidColumn | MappedColumn>>,
): readonly (readonly [string, MappedColumn])[] {
  return Object.entries(columns).flatMap(([name, column]) =>
    "own" in column
      ? [[name, column.own] as const, ...column.parts.map(([group, part]) => [partName(name, group), part] as const)]
      : [[name, column] as const],
  );
}

function withParts(columns: Readonly<Record<string, SaidColumn>>): Readonly<Record<string, MappedColumn>> {
  return Object.fromEntries(entriesOf(columns));
}

/** Delimiters as they stand in the table. */
const MARKS: ReadonlyMap<unknown, string> = new Map([
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "pipe"],
]);

/** The word for a delimiter that is written as its character. */
const asWord = (said: unknown) => MARKS.get(said) ?? said;

/** Checks a mapping, and fills in its defaults. */
export const mappingSchema = z
  .strictObject({
    version: z.literal(1),
    file: z
      .strictObject({
        name: z.string().optional(),
        sheet: text.optional(),
        sheets: z.union([z.literal("all"), z.array(text).min(1).max(1000)]).optional(),
        ignoreSheets: z.array(text).max(1000).optional(),
        encoding: z
          .enum([
            "auto",
            "utf-8",
            "utf-16le",
            "utf-16be",
            "windows-1252",
            "windows-1250",
            "windows-1251",
            "macintosh",
            "cp850",
            "cp437",
            "cp866",
            "shift_jis",
            "euc-jp",
            "gb18030",
          ])
          .default("auto"),
        delimiter: z.preprocess(asWord, z.enum(["auto", "comma", "semicolon", "tab", "pipe"])).default("auto"),
        decimal: z.enum([".", ",", "float", "shown"]).default("."),
        skip: count.default(0),
        restsOn: z
          .strictObject({
            title: text.optional(),
            sheet: text.optional(),
            name: text.optional(),
            units: text.optional(),
          })
          .optional(),
        header: z.boolean().default(true),
        skipEnd: wholeNumber(0, 1000).default(0),
        comment: z.string().min(1).max(10).optional(),
        nulls: z.array(text).max(100).default([]),
      })
      .refine(({ sheet, sheets }) => sheet === undefined || sheets === undefined, {
        message: "expected either sheet or sheets",
      })
      .prefault({}),
    dates: z
      .strictObject({
        order: z.enum(["iso", "dmy", "mdy", "ymd", "excel", "excel-1904", "shown"]),
        twoDigitYearPivot: wholeNumber(0, 100).default(YEAR_PIVOT),
        year: wholeNumber(1900, 2100).optional(),
        newYear: z.enum(["up", "down"]).optional(),
        month: z.literal("sheet").optional(),
        zone: z.enum(["local", "utc", "offset"]).default("local"),
      })
      .refine(({ year, newYear }) => newYear === undefined || year !== undefined, {
        message: "newYear goes with year, the year of the first row",
        path: ["newYear"],
      }),
    columns: z.record(z.string(), column).transform(withParts),
    layout,
    join,
    defaults: z.strictObject({ activity: activity.optional(), equipment: text.optional() }).prefault({}),
    rows: z.array(rule).max(100).default([]),
    repeatedRows: z.enum(["once", "workouts"]).optional(),
    sumRows: z.enum(["hold", "workouts"]).optional(),
    values: z
      .strictObject({
        activity: z.record(z.string(), activity).prefault({}),
        type: z.record(z.string(), z.enum(WORKOUT_TYPES)).prefault({}),
        conditions: z
          .record(
            z.string(),
            oneOrMore(z.string().regex(/^\w{1,40}$/, "expected a word of at most 40 letters and digits")),
          )
          .prefault({}),
        course: z.record(z.string(), text).prefault({}),
        equipment: z.record(z.string(), equipment).prefault({}),
      })
      .prefault({}),
    files: z
      .strictObject({
        folder: z.string().min(1).max(200).optional(),
        by: oneOrMore(z.enum(["name", "start", "day"])).default(["name"]),
      })
      .optional(),
    tests,
    missingColumns: z.enum(["fail", "ignore"]).default("fail"),
    unknownColumns: z.enum(["report", "ignore", "fail"]).default("report"),
  })
  .superRefine(({ columns }, context) => {
    // If a column has a mistake, none of them has its form yet. The mistake is told by itself.
    const all = entriesOf(columns).filter(
      ([, { field }]: readonly [string, Partial<MappedColumn>]) => field !== undefined,
    );
    const isWhole = all.length === entriesOf(columns).length;
    // Columns that are added up are one, and columns with `otherwise` come after one that counts.
    const first = all.filter(
      ([, { field, add, otherwise }], index) =>
        otherwise === undefined && !(add && all.findIndex(([, other]) => other.add && other.field === field) < index),
    );
    const fields = first.map(([, { field }]) => field);
    const complain = (message: string, path: string[] = []) =>
      context.addIssue({ code: "custom", path: ["columns", ...path], message });
    const dates = fields.filter((field) => field === "date" || field === "datetime");
    const isDated = dates.length === 1 || (dates.length === 0 && fields.includes("instant"));
    if (!isDated && isWhole) complain(`expected one column with field date or datetime, found ${dates.length}`);
    for (const { field } of FIELDS.filter((row) => !("repeats" in row))) {
      const named = first.filter(([, spec]) => spec.field === field).map(([header]) => header);
      if (named.length > 1)
        complain(`${field} is ${alternatives(named, "and")}: only one column can be it`, [named[1] ?? ""]);
    }
    if (fields.includes("duration") && fields.some((field) => field.startsWith("duration.")))
      complain("expected either duration or its parts");
    if (fields.includes("datetime") && fields.includes("time")) complain("expected either datetime, or date and time");
  });

/** A checked mapping with its defaults filled in. Units and formats fit their fields. */
export type Mapping = z.infer<typeof mappingSchema>;

/** The way a table is written, without its columns. Rows are read by it. */
export type Conventions = Omit<
  Mapping,
  "columns" | "version" | "unknownColumns" | "missingColumns" | "files" | "layout" | "join" | "tests" | "file"
> & {
  /** `commas` finds decimal commas that a spreadsheet program put into the table. */
  readonly file: Mapping["file"] & { readonly commas?: DecimalCommas };
};
