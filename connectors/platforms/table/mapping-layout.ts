/** Checks what a mapping file says about the places of workouts in the table: one a row, or otherwise. */
import { z } from "zod";
import { namesInBraces } from "./braces.ts";
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
      for (const [key, { length }] of Object.entries(columns))
        if (length < longest) {
          const message = `expected ${longest} columns, as many as the longest list has, found ${length}: write null for a workout without this column`;
          context.addIssue({ code: "custom", path: [key], message });
        }
    });

/** The words of `layout`. */
export const layout = z
  .strictObject({
    sections: z.literal(true).optional(),
    totals: z.literal("skip").optional(),
    continued: z.literal(true).optional(),
    asAbove: oneOrMore(text).optional(),
    repeat: groups(100, 2).optional(),
    week: groups(7, 7).optional(),
    texts: z.record(name, z.array(text.nullable()).max(100)).optional(),
  })
  .refine(({ repeat, week }) => repeat === undefined || week === undefined, {
    message: "expected either repeat or week",
    path: ["week"],
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
