/**
 * Reads a large JSON object in parts, one at a time. A part is a member of the object. If the member is a list, each member of that list is
 * a part, and a list without any is a part as a whole. The reader looks at every character once, and holds one part at a time.
 */
import type { Issue } from "../../../transforms/model/issue.ts";

/** One part, still as text: `JSON.parse` says whether it is JSON. */
export interface JsonPart {
  /** Name of the object's member. */
  readonly member: string;
  /** Place in its list, from 0; undefined if the member is no list, or an empty one. */
  readonly index: number | undefined;
  /** An empty list is `[]`. */
  readonly text: string;
  /** The line it begins on, from 1. */
  readonly line: number;
}

/** The caps of a JSON file. Each has a test at cap - 1, cap and cap + 1. */
export const JSON_CAPS = {
  /** UTF-16 units of one part, or of one line of NDJSON. */
  partLength: 4 * 2 ** 20,
  /** Lists and objects within one another, in one part. */
  depth: 64,
} as const;

/** The problem and its line. Nothing after that line can be read. */
export class JsonError extends Error {
  readonly issue: Issue;
  readonly line: number;

  constructor(rule: string, line: number, expected: string) {
    super(`${rule} at line ${line}`);
    this.name = "JsonError";
    this.line = line;
    this.issue = { severity: "error", rule, found: `line ${line}`, expected };
  }
}

type State = "before" | "name" | "after-name" | "colon" | "value" | "after-value" | "item" | "after-item" | "end";

/**
 * The parts of an object.
 *
 * @throws JsonError `json/not-an-object`, `json/malformed`, `json/cut`, `json/part-too-long`, `json/too-deep`
 */
export async function* jsonParts(texts: AsyncIterable<string>): AsyncGenerator<JsonPart> {
  let state: State = "before";
  let line = 1;
  let member = "";
  let index: number | undefined;
  /** The part of the current name or value that came in earlier chunks of text. */
  let held = "";
  let begunAt = 1;
  let depth = 0;
  let inText = false;
  let escaped = false;

  const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
  const malformed = () => new JsonError("json/malformed", line, "JSON; nothing after it is read");

  for await (const chunk of texts) {
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      const code = chunk.charCodeAt(at);
      if (code === 0x0a) line++;
      // Between values.
      if (state !== "name" && state !== "value" && state !== "item") {
        at++;
        if (isBlank(code)) continue;
        const character = chunk[at - 1];
        if (state === "before" && character === "{") state = "after-name";
        else if (state === "before") throw new JsonError("json/not-an-object", line, "an object");
        else if (state === "after-name" && character === '"') {
          [state, held, from, escaped] = ["name", "", at, false];
        } else if (state === "after-name" && character === "}" && member === "") state = "end";
        else if (state === "colon" && character === ":") {
          [state, held, depth, inText, index] = ["value", "", 0, false, undefined];
          from = at;
          begunAt = 0;
        } else if (state === "after-value" && character === ",") state = "after-name";
        else if (state === "after-value" && character === "}") state = "end";
        else if (state === "after-item" && character === ",") {
          [state, held, depth, inText] = ["item", "", 0, false];
          index = (index ?? 0) + 1;
          from = at;
          begunAt = 0;
        } else if (state === "after-item" && character === "]") state = "after-value";
        else throw malformed();
        continue;
      }
      if (state === "name") {
        at++;
        if (escaped) escaped = false;
        else if (code === 0x5c) escaped = true;
        else if (code === 0x22) {
          member = unescaped(held + chunk.slice(from, at - 1), line);
          state = "colon";
        }
        continue;
      }
      // In a value, or a member of a list.
      if (inText) {
        at++;
        if (escaped) escaped = false;
        else if (code === 0x5c) escaped = true;
        else if (code === 0x22) inText = false;
        if (!inText && depth === 0) {
          yield { member, index, text: part(chunk, from, at), line: begunAt };
          state = index === undefined ? "after-value" : "after-item";
        }
        continue;
      }
      if (begunAt === 0) {
        // Before its first character.
        if (isBlank(code)) {
          from = ++at;
          continue;
        }
        if (state === "value" && code === 0x5b) {
          [state, index, held] = ["item", 0, ""];
          from = ++at;
          continue;
        }
        if (state === "item" && code === 0x5d && index === 0) {
          yield { member, index: undefined, text: "[]", line };
          [state, at] = ["after-value", at + 1];
          continue;
        }
        begunAt = line;
      }
      if (code === 0x22) inText = true;
      else if (code === 0x7b || code === 0x5b) {
        if (++depth > JSON_CAPS.depth) throw tooDeep(begunAt);
      } else if (depth === 0 && (code === 0x2c || code === 0x7d || code === 0x5d || isBlank(code))) {
        // The character that ends a number or a word doesn't belong to it. It is looked at again.
        const text = part(chunk, from, at);
        if (text === "") throw malformed();
        yield { member, index, text, line: begunAt };
        state = index === undefined ? "after-value" : "after-item";
        if (code === 0x0a) at++;
        continue;
      } else if ((code === 0x7d || code === 0x5d) && --depth === 0) {
        yield { member, index, text: part(chunk, from, ++at), line: begunAt };
        state = index === undefined ? "after-value" : "after-item";
        continue;
      }
      at++;
    }
    if (state === "name" || ((state === "value" || state === "item") && begunAt !== 0)) {
      held += chunk.slice(from);
      if (held.length > JSON_CAPS.partLength) throw tooLong(begunAt);
    }
  }
  if ((state as State) !== "end") throw new JsonError("json/cut", line, "the rest of the file: it ends early");

  function part(chunk: string, from: number, to: number): string {
    const text = held + chunk.slice(from, to);
    if (text.length > JSON_CAPS.partLength) throw tooLong(begunAt);
    return text;
  }
}

/** The value of a JSON text. @throws JsonError `json/malformed`, `json/too-deep`, `json/part-too-long` */
export function parsedJson(text: string, line: number): unknown {
  if (text.length > JSON_CAPS.partLength) throw tooLong(line);
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inText) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inText = false;
    } else if (code === 0x22) inText = true;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > JSON_CAPS.depth) throw tooDeep(line);
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonError("json/malformed", line, "JSON");
  }
}

function unescaped(text: string, line: number): string {
  const name = parsedJson(`"${text}"`, line);
  return String(name);
}

function tooDeep(line: number): JsonError {
  return new JsonError("json/too-deep", line, `at most ${JSON_CAPS.depth} lists and objects within one another`);
}

function tooLong(line: number): JsonError {
  return new JsonError("json/part-too-long", line, `records of at most ${JSON_CAPS.partLength} characters`);
}
