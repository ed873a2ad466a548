/**
 * Reads the values at one place of a large JSON file, one at a time: for example the members of a nested list. It looks at every character
 * once, and holds one value at a time.
 */
import { JSON_CAPS, JsonError } from "./parts.ts";

/** A value, still as text: `parsedJson` says whether it is JSON. */
export interface JsonValue {
  readonly text: string;
  /** The line it begins on, from 1. */
  readonly line: number;
  /** The name of the member, for a place that ends with every member of an object. */
  readonly member?: string;
}

/** From the outermost value inward: a member's name, `*` for each member of a list, or `{*}` for each member of an object. */
export type JsonPlace = readonly string[];

/** The step to every member of an object, where their names are ids. */
export const EACH_OF_OBJECT = "{*}";

/** A list or an object that is open. */
interface Frame {
  readonly isList: boolean;
  key: string;
  expectsKey: boolean;
}

/** The value that is being read. */
interface Wanted {
  readonly depth: number;
  readonly line: number;
  from: number;
  held: string;
  /** Whether the caller skips the value. A skipped value isn't held. */
  readonly isSkipped: boolean;
}

/**
 * Gives the values at a place. It passes over the rest of the file and checks little of it. A value that is too long or too deep is given, too,
 * and `parsedJson` refuses it. So one such record takes none of those behind it along.
 *
 * @param skips members at the place that may be large and that the caller doesn't read: they are given as `[]`
 * @throws JsonError `json/malformed`, `json/cut`, `json/part-too-long` of a name, `json/too-deep` outside the values, after the values before it
 *   were given. Nothing behind it is read
 */
export async function* jsonEach(
  texts: AsyncIterable<string>,
  place: JsonPlace,
  skips: readonly string[] = [],
): AsyncGenerator<JsonValue> {
  const isEachMember = place.at(-1) === EACH_OF_OBJECT;
  const stack: Frame[] = [];
  /** Lists and objects of the wanted value that are open beyond the cap. They are only counted, so memory doesn't grow with them. */
  let beyond = 0;
  let line = 1;
  let [inText, escaped, inWord] = [false, false, false];
  let isKey = false;
  let key = "";
  let begun = false;
  let wanted: Wanted | undefined;

  const begin = (at: number) => {
    begun = true;
    if (wanted !== undefined || !isAt(stack, place)) return;
    wanted = { depth: stack.length, line, from: at, held: "", isSkipped: skips.includes(stack.at(-1)?.key ?? "") };
  };

  for await (const chunk of texts) {
    let keyFrom = 0;
    /** The wanted value, if it ends before this place of the chunk. */
    const ended = (at: number): JsonValue | undefined => {
      if (wanted === undefined || stack.length !== wanted.depth) return undefined;
      const text = wanted.isSkipped ? "[]" : heldWith(wanted.held, chunk.slice(wanted.from, at));
      const value = { text, line: wanted.line, ...(isEachMember && { member: stack.at(-1)?.key ?? "" }) };
      wanted = undefined;
      return value;
    };
    for (let at = 0; at < chunk.length; at++) {
      const character = chunk[at] ?? "";
      if (character === "\n") line++;
      if (inText) {
        if (escaped) escaped = false;
        else if (character === "\\") escaped = true;
        else if (character === '"') {
          inText = false;
          if (isKey) {
            const frame = stack.at(-1);
            if (frame !== undefined) frame.key = key + chunk.slice(keyFrom, at);
            isKey = false;
          } else {
            const value = ended(at + 1);
            if (value !== undefined) yield value;
          }
        }
        continue;
      }
      const isMark = ',:{}[]" \n\r\t'.includes(character);
      if (inWord && isMark) {
        inWord = false;
        const value = ended(at);
        if (value !== undefined) yield value;
      }
      const frame = stack.at(-1);
      if (character === '"') {
        inText = true;
        if (frame?.expectsKey === true) [isKey, key, keyFrom, frame.expectsKey] = [true, "", at + 1, false];
        else begin(at);
      } else if (character === "{" || character === "[") {
        begin(at);
        const isList = character === "[";
        if (stack.length < JSON_CAPS.depth) stack.push({ isList, key: "", expectsKey: !isList });
        else if (wanted === undefined) throw tooDeep(line);
        else beyond++;
      } else if (beyond > 0) beyond -= "}]".includes(character) ? 1 : 0;
      else if (character === "}" || character === "]") {
        if (frame?.isList !== (character === "]")) throw malformed(line);
        stack.pop();
        const value = ended(at + 1);
        if (value !== undefined) yield value;
      } else if (character === ",") {
        if (frame === undefined) throw malformed(line);
        frame.expectsKey = !frame.isList;
      } else if (!isMark && !inWord) {
        if (frame?.expectsKey === true) throw malformed(line);
        inWord = true;
        begin(at);
      }
    }
    holdRest(wanted, chunk);
    if (isKey) key = capped(key + chunk.slice(keyFrom), line);
  }
  if (!begun || inText || stack.length > 0)
    throw new JsonError("json/cut", line, "the rest of the file: it ends early");
}

function isAt(stack: readonly Frame[], place: JsonPlace): boolean {
  return (
    stack.length === place.length &&
    stack.every(({ isList, key }, at) => (isList ? ["*"] : [key, EACH_OF_OBJECT]).includes(place[at] ?? ""))
  );
}

/** Holds the rest of a chunk, where a value goes on in the next one. */
function holdRest(wanted: Wanted | undefined, chunk: string): void {
  if (wanted === undefined) return;
  if (!wanted.isSkipped) wanted.held = heldWith(wanted.held, chunk.slice(wanted.from));
  wanted.from = 0;
}

/** What is held of a value with its next piece: one character more than a value may have, at most. That much shows that it is too long. */
function heldWith(held: string, piece: string): string {
  const most = JSON_CAPS.partLength + 1;
  return held.length >= most ? held : (held + piece).slice(0, most);
}

function capped(text: string, line: number): string {
  if (text.length > JSON_CAPS.partLength)
    throw new JsonError("json/part-too-long", line, `records of at most ${JSON_CAPS.partLength} characters`);
  return text;
}

function malformed(line: number): JsonError {
  return new JsonError("json/malformed", line, "JSON; nothing after it is read");
}

function tooDeep(line: number): JsonError {
  const expected = `at most ${JSON_CAPS.depth} lists and objects within one another; nothing after it is read`;
  return new JsonError("json/too-deep", line, expected);
}
