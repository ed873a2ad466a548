/**
 * Makes HTML that no text can break out of. A template treats every part as text, unless it is HTML already. Text of archives is cut to a
 * readable length. Characters that control a terminal or reverse the reading direction are spelt out.
 */
import { printable } from "../../../transforms/text/printable.ts";

/** Finished HTML. Only `html` makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The parts of a template. Text and numbers are escaped, lists are joined, and undefined and false give nothing. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/** The most columns of a text. The JSON report has the rest. */
const WIDTH = 400;

/** `<p>${name}</p>` with the name escaped, both in elements and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : "")).join(""));
}

/** Text from our own code, such as the path of a drawing. It is neither escaped nor cut. */
export function made(text: string): Html {
  return new Html(text);
}

/** A sentence of ours that may hold a command. It is escaped and never cut, because a command without its end can't be pasted. */
export function whole(text: string): Html {
  return new Html(escaped(printable(text, Number.POSITIVE_INFINITY)));
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return "";
  if (typeof part === "object") return part.map(textOf).join("");
  return escaped(printable(String(part), WIDTH));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
