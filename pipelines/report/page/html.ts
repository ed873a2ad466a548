/**
 * HTML that can't be broken out of: whatever is put into a template is text, unless it is HTML already. Text of archives is cut to a
 * readable length, and what drives a terminal or turns the reading direction around is spelt out.
 */
import { printable } from "../../../transforms/text/printable.ts";

/** Finished HTML. Only `html` makes it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: text and numbers are escaped, lists are set one behind the other, undefined and false are nothing. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/** Columns of a text that are shown; the JSON report has the rest. */
const WIDTH = 400;

/** `<p>${name}</p>` with the name escaped, in elements and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : "")).join(""));
}

/** What was made here and not read from anywhere, such as the path of a drawing: neither escaped nor cut. */
export function made(text: string): Html {
  return new Html(text);
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return "";
  if (typeof part === "object") return part.map(textOf).join("");
  return printable(String(part), WIDTH).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
