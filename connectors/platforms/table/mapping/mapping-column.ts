/** Checks what a mapping file says about one column. */
import { z } from "zod";
import { ACTIVITY_NAMES } from "../../../../transforms/activities.ts";
import { didYouMean } from "../../../../transforms/text/suggestions.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import { type Measure, unitSpelt } from "../../../../transforms/units.ts";
import {
  COMMON_OPTIONS,
  type ColumnSpec,
  DURATION_FORMATS,
  FIELD_NAMES,
  type FieldName,
  fieldNamed,
  INDISTINGUISHABLE,
  isFieldName,
  unitsOf,
} from "./fields.ts";
import { PATTERN_CHARACTERS } from "./limits.ts";
import { groupsOf, patternProblem } from "./pattern.ts";
import { parseScale } from "./scale.ts";
import { expectedWord } from "./suggest-word.ts";

/** Text, or a number that stands for text. */
export const text = z.union([z.string(), z.number()]).transform(String);

/** One value or a list of them. */
export const oneOrMore = <T extends z.ZodType>(type: T) =>
  z.union([type.transform((one) => [one]), z.array(type).min(1)] as const);

/** A regular expression. */
export const pattern = z
  .string()
  .min(1)
  .max(PATTERN_CHARACTERS)
  .superRefine((source, context) => {
    const message = patternProblem(source);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

/** A whole number between two ends. */
export const wholeNumber = (least: number, most: number) =>
  z.custom<number>((value) => typeof value === "number" && Number.isInteger(value) && value >= least && value <= most, {
    message: `expected a whole number from ${least} to ${most}`,
  });

/** The name of a field. */
export const fieldName = z.preprocess(
  // Mapping files of earlier versions say `beyond`.
  (name) => (name === "beyond" ? "unsupported" : name),
  z.enum(FIELD_NAMES as [FieldName, ...FieldName[]]),
);

/** The sports that may have a unit of their own, and the word for all others. */
const SPORTS: readonly string[] = [...ACTIVITY_NAMES, "default"];

/** Reads `400 m`; undefined for a text without a number above 0 or without a unit. */
function parseDistance(said: string): Measure<"distance"> | undefined {
  const [, digits = "", word = ""] = /^(\d{1,6}(?:\.\d{1,3})?)\s?(\p{L}{1,12})$/u.exec(said.trim()) ?? [];
  const unit = unitSpelt("distance", word);
  return unit === undefined || Number(digits) <= 0 ? undefined : { unit, value: Number(digits) };
}

/** The words that any column may have, besides its field. */
const words = {
  unit: z.union([text, z.record(z.string(), text)]).optional(),
  unitColumn: text.optional(),
  format: oneOrMore(z.enum(DURATION_FORMATS)).optional(),
  hoursBelow: wholeNumber(1, 59).optional(),
  separator: z.string().min(1).max(10).optional(),
  label: z.string().min(1).max(100).optional(),
  why: z.string().optional(),
  also: oneOrMore(text).optional(),
  optional: z.literal(true).optional(),
  otherwise: z.literal(true).optional(),
  scale: z
    .string()
    .transform((said, context) => {
      const scale = parseScale(said);
      if (scale === undefined) context.addIssue({ code: "custom", message: "expected a scale like 1..5 -> 1..10" });
      return scale;
    })
    .optional(),
  add: z.literal(true).optional(),
  each: z
    .string()
    .transform((said, context) => {
      const measure = parseDistance(said);
      if (measure === undefined)
        context.addIssue({ code: "custom", message: "expected a distance with its unit, such as 1 km" });
      return measure;
    })
    .optional(),
  running: z.literal(true).optional(),
  proposed: z.literal(true).optional(),
  zero: z.literal("none").optional(),
  per: z
    .custom<number>((per) => typeof per === "number" && per > 0, { message: "expected a number above 0" })
    .optional(),
  decimal: z.enum([".", ",", "float", "shown"]).optional(),
  expected: z.string().min(1).max(100).optional(),
};

type Words = z.infer<z.ZodObject<typeof words>>;

/** What a person says of a column: its field, or how its text is taken apart. */
const said = z.strictObject({
  field: fieldName.optional(),
  ...words,
  split: z.preprocess((one) => (typeof one === "string" ? [one] : one), z.array(pattern).min(1).max(10)).optional(),
  parts: z.record(z.string(), z.strictObject({ field: fieldName.optional(), ...words })).optional(),
});

type Said = z.infer<typeof said>;
type PlainColumn = Words & { readonly field: FieldName };

/** Says what is wrong with a word, or with a word inside it. */
type Complain = (key: string, message: string, inner?: string) => void;

/** Checks that the words of a column go with its field. */
function checkWords(spec: PlainColumn, complain: Complain): void {
  const { allows = [], needs = [] } = fieldNamed(spec.field);
  const { field, ...options } = spec;
  const known = [...allows, ...needs, ...COMMON_OPTIONS];
  for (const [option, value] of Object.entries(options))
    if (value !== undefined && !known.some((allowed) => allowed === option))
      complain(option, `${field} takes no ${option}`);
  for (const need of needs) if (spec[need] === undefined) complain(need, `${field} needs a ${need}`);
  checkUnit(spec, complain);
  const numbers = INDISTINGUISHABLE.at(-1) ?? [];
  if (field === "offset" && spec.format?.some((format) => !numbers.includes(format)))
    complain("format", `expected ${alternatives(numbers)}`);
  checkFormats(spec, complain);
}

function checkFormats({ format = [], hoursBelow }: PlainColumn, complain: Complain): void {
  const isMixed = format.includes("h:mm") && format.includes("mm:ss");
  if (hoursBelow !== undefined && !isMixed) complain("hoursBelow", "it goes with format: [h:mm, mm:ss]");
  for (const group of INDISTINGUISHABLE) {
    const both = group.filter((one) => format.includes(one));
    const advice = group.includes("mm:ss") ? ": hoursBelow says up to which number before the colon it is hours" : "";
    if (both.length > 1 && (hoursBelow === undefined || !group.includes("mm:ss")))
      complain("format", `${both.join(" and ")} can't be told apart${advice}`);
  }
}

function checkUnit(spec: PlainColumn, complain: Complain): void {
  const { measures } = fieldNamed(spec.field);
  if (measures === undefined) {
    if (typeof spec.unit === "object") complain("unit", "expected text");
    return;
  }
  for (const sport of typeof spec.unit === "object" ? Object.keys(spec.unit) : [])
    if (!SPORTS.includes(sport)) complain("unit", expectedWord(sport, SPORTS), sport);
  const known = unitsOf(measures);
  const said =
    typeof spec.unit === "object" ? Object.values(spec.unit) : [spec.unit].filter((one) => one !== undefined);
  if ((spec.unit === undefined) === (spec.unitColumn === undefined))
    complain("unit", `expected ${alternatives(known)}, or unitColumn instead`);
  else {
    const wrong = said.find((unit) => !known.includes(unit));
    if (wrong !== undefined) complain("unit", expectedWord(wrong, known, unitSpelt(measures, wrong)));
  }
}

/** Checks a column, and puts its words into the form that the engine reads. */
export const column = said
  .superRefine((spec, context) => {
    const at =
      (...path: readonly string[]): Complain =>
      (key, message, inner) =>
        context.addIssue({ code: "custom", path: [...path, key, ...(inner === undefined ? [] : [inner])], message });
    if (spec.split === undefined) checkPlain(spec, at());
    else checkSplit(spec, spec.split, at);
  })
  .transform(({ split, parts = {}, field = "ignore", ...spec }): SaidColumn => {
    if (split === undefined) return { own: mapped({ ...spec, field }), parts: [] };
    const groups = [...new Set(split.flatMap(groupsOf))];
    return {
      own: { ...mapped({ ...spec, field: "ignore" }), split },
      parts: groups.map((group) => {
        const { field: named = group, ...more } = parts[group] ?? {};
        return [
          group,
          { ...mapped({ ...more, field: named as FieldName }), part: true, ...(spec.optional && { optional: true }) },
        ];
      }),
    };
  });

function mapped({ unit, ...spec }: PlainColumn): MappedColumn {
  if (typeof unit !== "object") return { ...spec, ...(unit !== undefined && { unit }) };
  return { ...spec, units: unit, unitBy: (_, _system, activity) => unit[activity ?? "default"] ?? unit.default };
}

function checkPlain({ field, parts, split: _, ...spec }: Said, complain: Complain): void {
  if (field === undefined) complain("field", "expected a field, or split");
  else checkWords({ ...spec, field }, complain);
  if (parts !== undefined) complain("parts", "parts go with split");
}

function checkSplit(spec: Said, split: readonly string[], at: (...path: readonly string[]) => Complain): void {
  const complain = at();
  for (const [word, value] of Object.entries(spec))
    if (value !== undefined && !["split", "parts", "optional", "why"].includes(word))
      complain(word, `a column with split takes no ${word}: say it in its parts`);
  // A pattern that can't be read is reported by itself.
  if (split.some((source) => patternProblem(source) !== undefined)) return;
  const groups = [...new Set(split.flatMap(groupsOf))];
  if (groups.length === 0) complain("split", "expected a named group, such as (?P<distance>[0-9.]+)");
  for (const name of Object.keys(spec.parts ?? {}))
    if (!groups.includes(name))
      complain("parts", `split has no group of this name: ${groups.join(", ")}${didYouMean(name, groups)}`, name);
  for (const group of groups) {
    const { field = group, ...more } = spec.parts?.[group] ?? {};
    if (isFieldName(field)) checkWords({ ...more, field }, at("parts", group));
    else
      complain("parts", `expected which field it is, such as { field: notes }${didYouMean(group, FIELD_NAMES)}`, group);
  }
}

/** A column as a person says it: itself, and the columns of its parts by the names of their groups. */
export interface SaidColumn {
  readonly own: MappedColumn;
  readonly parts: readonly (readonly [group: string, column: MappedColumn])[];
}

/** A column of a mapping file. */
export type MappedColumn = Omit<ColumnSpec, "field"> & {
  readonly field: FieldName;
  readonly why?: string | undefined;
};
