/**
 * The mapping file: what the columns of somebody's spreadsheet mean. It is checked whole before a row is read, and an error
 * names file, line and key, since its reader is a person with an editor. README.md shows an example with every word of it.
 */
import { isMap, isPair, isScalar, type Node } from "yaml";
import { z } from "zod";
import { ACTIVITY_NAMES, type Activity } from "../../../transforms/activities.ts";
import { isLocalDate } from "../../../transforms/calendar.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { alternatives, explainZod } from "../../../transforms/text/zod-words.ts";
import { parseYaml } from "../../formats/yaml.ts";
import {
  DURATION_FORMATS,
  type DurationFormat,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  fieldNamed,
  INDISTINGUISHABLE,
  unitsOf,
} from "./fields.ts";
import { PATTERN_CHARACTERS, WORKOUT_TYPES } from "./limits.ts";

const YEAR_PIVOT = 70;

const text = z.union([z.string(), z.number()]).transform(String);
const count = z.int().min(0).max(100_000);
const oneOrMore = <T extends z.ZodType>(type: T) =>
  z.union([type.transform((one) => [one]), z.array(type).min(1)] as const);

const column = z
  .strictObject({
    field: z.enum(FIELD_NAMES as [FieldName, ...FieldName[]]),
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
  .refine(isPattern, { message: "expected a regular expression" });

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

const mapping = z
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

/** A mapping file, checked, with its defaults filled in. Units and formats fit their fields. */
export type Mapping = z.infer<typeof mapping>;

/** What a mapping says about one column. */
export interface ColumnSpec {
  readonly field: FieldName;
  readonly unit?: string | undefined;
  readonly unitColumn?: string | undefined;
  readonly format?: readonly DurationFormat[] | undefined;
  readonly separator?: string | undefined;
  readonly label?: string | undefined;
}

/**
 * Reads a mapping file.
 *
 * @param name the entry's path, for messages
 * @param source its text
 * @returns the mapping, or every error in it as `log.map.yaml line 12: columns.Distance.unit: expected mi, km, m or yd`
 */
export function parseMapping(name: string, source: string): { mapping: Mapping } | { errors: readonly string[] } {
  const { document, troubles, lineOf: lineAt } = parseYaml(source);
  const at = (offset: number) => `${printable(name)} line ${lineAt(offset)}`;
  if (troubles.length > 0) {
    return { errors: shortened(troubles, ({ offset, message }) => [`${at(offset)}: ${printable(message)}`]) };
  }
  const lineOf = (path: readonly PropertyKey[]) => at(placeOf(document.contents, path));
  const ownProto = protoKey(document.contents);
  if (ownProto !== undefined) return { errors: [`${at(ownProto)}: __proto__: not a name that can be used`] };

  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    if (error instanceof ReferenceError) return { errors: [`${at(0)}: ${printable(error.message)}`] };
    throw error;
  }
  const result = mapping.safeParse(value);
  if (result.success) return { mapping: result.data };
  return {
    errors: shortened(result.error.issues, (issue) => {
      if (issue.code === "unrecognized_keys")
        return shortened(issue.keys, (key) => [
          `${lineOf([...issue.path, key])}: ${dotted([...issue.path, key])}no such key`,
        ]);
      return [`${lineOf(issue.path)}: ${dotted(issue.path)}${explainZod(issue)}`];
    }),
  };
}

/** More errors than anybody mends before trying again. */
const MOST_ERRORS = 100;

/** A line or more for each; of those beyond the first hundred how many there are. */
function shortened<T>(troubles: readonly T[], words: (trouble: T) => readonly string[]): string[] {
  const more = troubles.length - MOST_ERRORS;
  return [...troubles.slice(0, MOST_ERRORS).flatMap(words), ...(more > 0 ? [`and ${more} more errors`] : [])];
}

function dotted(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "" : `${path.map((step) => printable(String(step), 60)).join(".")}: `;
}

/** Where the node at a path begins; the deepest one there is, for what is missing. */
function placeOf(root: Node | null, path: readonly PropertyKey[]): number {
  let node: unknown = root;
  let offset = root?.range?.[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!isPair(pair)) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (typeof node === "object" && node !== null && "items" in node && Array.isArray(node.items)) {
      node = node.items[Number(step)];
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** Where a key called `__proto__` stands, at any depth: objects can't hold it as a column or a word. */
function protoKey(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("items" in node) || !Array.isArray(node.items)) return undefined;
  for (const item of node.items) {
    if (isPair(item) && isScalar(item.key) && item.key.value === "__proto__") return item.key.range?.[0] ?? 0;
    const inner = protoKey(isPair(item) ? item.value : item);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, "i");
    return true;
  } catch {
    return false;
  }
}
