/** Turns zod's findings about a file into the words of the person who wrote the file. */
import type { z } from "zod";
import { printable } from "./printable.ts";
import { didYouMean } from "./suggestions.ts";

/** Names the known word that a person probably meant, as `; did you mean "zone"?`; an empty text if none is near. */
export type Suggest = (word: string, known: readonly string[]) => string;

/** One finding of zod in the words of a person who edits a file. If zod reports the value that it found, the words name it. */
export function explainZod(issue: z.core.$ZodIssue, suggest: Suggest = didYouMean): string {
  if (issue.code === "invalid_value") return expectedOneOf(issue.values.map(String), issue, suggest);
  if (issue.code === "invalid_type") return `expected ${typeNamed(issue.expected)}${foundIn(issue)}`;
  if (issue.code === "too_big" || issue.code === "too_small") return explainSize(issue);
  if (issue.code === "invalid_union") {
    const all = leavesOf(issue);
    const wrong = all.filter(({ code }) => code === "invalid_value");
    const inner =
      wrong.find(({ input }) => typeof input === "string") ??
      wrong[0] ??
      all.find(({ code }) => code !== "invalid_type");
    if (inner !== undefined) return explainZod(inner, suggest);
    const types = all.flatMap((each) => (each.code === "invalid_type" ? [typeNamed(each.expected)] : []));
    return `expected ${alternatives([...new Set(types)])}${foundIn(issue)}`;
  }
  if (issue.code === "invalid_key") {
    const known = issue.issues.flatMap((inner) => (inner.code === "invalid_value" ? inner.values.map(String) : []));
    return `no such field${suggest(String(issue.path.at(-1)), known)}`;
  }
  // A message that names the value itself, or explains more, needs no second one. Of a whole block, its keys say more than its kind.
  const isSaid = /found |: /.test(issue.message) || !issue.message.startsWith("expected ");
  return isSaid || typeof issue.input === "object" ? issue.message : `${issue.message}${foundIn(issue)}`;
}

/** `expected a, b or c, found "x"; did you mean "b"?` */
function expectedOneOf(known: readonly string[], issue: z.core.$ZodIssue, suggest: Suggest): string {
  const near = typeof issue.input === "string" ? suggest(issue.input.trim(), known) : "";
  return `expected ${alternatives(known)}${foundIn(issue)}${near}`;
}

function explainSize(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall): string {
  const words = issue.code === "too_big" ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
  if (issue.origin === "string") return `expected ${words} ${words.endsWith(" 1") ? "character" : "characters"}`;
  const { input } = issue;
  return Array.isArray(input)
    ? `expected ${words} in the list, found ${input.length}`
    : `expected ${words}${foundIn(issue)}`;
}

/** The findings of a union's alternatives, those within one another too. */
function leavesOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(leavesOf) : [issue];
}

/** `, found "distnace"`; an empty text if zod doesn't report the value. */
function foundIn(issue: z.core.$ZodIssue): string {
  return "input" in issue ? `, found ${valueInWords(issue.input)}` : "";
}

function valueInWords(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a block of keys";
  return typeof value === "string" ? JSON.stringify(printable(value, 40)) : printable(String(value), 40);
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

function typeNamed(type: string): string {
  return ARTICLES[type] ?? type;
}

/** `a, b or c` */
export function alternatives(words: readonly string[], joint = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}
