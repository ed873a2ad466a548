/**
 * The meaning of a table's columns. A person's mapping file is checked against this schema. A platform's table becomes such a mapping for
 * each of its headers.
 */
import { z } from "zod";
import { ACTIVITY_NAMES, type Activity, WORKOUT_TYPES } from "../../../transforms/activities.ts";
import { isLocalDate } from "../../../transforms/calendar.ts";
import { alternatives } from "../../../transforms/text/zod-messages.ts";
import {
  type Decimal,
  DURATION_FORMATS,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  fieldNamed,
  INDISTINGUISHABLE,
  unitsOf,
} from "./fields.ts";
import { PATTERN_CHARACTERS } from "./limits.ts";
import { patternProblem } from "./pattern.ts";

const YEAR_PIVOT = 70;

const text = z.union([z.string(), z.number()]).transform(String);
const count = z.int().min(0).max(100_000);
const oneOrMore = <T extends z.ZodType>(type: T) =>
  z.union([type.transform((one) => [one]), z.array(type).min(1)] as const);

const column = z
  .strictObject({
    field: z.preprocess(
      // Mapping files of earlier versions say `beyond`.
      (name) => (name === "beyond" ? "unsupported" : name),
      z.enum(FIELD_NAMES as [FieldName, ...FieldName[]]),
    ),
    unit: text.optional(),
    unitColumn: text.optional(),
    format: oneOrMore(z.enum(DURATION_FORMATS)).optional(),
    separator: z.string().min(1).max(10).optional(),
    label: z.string().min(1).max(100).optional(),
    why: z.string().optional(),
  })
  .superRefine((spec, context) => {
    const { measures, allows = [], needs = [] } = fieldNamed(spec.field);
    const complain = (key: string, message: string) => context.addIssue({ code: "custom", path: [key], message });
    const { field, ...options } = spec;
    for (const [option, value] of Object.entries(options)) {
      if (value !== undefined && ![...allows, ...needs].some((allowed) => allowed === option))
        complain(option, `${field} takes no ${option}`);
    }
    for (const need of needs) if (spec[need] === undefined) complain(need, `${field} needs a ${need}`);
    if (measures !== undefined && (spec.unit === undefined) === (spec.unitColumn === undefined))
      complain("unit", `expected ${alternatives(unitsOf(measures))}, or unitColumn instead`);
    else if (measures !== undefined && spec.unit !== undefined && !unitsOf(measures).includes(spec.unit))
      complain("unit", `expected ${alternatives(unitsOf(measures))}`);
    for (const group of INDISTINGUISHABLE) {
      const both = group.filter((format) => spec.format?.includes(format));
      if (both.length > 1) complain("format", `${both.join(" and ")} can't be told apart`);
    }
  });

const pattern = z
  .string()
  .min(1)
  .max(PATTERN_CHARACTERS)
  .superRefine((source, context) => {
    const message = patternProblem(source);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const rule = z
  .strictObject({
    when: z.strictObject({ column: text, matches: pattern }),
    skip: z.string().min(1).max(200).optional(),
    set: z.partialRecord(z.enum(FIELD_NAMES as [FieldName, ...FieldName[]]), text.nullable()).optional(),
  })
  .refine(({ skip, set }) => (skip === undefined) !== (set === undefined), { message: "expected either skip or set" });

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

/** Checks a mapping, and fills in its defaults. */
export const mappingSchema = z
  .strictObject({
    version: z.literal(1),
    file: z
      .strictObject({
        name: z.string().optional(),
        encoding: z.enum(["auto", "utf-8", "utf-16le", "windows-1252"]).default("auto"),
        delimiter: z.enum(["auto", "comma", "semicolon", "tab"]).default("auto"),
        decimal: z.enum([".", ","]).default("."),
        skip: count.default(0),
        header: z.boolean().default(true),
        skipEnd: z.int().min(0).max(1000).default(0),
        comment: z.string().min(1).max(10).optional(),
        nulls: z.array(text).max(100).default([]),
      })
      .prefault({}),
    dates: z.strictObject({
      order: z.enum(["iso", "dmy", "mdy", "excel", "excel-1904"]),
      twoDigitYearPivot: z.int().min(0).max(100).default(YEAR_PIVOT),
      zone: z.enum(["local", "utc", "offset"]).default("local"),
    }),
    columns: z.record(z.string(), column),
    defaults: z.strictObject({ activity: activity.optional(), equipment: text.optional() }).prefault({}),
    rows: z.array(rule).max(100).default([]),
    values: z
      .strictObject({
        activity: z.record(z.string(), activity).prefault({}),
        type: z.record(z.string(), z.enum(WORKOUT_TYPES)).prefault({}),
        conditions: z.record(z.string(), oneOrMore(z.string().regex(/^\w{1,40}$/))).prefault({}),
        course: z.record(z.string(), text).prefault({}),
        equipment: z.record(z.string(), equipment).prefault({}),
      })
      .prefault({}),
    unknownColumns: z.enum(["report", "ignore", "fail"]).default("report"),
  })
  .superRefine(({ columns }, context) => {
    const fields = Object.values(columns).map(({ field }) => field);
    const complain = (message: string, path: string[] = []) =>
      context.addIssue({ code: "custom", path: ["columns", ...path], message });
    const dates = fields.filter((field) => field === "date" || field === "datetime");
    if (dates.length !== 1) complain(`expected one column with field date or datetime, found ${dates.length}`);
    for (const { field } of FIELDS.filter((row) => !("repeats" in row))) {
      const named = Object.keys(columns).filter((header) => columns[header]?.field === field);
      if (named.length > 1)
        complain(`${field} is ${alternatives(named, "and")}: only one column can be it`, [named[1] ?? ""]);
    }
    if (fields.includes("duration") && fields.some((field) => field.startsWith("duration.")))
      complain("expected either duration or its parts");
    if (fields.includes("datetime") && fields.includes("time")) complain("expected either datetime, or date and time");
  });

/** A checked mapping with its defaults filled in. Units and formats fit their fields. */
export type Mapping = z.infer<typeof mappingSchema>;

/**
 * The way a table is written, without its columns. Rows are read by it. A platform's table has two more ways for numbers and dates:
 * `shown`, as the platform shows a value to people in any language, and `float`, as programs write numbers.
 */
export type Conventions = Omit<Mapping, "columns" | "version" | "unknownColumns" | "file" | "dates"> & {
  readonly file: Omit<Mapping["file"], "decimal"> & {
    readonly decimal: Decimal;
  };
  readonly dates: Omit<Mapping["dates"], "order"> & { readonly order: Mapping["dates"]["order"] | "shown" };
};
