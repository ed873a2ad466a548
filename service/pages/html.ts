/**
 * Makes safe HTML. A template escapes every value, unless the value is HTML already. It also makes hidden characters visible: invisible
 * characters, and characters that turn the reading direction around, are spelt out.
 */

/** Finished HTML. Only `html` makes it. */
export class Html {
  readonly text: string;

  /** @param text HTML as it stands. Text from a person goes through `html` */
  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** The values of a template. Text and numbers are escaped, lists are joined, and undefined and false become empty text. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/** `<p>${name}</p>` with the name escaped, in elements and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : "")).join(""));
}

/** Text that is only escaped, for the value of a form's field. A spelt-out character there would be sent back spelt out. */
export function verbatim(text: string): Html {
  return new Html(escaped(text));
}

/** Text of at most so many characters, with an ellipsis when it is cut. No character is cut in two. */
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

/** C0 without tab and newline, DEL, C1, marks and overrides of direction, line separators, BOM, half surrogates. */
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
