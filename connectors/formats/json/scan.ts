/**
 * Turns JSON into events. The top of the file may be an object, a list, or one value after the other (NDJSON). The scan looks at every
 * character once, and keeps only the beginning of a text. It is for inspecting a file, not for reading it: numbers are not checked.
 */
import { JSON_CAPS } from "./parts.ts";

/** Gets the content of a file as events, in file order. */
export interface JsonHandler {
  open(type: "object" | "list"): void;
  close(): void;
  /** The key of the next value of an object. A long key is cut and ends with `…`. */
  key(text: string): void;
  /** A value. Texts and numbers come as written. Long ones are cut. */
  value(type: "text" | "number" | "true or false" | "null", text: string): void;
}

/** How a scan ended. `malformed`: part of the file is no JSON. The handler got everything before that part. */
export type JsonEnd = "complete" | "cut" | "malformed" | "too-deep";

/** Characters of a text or a number that are kept. */
const KEPT = 200;

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

const WORDS: Readonly<Record<string, "true or false" | "null">> = {
  true: "true or false",
  false: "true or false",
  null: "null",
};
const NUMBER = /^-?\d[\d.eE+-]*$/;
const BLANK = /\s|\ufeff/;

/** Scans one file, chunk by chunk. */
export class JsonScan {
  readonly #handler: JsonHandler;
  readonly #open: ("object" | "list")[] = [];
  #expected: Expected = "value";
  #token: "none" | "text" | "bare" = "none";
  #isEscaped = false;
  #held = "";
  #isLonger = false;
  #end: JsonEnd | undefined;

  constructor(handler: JsonHandler) {
    this.#handler = handler;
  }

  /** Takes the next chunk of text. @returns false once nothing more will be read */
  write(chunk: string): boolean {
    for (let at = 0; at < chunk.length && this.#end === undefined; at++) {
      const character = chunk[at] as string;
      if (this.#token === "text") this.#inText(character);
      else if (this.#token === "bare" && !/[\s,\]}:]/.test(character)) this.#keep(character);
      else {
        if (this.#token === "bare") this.#endBare();
        if (this.#end === undefined && !BLANK.test(character)) this.#between(character);
      }
    }
    return this.#end === undefined;
  }

  /** Ends the file. */
  end(): JsonEnd {
    if (this.#token === "bare") this.#endBare();
    if (this.#end !== undefined) return this.#end;
    return this.#token === "text" || this.#open.length > 0 ? "cut" : "complete";
  }

  #inText(character: string): void {
    if (!this.#isEscaped && character === '"') {
      this.#endText();
      return;
    }
    this.#isEscaped = !this.#isEscaped && character === "\\";
    this.#keep(character);
  }

  #keep(character: string): void {
    if (this.#held.length < KEPT) this.#held += character;
    else this.#isLonger = true;
  }

  #endText(): void {
    const text = this.#taken();
    this.#token = "none";
    if (this.#expected.startsWith("key")) {
      this.#handler.key(unescaped(text));
      this.#expected = "colon";
    } else this.#value("text", unescaped(text));
  }

  #endBare(): void {
    const text = this.#taken();
    this.#token = "none";
    const type = WORDS[text] ?? (NUMBER.test(text) ? "number" : undefined);
    if (type === undefined) this.#end = "malformed";
    else this.#value(type, text);
  }

  #taken(): string {
    const text = this.#isLonger ? `${this.#held}…` : this.#held;
    this.#held = "";
    this.#isLonger = false;
    return text;
  }

  #value(type: Parameters<JsonHandler["value"]>[0], text: string): void {
    this.#handler.value(type, text);
    this.#afterValue();
  }

  #afterValue(): void {
    this.#expected = this.#open.length === 0 ? "value" : "comma or end";
  }

  #between(character: string): void {
    const inside = this.#open.at(-1);
    const mayBegin = this.#expected === "value" || this.#expected === "value or end";
    if (character === '"' && (mayBegin || this.#expected.startsWith("key"))) this.#token = "text";
    else if (mayBegin && (character === "{" || character === "[")) this.#enter(character === "{" ? "object" : "list");
    else if (character === "}" && inside === "object" && this.#expected.endsWith("end")) this.#leave();
    else if (character === "]" && inside === "list" && this.#expected.endsWith("end")) this.#leave();
    else if (character === ":" && this.#expected === "colon") this.#expected = "value";
    else if (character === "," && this.#expected === "comma or end")
      this.#expected = inside === "object" ? "key" : "value";
    else if (mayBegin && /[-\dtfn]/.test(character)) {
      this.#token = "bare";
      this.#keep(character);
    } else this.#end = "malformed";
  }

  #enter(type: "object" | "list"): void {
    if (this.#open.length === JSON_CAPS.depth) {
      this.#end = "too-deep";
      return;
    }
    this.#handler.open(type);
    this.#open.push(type);
    this.#expected = type === "object" ? "key or end" : "value or end";
  }

  #leave(): void {
    this.#open.pop();
    this.#handler.close();
    this.#afterValue();
  }
}

/** A text without its escapes. A text that was cut within an escape stays as it is. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}
