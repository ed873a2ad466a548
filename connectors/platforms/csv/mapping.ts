/**
 * Reads the mapping file, which explains the columns of a person's spreadsheet. It is checked as a whole before any row is read. A person with an
 * editor reads the errors, so each names file, line and key. README.md shows an example with every word.
 */
import { isMap, isPair, isScalar, type Node, visit } from "yaml";
import { z } from "zod";
import { printable } from "../../../transforms/text/printable.ts";
import { didYouMean } from "../../../transforms/text/suggestions.ts";
import { explainZod } from "../../../transforms/text/zod-messages.ts";
import { parseYaml } from "../../formats/yaml.ts";
import { ASK, type Mapping, mappingSchema } from "../table/mapping/mapping.ts";
import { suggestWord } from "../table/mapping/suggest-word.ts";

/**
 * Reads a mapping file.
 *
 * @param name the entry's path, for messages
 * @param source its text
 * @returns the mapping with the lines of its keys, or every error in it as `log.map.yaml line 12: columns.Distance.unit: expected mi, km, m or yd`
 */
export function parseMapping(
  name: string,
  source: string,
): { readonly mapping: Mapping; readonly lineOf: LineOfKey } | { readonly errors: readonly string[] } {
  const { document, problems, lineOf: lineAt } = parseYaml(source);
  const at = (offset: number) => `${printable(name)} line ${lineAt(offset)}`;
  if (problems.length > 0) {
    return { errors: shortened(problems, ({ offset, message }) => [`${at(offset)}: ${printable(message)}`]) };
  }
  const lineOf = (path: readonly PropertyKey[]) => at(placeOf(document.contents, path));
  const ownProto = protoKey(document.contents);
  if (ownProto !== undefined) return { errors: [`${at(ownProto)}: __proto__: not a name that can be used`] };

  const open = openQuestions(document.contents);
  if (open.length > 0)
    return { errors: shortened(open, ({ offset, keys }) => [`${at(offset)}: ${dotted(keys)}${ANSWER_IT}`]) };

  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    if (error instanceof ReferenceError) return { errors: [`${at(0)}: ${printable(error.message)}`] };
    throw error;
  }
  if (!isMap(document.contents)) return { errors: [`${at(0)}: ${NO_MAPPING}`] };
  const result = mappingSchema.safeParse(value, { reportInput: true });
  if (result.success) return { mapping: result.data, lineOf: (path) => lineAt(placeOf(document.contents, path)) };
  return {
    errors: shortened(oncePerPlace(result.error.issues), (issue) => {
      if (issue.code === "unrecognized_keys")
        return shortened(issue.keys, (key) => [
          `${lineOf([...issue.path, key])}: ${dotted([...issue.path, key])}no such key${didYouMean(key, keysAt(mappingSchema, issue.path))}`,
        ]);
      return [`${lineOf(issue.path)}: ${dotted(issue.path)}${explainZod(issue, suggestWord)}`];
    }),
  };
}

/** A value of the wrong kind is told as such. What else is wrong with it follows from that. */
function oncePerPlace(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const placeOfIssue = ({ path }: z.core.$ZodIssue) => JSON.stringify(path.map(String));
  const wrong = new Set(issues.filter(({ code }) => code === "invalid_type").map(placeOfIssue));
  return issues.filter((issue) => issue.code === "invalid_type" || !wrong.has(placeOfIssue(issue)));
}

/** The keys that a schema knows at a path; empty for a place that may have any keys. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (schema instanceof z.ZodPipe) return [...keysAt(schema.in, path), ...keysAt(schema.out, path)];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return keysAt(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => keysAt(option, path));
  const [step, ...rest] = path;
  if (schema instanceof z.ZodObject)
    return step === undefined ? Object.keys(schema.shape) : keysAt(schema.shape[String(step)], rest);
  if (schema instanceof z.ZodRecord && step !== undefined) return keysAt(schema.valueType, rest);
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) return schema.keyType.options.map(String);
  if (step === undefined) return [];
  return schema instanceof z.ZodArray ? keysAt(schema.element, rest) : [];
}

const ANSWER_IT = `a question is open: put one of the words behind it in place of ${ASK}. Words in braces replace the braces around it, too`;

const NO_MAPPING =
  "expected a mapping file, which begins with version: 1 and has columns. To have one proposed: logferry map infer TABLE";

/** The places of the questions that nobody answered. In quotation marks the word is a text. */
function openQuestions(root: Node | null): readonly { readonly offset: number; readonly keys: readonly string[] }[] {
  const open: { offset: number; keys: string[] }[] = [];
  if (root === null) return open;
  visit(root, {
    Scalar(key, { value, type, range }, path) {
      // A column may be called so.
      if (value !== ASK || type !== "PLAIN" || key === "key") return;
      const keys = path.flatMap((each) => (isPair(each) && isScalar(each.key) ? [String(each.key.value)] : []));
      open.push({ offset: range?.[0] ?? 0, keys });
    },
  });
  return open;
}

/** The line of a key in a mapping file, from 1. If there is no such key, it is that of the nearest key around it. */
export type LineOfKey = (path: readonly PropertyKey[]) => number;

/** A person can't mend more errors than this at once. */
const MOST_ERRORS = 100;

/** Describes the first hundred problems, and counts the others. */
function shortened<T>(problems: readonly T[], words: (problem: T) => readonly string[]): string[] {
  const more = problems.length - MOST_ERRORS;
  return [...problems.slice(0, MOST_ERRORS).flatMap(words), ...(more > 0 ? [`and ${more} more errors`] : [])];
}

function dotted(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "" : `${path.map((step) => printable(String(step), 60)).join(".")}: `;
}

/** The offset of the node at a path. If the node is missing, it is the offset of the deepest existing node. */
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

/** The offset of a key called `__proto__`, at any depth. An object can't hold this key as a column or a word. */
function protoKey(node: unknown): number | undefined {
  if (typeof node !== "object" || node === null || !("items" in node) || !Array.isArray(node.items)) return undefined;
  for (const item of node.items) {
    if (isPair(item) && isScalar(item.key) && item.key.value === "__proto__") return item.key.range?.[0] ?? 0;
    const inner = protoKey(isPair(item) ? item.value : item);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
