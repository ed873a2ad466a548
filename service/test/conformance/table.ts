/** The conformance table as a page. */
import { join } from "node:path";
import type { Entry } from "./harness.ts";

/** The committed list of the document's places, as `placesOf` reads it. test/corpus/document.test.ts writes it. */
export const PLACES = join(import.meta.dirname, "places.txt");

/** The addresses of a list of places, in its order. */
export function placesOf(list: string): readonly string[] {
  return list
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(line.indexOf(" ") + 1));
}

/** `docs/conformance.md`: a table for each section, in the document's order, then how many rules there are. */
export function tableOf(entries: readonly Entry[], places: readonly string[]): string {
  const rank = (at: string) => places.findIndex((place) => place === at || place.startsWith(`${at} . `));
  const inOrder = entries.toSorted((one, other) => rank(one.at) - rank(other.at));
  const isRule = ({ result }: Entry) => result !== "no rule";
  const rules = entries.filter(isRule).length;
  const lines = [
    "# Conformance",
    "",
    "The service compared with the interface document, place by place. Each row is one test of",
    "`service/test/conformance/conformance.test.ts`, named by its place and its rule; it asks a running service over HTTP with the tests' own",
    "bare client. A test compares this page with what it has just found, and proves that no sentence of the document is without a row.",
    "`Section / item` is a paragraph or list item by its number or a table row by its first cell; `. n` is one sentence of several.",
    "",
  ];
  let section = "";
  for (const { at, says, result } of inOrder) {
    const [name = "", item = ""] = splitPlace(at);
    if (name !== section) {
      section = name;
      lines.push("", `## ${name}`, "", "| item | rule | result |", "|---|---|---|");
    }
    lines.push(`| ${item} | ${says.replaceAll("|", "\\|")} | ${result} |`);
  }
  const reasons = entries.length - rules;
  lines.push(
    "",
    `The document has ${places.length} sentences; ${rules} rows hold what they ask, ${reasons} say why there is nothing to hold.`,
    "",
  );
  return lines.join("\n").replace(/\n{3,}/g, "\n\n");
}

function splitPlace(at: string): readonly [string, string] {
  const slash = at.indexOf(" / ");
  return [at.slice(0, slash), at.slice(slash + 3)];
}
