/**
 * HTML that can't be broken out of: whatever is put into a template is text, unless it is HTML already. And text that can't lie:
 * characters that show nothing or turn the reading direction around are spelt out.
 */

/** Finished HTML. Only `html` makes it. */
export class Html {
  readonly text: string;

  /** @param text HTML as it stands; what comes from a person goes through `html` */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template takes: text and numbers are escaped, lists are set one behind the other, nothing is left out. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/** `<p>${name}</p>` with the name escaped, in elements and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : "")).join(""));
}

/** Text escaped and nothing else: for the value of a field that a form sends back, where what is spelt out would be sent so. */
export function verbatim(text: string): Html {
  return new Html(escaped(text));
}

/** Text of at most so many characters, with an ellipsis when some are left out; no character is cut in two. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** C0 but for tab and newline, DEL, C1, marks and overrides of direction, line separators, BOM, half surrogates. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return "";
  if (typeof part === "object") return part.map(textOf).join("");
  return escaped(String(part).replace(/\r\n/g, "\n").replace(UNSEEN, codePoint));
}

function codePoint(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}
