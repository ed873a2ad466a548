/**
 * JSON bodies. `JSON.parse` takes a tenth of a second for a megabyte of small members, and the service answers no other request
 * meanwhile. So the bytes are scanned first. A body that holds more than any record is refused at the place where it becomes too much.
 */
import { MOST_IN_A_BODY } from "../gaps.ts";
import { quoted, Refusal } from "./refusals.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body.
 * @throws Refusal `bad-request` for bytes that aren't UTF-8 or aren't JSON, `bad-field` for more than `MOST_IN_A_BODY`
 */
export function parseJson(bytes: Buffer): unknown {
  refuseOvergrown(bytes);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Refusal("bad-request", "body: is not UTF-8");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal("bad-request", "body: is not JSON");
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts by brackets and commas alone. `JSON.parse` refuses text that isn't JSON. */
function refuseOvergrown(bytes: Buffer): void {
  const { values: mostValues, members: mostMembers, depth: mostDepth } = MOST_IN_A_BODY;
  /** The number of members so far in each open object or array. An array may have any number, so its count is negative. */
  const open: number[] = [];
  let values = 0;
  /** Start and end of the name of the body's last member, quotes included. */
  let name: readonly [number, number] | undefined;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (open.length === 1 && isName(bytes, end)) name = [at, end];
      at = end;
    } else if (byte === OBJECT || byte === ARRAY) {
      values++;
      if (open.push(byte === OBJECT ? 1 : Number.NEGATIVE_INFINITY) > mostDepth) {
        throw overgrown(bytes, name, `holds more than ${mostDepth} objects and arrays within one another`);
      }
    } else if (byte === OBJECT_END || byte === ARRAY_END) {
      open.pop();
    } else if (byte === COMMA) {
      values++;
      const members = (open.pop() ?? 0) + 1;
      open.push(members);
      if (members > mostMembers) {
        throw overgrown(bytes, open.length > 1 ? name : undefined, `has an object of more than ${mostMembers} members`);
      }
    }
    if (values > mostValues) throw overgrown(bytes, name, `holds more than ${mostValues} values`);
  }
}

/** The end of a string that begins here: its closing quote, or the end of the bytes. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}

/** Whether the string that ends here is a member's name: a colon comes next, after any blanks. */
function isName(bytes: Buffer, end: number): boolean {
  let next = end + 1;
  while (BLANKS.has(bytes[next] ?? 0)) next++;
  return bytes[next] === COLON;
}

function overgrown(bytes: Buffer, name: readonly [number, number] | undefined, what: string): Refusal {
  const member = name === undefined ? "body" : bytes.toString("utf8", name[0] + 1, Math.min(name[1], name[0] + 200));
  return new Refusal("bad-field", `${/^[\w-]{1,120}$/.test(member) ? member : quoted(member)}: ${what}`);
}
