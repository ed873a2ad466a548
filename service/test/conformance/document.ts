/**
 * Splits the interface document into sentences that can be checked: those of every paragraph, list item and table cell. Each has an
 * address, `Section / item`, or `Section / item . n` where an item has several. The text stays in the document, and none of it is copied
 * here.
 */
import { createHash } from "node:crypto";

/** One sentence of the document. */
export interface Sentence {
  /** `Rules for saving / 4`, `Workout / equipment . 2`. */
  readonly address: string;
  /** The first digits of the SHA-256 of its words. A rule belongs to exactly these words. */
  readonly mark: string;
}

/** Every sentence of the document, in its order. */
export function sentencesOfDocument(document: string): readonly Sentence[] {
  return itemsOf(document).flatMap(({ place, text }) => {
    const sentences = sentencesOf(text);
    return sentences.map((sentence, index) => ({
      address: sentences.length === 1 ? place : `${place} . ${index + 1}`,
      mark: createHash("sha256").update(sentence).digest("hex").slice(0, 8),
    }));
  });
}

interface Item {
  readonly place: string;
  readonly text: string;
}

/** Paragraphs and bullets are numbered within their section. Numbered items keep their number. A row is named after its first cell. */
function itemsOf(markdown: string): readonly Item[] {
  const items: Item[] = [];
  let section = "";
  let count = 0;
  let rows = 0;
  for (const line of markdown.split("\n")) {
    const heading = /^#+ (.*)$/.exec(line);
    const numbered = /^(\d+)\. (.*)$/.exec(line);
    rows = line.startsWith("|") ? rows + 1 : 0;
    if (heading !== null) {
      [section, count] = [heading[1] as string, 0];
    } else if (line.startsWith("|")) {
      // The first row names the columns, and the second is the line beneath.
      if (rows <= 2) continue;
      const [name = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      items.push({ place: `${section} / ${name}`, text: cells.filter((cell) => cell !== "").join(" | ") });
    } else if (numbered !== null) {
      items.push({ place: `${section} / ${numbered[1]}`, text: numbered[2] as string });
    } else if (line.trim() !== "") {
      items.push({ place: `${section} / (${++count})`, text: line.replace(/^\s*- /, "") });
    }
  }
  return items;
}

/** A sentence ends with a full stop, a semicolon or the edge of a cell, and not inside code. */
function sentencesOf(text: string): readonly string[] {
  const whole = text.replace(/`[^`]*`/g, (code) => code.replaceAll(/[.;|]/g, "\u0000"));
  const ends = [...whole.matchAll(/[.;](?=\s)|\s\|\s/g)].map((match) => match.index + match[0].length);
  return [0, ...ends]
    .map((start, index) =>
      text
        .slice(start, ends[index] ?? text.length)
        .trim()
        .replace(/\s*\|$/, ""),
    )
    .filter((sentence) => sentence !== "");
}
