/** Checks what a mapping file says about the places of workouts in the table: one a row, or otherwise. */
import { z } from "zod";
import { printable } from "../../../../transforms/text/printable.ts";
import { namesInBraces } from "./braces.ts";
import { fold } from "./fold.ts";
import { oneOrMore, text } from "./mapping-column.ts";

const name = z.string().min(1).max(100);
const groups = (most: number, least: number) =>
  z
    .record(name, z.array(text.nullable()).min(least).max(most))
    .refine((columns) => Object.keys(columns).length > 0, {
      message: "expected a name, and the columns of each workout",
    })
    .superRefine((columns, context) => {
      const longest = Math.max(...Object.values(columns).map(({ length }) => length));
      const complain = (message: string, key: string) => context.addIssue({ code: "custom", path: [key], message });
      for (const [key, names] of Object.entries(columns)) {
        const { length } = names;
        if (length >= least && length < longest)
          complain(
            `expected ${longest} columns, as many as the longest list has, found ${length}: write null for a workout without this column`,
            key,
          );
        const twice = twiceIn(names);
        if (twice !== undefined) complain(`the column ${JSON.stringify(printable(twice, 40))} is listed twice`, key);
      }
    });

/** The first column that a list has again: one cell can't be of two workouts. */
function twiceIn(columns: readonly (string | null)[]): string | undefined {
  const names = columns.filter((column) => column !== null);
  const folded = names.map(fold);
  return names.find((_, at) => folded.indexOf(folded[at] ?? "") < at);
}

/** The words of `layout`. */
export const layout = z
  .strictObject({
    sections: z.literal(true).optional(),
    sports: name.optional(),
    totals: z.literal("skip").optional(),
    continued: z.literal(true).optional(),
    ditto: oneOrMore(text).optional(),
    asAbove: oneOrMore(text).optional(),
    repeat: groups(100, 2).optional(),
    week: groups(7, 7).optional(),
    weekDate: z.enum(["first", "last"]).optional(),
    shared: oneOrMore(text).optional(),
    texts: z.record(name, z.array(text.nullable()).max(100)).optional(),
  })
  .refine(({ repeat, week }) => repeat === undefined || week === undefined, {
    message: "expected either repeat or week",
    path: ["week"],
  })
  .refine(({ week, weekDate }) => week !== undefined || weekDate === undefined, {
    message: "weekDate goes with week, which says where the days are",
    path: ["weekDate"],
  })
  .refine(({ repeat, shared }) => repeat !== undefined || shared === undefined, {
    message: "shared goes with repeat, which says where the workouts are",
    path: ["shared"],
  })
  .superRefine(({ repeat = {}, shared = [] }, context) => {
    const grouped = new Set([...Object.keys(repeat), ...Object.values(repeat).flat()].map((one) => fold(one ?? "")));
    for (const [at, one] of shared.entries())
      if (grouped.has(fold(one)))
        context.addIssue({
          code: "custom",
          path: ["shared", at],
          message: `the column ${JSON.stringify(printable(one, 40))} has a value for each workout: it stands in repeat`,
        });
  })
  .superRefine(({ repeat, week, texts = {} }, context) => {
    const columns = { ...repeat, ...week };
    const workouts = Object.values(columns)[0]?.length ?? 0;
    const complain = (message: string, ...path: string[]) =>
      context.addIssue({ code: "custom", path: ["texts", ...path], message });
    const isNeeded = Object.keys(texts).length > 0;
    if (isNeeded && workouts === 0) return complain("texts go with repeat or week, which say where the workouts are");
    for (const [key, { length }] of Object.entries(texts))
      if (Object.hasOwn(columns, key)) complain("this column has cells already: give the texts another name", key);
      else if (length !== workouts)
        complain(
          `expected ${workouts} texts, one a workout, found ${length}: write null for a workout without one`,
          key,
        );
  })
  .prefault({});

/** The words of `join`: new columns, put together from others. */
export const join = z
  .record(
    name,
    z
      .string()
      .max(200)
      .refine((said) => namesInBraces(said).length > 0, {
        message: "expected names of columns in braces, such as {Day}.{Month}.{Year}",
      }),
  )
  .prefault({});

/** Checked words of `layout`. */
export type Layout = z.infer<typeof layout>;
