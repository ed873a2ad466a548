/**
 * Reads YAML that the user or a stranger wrote: config and mapping files. The library compares each key of a map with all keys before it,
 * which takes 40 s for a file of 256 KiB. It also follows nesting until the stack is full. Here each key is looked up once, and the depth
 * of nesting has a limit.
 */
import { type Document, isScalar, LineCounter, parseDocument, stringify, visit } from "yaml";
import { inPlainWords } from "./yaml-words.ts";

/** The most bytes of such a file. A long hand-written file has five thousand. */
export const YAML_BYTES = 64 * 1024;

/** The most keys and lists within each other. Our files go five deep. */
export const DEEPEST_YAML = 64;

/** A file, parsed. */
export interface YamlFile {
  readonly document: Document;
  /** The problems of the file as YAML, one line each, in file order. */
  readonly problems: readonly YamlProblem[];
  /** The line, from 1, of an offset. */
  lineOf(offset: number): number;
}

/** A part of the file that is no YAML, or a part of YAML that is not read. */
export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

const TWICE = "a name stands here for the second time: keep one of its lines";
const TOO_DEEP = `nested more than ${DEEPEST_YAML} deep`;

/** Parses YAML. Never throws. References are not yet followed. */
export function parseYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const lineOf = (offset: number) => lines.linePos(offset).line;
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const problems = oncePerLine(
      document.errors.map(({ pos, code, message }) => ({
        offset: pos[0],
        message: inPlainWords(code, message.split("\n")[0] ?? ""),
      })),
      lineOf,
    );
    // When the stack is full, the library reports it once for every level that is left.
    const endOfStack = problems.find(({ message }) => message.includes("call stack"));
    if (endOfStack !== undefined) return { document, problems: [{ ...endOfStack, message: TOO_DEEP }], lineOf };
    return { document, problems: problems.length > 0 ? problems : problemsOf(document), lineOf };
  } catch (error) {
    // The file is nested too deep for the stack.
    if (!(error instanceof RangeError)) throw error;
    return { document: parseDocument(""), problems: [{ offset: 0, message: TOO_DEEP }], lineOf };
  }
}

/** The first problem of each line. The others follow from it. */
function oncePerLine(problems: readonly YamlProblem[], lineOf: YamlFile["lineOf"]): YamlProblem[] {
  const lines = new Set<number>();
  return problems.filter(({ offset }) => {
    const isFirst = !lines.has(lineOf(offset));
    lines.add(lineOf(offset));
    return isFirst;
  });
}

/** Finds keys that are there twice and nesting that is too deep. YAML 1.2.2, 3.2.1.1, allows no key twice. */
function problemsOf(document: Document): YamlProblem[] {
  const found: YamlProblem[] = [];
  visit(document, {
    Collection(_, node, path) {
      if (path.length <= 2 * DEEPEST_YAML) return undefined;
      found.push({ offset: node.range?.[0] ?? 0, message: TOO_DEEP });
      return visit.BREAK;
    },
    Map(_, { items }, path) {
      if (path.length > 2 * DEEPEST_YAML) {
        found.push({ offset: 0, message: TOO_DEEP });
        return visit.BREAK;
      }
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push({ offset: key.range?.[0] ?? 0, message: TWICE });
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** A value as YAML writes it on one line, also inside braces and as a key: in quotes if it needs them. */
export function yamlText(value: unknown): string {
  const plain = stringify(value, { lineWidth: 0 }).trimEnd();
  // Inside braces, these marks end a plain text.
  return typeof value === "string" && (/[\n,[\]{}]/.test(plain) || plain !== value) ? JSON.stringify(value) : plain;
}
