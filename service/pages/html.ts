/** HTML that can't be broken out of: whatever is put into a template is text, unless it is HTML already. */

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

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return "";
  if (typeof part === "object") return part.map(textOf).join("");
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}
