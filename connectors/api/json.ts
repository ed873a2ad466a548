/** Parses JSON from an untrusted service: with limited depth, safe prototypes and all digits of large numbers. */

/** Most levels of objects and arrays inside one another. The document's deepest answer has 6. */
export const DEEPEST_JSON = 64;

/** The result of reading an answer. */
export type Parsed =
  | { readonly kind: "json"; readonly value: unknown }
  /** `found`: the reason why it can't be read, after "the service answered, but". */
  | { readonly kind: "unreadable"; readonly found: string };

/** Reads JSON. Whole numbers too large for a double become texts, so that an id keeps its last digits. Never throws. */
export function parseJson(bytes: Uint8Array): Parsed {
  if (bytes.length === 0) return { kind: "unreadable", found: "with nothing" };
  const text = new TextDecoder().decode(bytes);
  if (isTooDeep(text)) return { kind: "unreadable", found: `its JSON is deeper than ${DEEPEST_JSON}` };
  try {
    const value: unknown = /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    return { kind: "json", value };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: "unreadable", found: text.trimStart().startsWith("<") ? "with a page, not JSON" : "not with JSON" };
  }
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at a dotted path of own members; undefined if a member is missing or null. */
export function at(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split(".")) {
    if (!isRecord(current) || !Object.hasOwn(current, name)) return undefined;
    current = current[name];
  }
  return current ?? undefined;
}

function keepDigits(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
    ? source
    : value;
}

/** Counts brackets outside strings, before any recursive code sees the value. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > DEEPEST_JSON) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

/** The place of the quote that ends a string; the end of the text if none does. It looks at no other character of a long string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (before > start && text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - 1 - before) % 2 === 0) return end;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
