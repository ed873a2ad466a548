/**
 * No text can make one of logferry's regular expressions compute for long. Each one in the sources runs on 64 kB of its worst text. This text repeats
 * its own characters, alone, in pairs and in the order they stand in it. It ends with something the expression can't match.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { growth, LINEAR, yardstickMs } from "./support/growth.ts";
import { firstOf, TIER } from "./support/tiers.ts";

const ROOT = join(import.meta.dirname, "..");
/** In UTF-16 units. An eighth shows a pattern that takes the square of the length, and is what the first tier tries. */
const LENGTH = 64 * 1024;
const IS_WHOLE_TRIED = TIER !== "first";
/** About 20 ms of a processor of 2020. A pattern that takes the square of the length takes a hundred times that. */
const MOST_MS = 0.7 * yardstickMs();

interface Found {
  readonly place: string;
  readonly pattern: RegExp;
}

/** Each regular expression of the sources, with the first place that has it, and the files that put patterns together while running. */
function regexesOfSources(): { readonly literals: readonly Found[]; readonly made: readonly string[] } {
  const literals = new Map<string, Found>();
  const made: string[] = [];
  const files = globSync("{bin,cli,connectors,pipelines,service,transforms}/**/*.{ts,js}", { cwd: ROOT })
    .filter((path) => !/\.test\.ts$|(^|\/)test\//.test(path))
    .toSorted();
  for (const path of files) {
    const text = readFileSync(join(ROOT, path), "utf8");
    const lineOf = (at: number) => `${path}:${text.slice(0, at).split("\n").length}`;
    visit(parseAst(text, { lang: "ts" }), (node) => {
      if (node.type === "Literal" && node.regex !== undefined) {
        const pattern = new RegExp(node.regex.pattern, node.regex.flags);
        if (!literals.has(String(pattern))) literals.set(String(pattern), { place: lineOf(node.start), pattern });
      }
      if ((node.type === "NewExpression" || node.type === "CallExpression") && node.callee?.name === "RegExp")
        made.push(path);
    });
  }
  return { literals: [...literals.values()], made };
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

function visit(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (typeof (node as Node).type === "string") see(node as Node);
  for (const value of Object.values(node)) visit(value, see);
}

/** Characters that the parts of a pattern stand for, in its order. A class gives its first and its last. */
function charactersOf({ source, flags }: RegExp): string[] {
  const found: string[] = [];
  let at = 0;
  const escaped = (): string => {
    const rest = source.slice(at);
    const [whole = "", ...codes] = /^\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/i.exec(rest) ?? [];
    const code = codes.find((one) => one !== undefined);
    if (code !== undefined) {
      at += whole.length;
      return String.fromCodePoint(Number.parseInt(code, 16));
    }
    const property = /^\\[pP]\{[^}]*\}/.exec(rest)?.[0];
    at += property?.length ?? 2;
    if (property !== undefined) return property.includes("Emoji") ? "\u{1f600}" : "\u0301";
    const known: Record<string, string> = {
      d: "1",
      D: "a",
      w: "a",
      W: " ",
      s: " ",
      S: "a",
      b: "",
      B: "",
      n: "\n",
      r: "\r",
      t: "\t",
      0: "\0",
      f: "\f",
      v: "\v",
    };
    return known[rest[1] ?? ""] ?? (/[1-9k]/.test(rest[1] ?? "") ? "" : (rest[1] ?? ""));
  };
  while (at < source.length) {
    const character = source[at] as string;
    if (character === "\\") found.push(escaped());
    else if (character === "[") {
      const isNot = source[++at] === "^";
      if (isNot) at++;
      const members: string[] = [];
      while (at < source.length && source[at] !== "]") {
        if (source[at] === "\\") members.push(escaped());
        else members.push(source[at++] as string);
      }
      at++;
      if (isNot) found.push(["a", " ", "1", "~"].find((one) => !members.includes(one)) ?? "é");
      else found.push(members[0] ?? "", members.at(-1) ?? "");
    } else if (character === "{" && /^\{\d*,?\d*\}/.test(source.slice(at))) at = source.indexOf("}", at) + 1;
    else if (character === "(") at += /^\((\?(:|=|!|<=|<!|<\w+>))?/.exec(source.slice(at))?.[0].length ?? 1;
    else {
      if (!"^$*+?|)".includes(character)) found.push(character === "." ? "a" : character);
      at++;
    }
  }
  return found.filter((one) => one !== "").map((one) => (flags.includes("i") ? one.toLowerCase() : one));
}

/** Divisible by most lengths of a repeated part: texts that are the same here are so at each length, but for a piece of their last repetition. */
const TELLING_LENGTH = 840;

/** A text of a length, in UTF-16 units. */
type TextOf = (length: number) => string;

/** Different texts of any length, each ended by characters that a pattern rarely takes. */
function* worstOf(pattern: RegExp): Generator<TextOf> {
  const seen = new Set<string>();
  for (const textOf of textsOf(pattern)) {
    // Different parts can make one text: the first character alone is also the first one after nothing.
    const start = textOf(TELLING_LENGTH);
    if (!seen.has(start)) yield textOf;
    seen.add(start);
  }
}

function* textsOf(pattern: RegExp): Generator<TextOf> {
  const characters = charactersOf(pattern).slice(0, 24);
  const kinds = [...new Set([...characters, " ", "a", "1"])].slice(0, 8);
  const pumped =
    (before: string, unit: string, after: string): TextOf =>
    (length) =>
      before + unit.repeat(Math.floor(length / unit.length)) + after;
  for (const after of ["", "\u0007!"]) {
    for (const one of kinds) yield pumped("", one, after);
    for (const [index, one] of characters.entries()) yield pumped(characters.slice(0, index).join(""), one, after);
  }
  for (const one of kinds) for (const other of kinds) if (one !== other) yield pumped("", one + other, "\u0007!");
  for (let from = 0; from < Math.min(characters.length, 8); from++)
    for (let to = from + 2; to <= Math.min(characters.length, from + 6); to++)
      yield pumped(characters.slice(0, from).join(""), characters.slice(from, to).join(""), "\u0007!");
}

/** A go that takes this many times too long paid for nothing else. */
const HOPELESS = 10;

function run(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, "");
  else pattern.exec(text);
}

/** Processor time in milliseconds of the best of three goes. The other goes may have paid for something else. */
function cost(pattern: RegExp, text: string, most: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let go = 0; go < 3 && best > most && (go === 0 || best < HOPELESS * most); go++) {
    const before = process.threadCpuUsage();
    run(pattern, text);
    const { user, system } = process.threadCpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

/**
 * The worst of these texts, if the pattern takes too long for it and its time grows faster than the text; undefined when there is none. A pattern that
 * takes a quarter of the time for an eighth of the text is not tried on the whole: that could take hours.
 */
async function tooLong(pattern: RegExp): Promise<string | undefined> {
  for (const textOf of worstOf(pattern)) {
    const isSlow =
      cost(pattern, textOf(LENGTH / 8), MOST_MS / 4) > MOST_MS / 4 ||
      (IS_WHOLE_TRIED && cost(pattern, textOf(LENGTH), MOST_MS) > MOST_MS);
    if (isSlow && (await growsTooFast(pattern, textOf))) return `${JSON.stringify(textOf(12))}...`;
  }
  return undefined;
}

/**
 * Whether the time grows faster than the text. A time alone says little on a busy machine: there, a linear pattern may take too long as well. The
 * longest texts that take a bearable time show the growth best.
 */
async function growsTooFast(pattern: RegExp, textOf: TextOf): Promise<boolean> {
  let size = LENGTH / 16;
  const isBearable = (length: number) => cost(pattern, textOf(length), BEARABLE_MS) <= BEARABLE_MS;
  while (size < LENGTH / 2 && isBearable(2 * size)) size *= 2;
  return (await growth(textOf, (text) => run(pattern, text), size)) > LINEAR;
}

/** Twice a text that takes so long is measured several times. */
const BEARABLE_MS = MOST_MS / 4;

const { literals, made } = regexesOfSources();

test("R1 every regular expression of the sources takes no more than a fixed piece of work for many of its worst characters", async () => {
  expect(literals.length).toBeGreaterThan(200);
  const slow: string[] = [];
  for (const { place, pattern } of literals) {
    const text = await tooLong(pattern);
    if (text !== undefined) slow.push(`${place} ${pattern} for ${text}`);
  }
  expect(slow).toEqual([]);
});

test.each(firstOf(0, [/\s+$/, /^\s*(.*?)\s*(Z)?$/, /x*y/, /\/+$/, /\B(?=(\d{3})+(?!\d))/g, /<a[^>]*?b\s*=/]))(
  "R1 the check finds %s, which takes the square of the length or worse",
  async (pattern) => {
    expect(await tooLong(pattern)).toBeDefined();
  },
);

test.each([/[\s_]+/g, /[a-z]+$/y, /a|b|c|d/g])(
  "R1 the time of %s doesn't count: it grows as the text does",
  async (pattern) => {
    for (const textOf of [...worstOf(pattern)].slice(0, 4)) expect(await growsTooFast(pattern, textOf)).toBe(false);
  },
);

test("R1 patterns are put together while running in six places, of our own words", () => {
  expect([...new Set(made)].toSorted()).toEqual([
    // For the elements of one known form. Its own test doubles the worst texts.
    "connectors/formats/xml/plain.ts",
    // For the words of hours, minutes and seconds. A cell of more than 40 characters isn't tried.
    "connectors/platforms/table/cells/durations.ts",
    // For the service's own addresses and its own schemas.
    "service/faults/spec.ts",
    "service/model/check.ts",
    "service/sign-in/destinations.ts",
    // For the times of day in titles.
    "transforms/text/times-of-day.ts",
  ]);
});
