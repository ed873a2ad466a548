/**
 * YAML that a person wrote, or a stranger: config and mapping files. The library compares each key of a map with all before it, which
 * takes 40 s for a file of 256 KiB, and follows nesting until there is no stack left; here each key is asked once, and nesting ends.
 */
import { type Document, isScalar, LineCounter, parseDocument, visit } from "yaml";

/** Most of such a file, in bytes: a long hand-written one has five thousand. */
export const YAML_BYTES = 64 * 1024;

/** Keys and lists within each other, at most. Ours go five deep. */
export const DEEPEST_YAML = 64;

/** A file, parsed. */
export interface YamlFile {
  readonly document: Document;
  /** What is wrong with it as YAML, each in a line, the first where it stands first. */
  readonly problems: readonly YamlProblem[];
  /** The line, from 1, of an offset. */
  lineOf(offset: number): number;
}

/** No YAML, or a part of YAML that is not read. */
export interface YamlProblem {
  readonly offset: number;
  readonly message: string;
}

const TOO_DEEP = `nested more than ${DEEPEST_YAML} deep`;

/** Parses YAML. Never throws; references are not yet followed. */
export function parseYaml(text: string): YamlFile {
  const lines = new LineCounter();
  const lineOf = (offset: number) => lines.linePos(offset).line;
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const problems = document.errors.map(({ pos, message }) => ({
      offset: pos[0],
      message: message.split("\n")[0] ?? "",
    }));
    // The library tells of a stack that ended, once for every level that is left.
    const endOfStack = problems.find(({ message }) => message.includes("call stack"));
    if (endOfStack !== undefined) return { document, problems: [{ ...endOfStack, message: TOO_DEEP }], lineOf };
    return { document, problems: problems.length > 0 ? problems : problemsOf(document), lineOf };
  } catch (error) {
    // The stack ends before the file does.
    if (!(error instanceof RangeError)) throw error;
    return { document: parseDocument(""), problems: [{ offset: 0, message: TOO_DEEP }], lineOf };
  }
}

/** "Map keys must be unique" (YAML 1.2.2, 3.2.1.1), in the library's own words; and nesting. */
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
        if (seen.has(key.value)) found.push({ offset: key.range?.[0] ?? 0, message: "Map keys must be unique" });
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}
