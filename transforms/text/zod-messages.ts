/** Turns zod's findings about a file into the words of the person who wrote the file. */
import type { z } from "zod";

/** One finding of zod in the words of a person who edits a file. */
export function explainZod(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return `expected ${alternatives(issue.values.map(String))}`;
  if (issue.code === "invalid_type") return `expected ${ARTICLES[issue.expected] ?? issue.expected}`;
  if (issue.code === "too_big")
    return `expected at most ${issue.maximum}${issue.origin === "string" ? " characters" : ""}`;
  if (issue.code === "too_small") return `expected at least ${issue.minimum}`;
  if (issue.code === "invalid_union") {
    const inner = issue.errors.flat().find(({ code }) => code === "invalid_value");
    return inner === undefined ? "expected text or a number" : explainZod(inner);
  }
  if (issue.code === "invalid_key") return "no such field";
  return issue.message;
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
