/** Turns zod's findings about a file into the words of the person who wrote the file. */
import type { z } from "zod";
import { printable } from "./printable.ts";
import { didYouMean } from "./suggestions.ts";

/** One finding of zod in the words of a person who edits a file. If zod reports the value that it found, the words name it. */
export function explainZod(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") {
    const known = issue.values.map(String);
    const found = typeof issue.input === "string" ? foundInstead(issue.input, known) : "";
    return `expected ${alternatives(known)}${found}`;
  }
  if (issue.code === "invalid_type") return `expected ${ARTICLES[issue.expected] ?? issue.expected}`;
  if (issue.code === "too_big")
    return `expected at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`;
  if (issue.code === "too_small") return `expected at least ${issue.minimum}`;
  if (issue.code === "invalid_union") {
    const wrong = issue.errors.flat().filter(({ code }) => code === "invalid_value");
    const inner = wrong.find(({ input }) => typeof input === "string") ?? wrong[0];
    return inner === undefined ? "expected text or a number" : explainZod(inner);
  }
  if (issue.code === "invalid_key") {
    const known = issue.issues.flatMap((inner) => (inner.code === "invalid_value" ? inner.values.map(String) : []));
    return `no such field${didYouMean(String(issue.path.at(-1)), known)}`;
  }
  return issue.message;
}

/** `, found "distnace"; did you mean "distance"?` */
function foundInstead(found: string, known: readonly string[]): string {
  return `, found ${JSON.stringify(printable(found, 40))}${didYouMean(found.trim(), known)}`;
}

const ARTICLES: Partial<Record<string, string>> = {
  object: "a block of keys",
  record: "a block of keys",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
};

/** `a, b or c` */
export function alternatives(words: readonly string[], joint = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}
