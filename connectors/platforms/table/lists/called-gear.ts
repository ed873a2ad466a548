/**
 * Shoes and bikes that a platform lists without any id. Its rows name them by text: by name alone, or by brand, model and name. A row may
 * also have a number that is in no list. So a first pass over the rows collects the texts beside each number. The texts decide which shoe
 * has the number.
 */
import type { Activity } from "../../../../transforms/activities.ts";
import type { Equipment } from "../../../../transforms/model/equipment.ts";
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { ReadSession } from "../../session.ts";
import { inOwnWords, type OwnRules } from "../mapping/own-rules.ts";
import { type FindBeside, type ListColumns, readListRows } from "./beside.ts";
import { isPlaceholderGear, placeholderGear } from "./placeholder-gear.ts";

/** Lists of gear without ids. Their first three columns are name, brand and model. */
export interface CalledGear {
  /** The names of the lists, beside the table, and the kind of gear in each. */
  readonly lists: Readonly<Record<string, GearKind>>;
}

/** The cells of a row about gear. */
export interface GearCells {
  readonly text: string;
  /** Numbers; undefined for an empty cell. */
  readonly bike: string | undefined;
  readonly shoes: string | undefined;
}

/** A line of a list. */
export interface GearLine {
  readonly kind: GearKind;
  readonly name: string;
  readonly brand: string;
  readonly model: string;
  readonly line: number;
}

/** The words for every issue and key about gear. */
export interface GearWords {
  /** Begins every key: the connector's name. */
  readonly prefix: string;
  readonly lists: CalledGear["lists"];
  readonly rules: OwnRules;
}

/** The two kinds of gear that lists have. */
export type GearKind = "shoe" | "bike";

/** A piece of equipment, its origin, and an issue about it. */
export interface ListedGear {
  readonly key: string;
  readonly value: Equipment;
  /** The line of its list; undefined for gear that only rows name. */
  readonly line: GearLine | undefined;
  readonly issue?: Issue;
}

/** The activity of each kind, because the log stores equipment by activity. */
const ACTIVITY: Readonly<Record<GearKind, Activity>> = { shoe: "run", bike: "bike" };

/** The names that rows use for gear, collected in a first pass. Its size grows with the number of shoes, not of rows. */
export class GearUse {
  /** Each number, with the texts beside it and their counts. The counts and texts decide, and the insertion order doesn't matter. */
  readonly numbers = new Map<string, { kind: GearKind; texts: Map<string, number> }>();
  /** Each folded text, with the original text, the count of bike rows, and the count of other rows. */
  readonly texts = new Map<string, { text: string; bike: number; other: number }>();

  add({ text, bike, shoes }: GearCells, activity: Activity | undefined): void {
    const folded = fold(text);
    const number = bike ?? shoes;
    const isBike = bike !== undefined || (shoes === undefined && activity === "bike");
    if (folded !== "") {
      const use = this.texts.get(folded) ?? { text: tidy(text), bike: 0, other: 0 };
      use[isBike ? "bike" : "other"]++;
      this.texts.set(folded, use);
    }
    if (number === undefined) return;
    const use = this.numbers.get(number) ?? { kind: isBike ? "bike" : "shoe", texts: new Map() };
    if (folded !== "") use.texts.set(folded, (use.texts.get(folded) ?? 0) + 1);
    this.numbers.set(number, use);
  }
}

/** All gear of an export, and the way from a row to its gear. */
export interface CalledGearBook {
  readonly gear: readonly ListedGear[];
  /** A remark for each name that stands for no gear. */
  readonly placeholders: readonly Issue[];
  /** The key for a row's cells; undefined if the row names no gear. */
  keyFor(cells: GearCells): string | undefined;
}

/**
 * Matches the texts of rows with the lists: by name, then by brand, model and name, then by brand and model. If a text is in no list, or a
 * number has no text, the gear was deleted or never named. Then it becomes equipment of its own, with an issue that says so.
 */
export function calledGearBook(lines: readonly GearLine[], use: GearUse, words: GearWords): CalledGearBook {
  const gear: ListedGear[] = [];
  const keys = new Map<string, number>();
  const listed = lines
    .filter((line) => !isPlaceholder(line))
    .map((line) => {
      const base = `${words.prefix}:equipment:${line.kind}:${fold(`${line.brand} ${line.model} ${line.name}`).slice(0, 120)}`;
      const count = (keys.get(base) ?? 0) + 1;
      keys.set(base, count);
      return { line, key: count === 1 ? base : `${base}#${count}` };
    });
  const models = new Map<string, number>();
  for (const { line } of listed) models.set(modelOf(line), (models.get(modelOf(line)) ?? 0) + 1);
  for (const { line, key } of listed) {
    const isOneOfSeveral = (models.get(modelOf(line)) ?? 0) > 1;
    const issue = remarkOn(line, isOneOfSeveral);
    const value = equipmentOf(line, isOneOfSeveral);
    gear.push({ key, line, value, ...(issue && { issue: inOwnWords(issue, words.rules) }) });
  }
  const linesBy = new Map<string, readonly string[]>();
  for (const called of CALLED) {
    const level = Map.groupBy(listed, ({ line }) => fold(called(line)));
    for (const [text, named] of level)
      if (text !== "" && !linesBy.has(text))
        linesBy.set(
          text,
          named.map(({ key }) => key),
        );
  }
  const byText = new Map([...linesBy].flatMap(([text, [key]]) => (key === undefined ? [] : [[text, key] as const])));
  const byNumber = new Map<string, string>();
  matchNumbers({ use, linesBy, byText, byNumber, gear, words });
  matchTexts(use, byText, gear, words);
  return {
    gear,
    placeholders: placeholdersIn(lines, use, byText),
    keyFor({ text, bike, shoes }) {
      const number = bike ?? shoes;
      return (number === undefined ? undefined : byNumber.get(number)) ?? byText.get(fold(text));
    },
  };
}

/** Whether a line has nothing but a word for none. */
function isPlaceholder({ name, brand, model }: GearLine): boolean {
  return tidy(`${brand}${model}`) === "" && isPlaceholderGear(name);
}

/** The remarks about words for none, in the lists and in rows. */
function placeholdersIn(lines: readonly GearLine[], use: GearUse, byText: ReadonlyMap<string, string>): Issue[] {
  const found = new Map(lines.filter(isPlaceholder).map(({ name }) => [fold(name), { text: tidy(name), count: 1 }]));
  for (const [folded, { text, bike, other }] of use.texts)
    if (!byText.has(folded) && isPlaceholderGear(text)) found.set(folded, { text, count: bike + other });
  return [...found.values()].map(({ text, count }) => placeholderGear(text, count));
}

/** Reads the lines of the lists. An unreadable line is reported and left out. */
export async function readGearLines(
  session: ReadSession,
  { lists }: CalledGear,
  beside: FindBeside,
): Promise<GearLine[]> {
  const lines: GearLine[] = [];
  for (const [file, kind] of Object.entries(lists)) {
    for await (const { line, fields } of readListRows(session, beside(file), COLUMNS)) {
      const [name = "", brand = "", model = ""] = fields;
      if (`${name}${brand}${model}`.trim() !== "") lines.push({ kind, name, brand, model, line });
    }
  }
  return lines;
}

/** `Bike Name`, `Shoe Brand`, or `name` alone. In the last column are sports of a shoe, of which nobody has seen one. */
const COLUMNS: ListColumns = { read: [/\bname$/i, /\bbrand$/i, /\bmodel$/i], left: /\bdefault sport types$/i };

/** The ways in which rows name a line, from most to least certain. */
const CALLED: readonly ((line: GearLine) => string)[] = [
  ({ name }) => name,
  ({ brand, model, name }) => `${brand} ${model} ${name}`,
  ({ brand, model }) => `${brand} ${model}`,
];

/** What the numbers of an export are matched with. `gear`, `byText` and `byNumber` grow on the way. */
interface Matching {
  readonly use: GearUse;
  /** The keys of the lines that a text names. Several lines may have one name. */
  readonly linesBy: ReadonlyMap<string, readonly string[]>;
  readonly byText: Map<string, string>;
  readonly byNumber: Map<string, string>;
  readonly gear: ListedGear[];
  readonly words: GearWords;
}

/**
 * Matches a number with the gear that its texts name. A shoe has several texts if the athlete renamed it, or if the platform changed its
 * style. The most frequent text in a list counts, and the other texts then mean the same shoe. Two numbers are two shoes, also when they
 * have one name: an old Pegasus and a new one. The lowest number comes first, because a platform counts upwards.
 */
function matchNumbers(matching: Matching): void {
  const { use, linesBy, byText, byNumber, gear } = matching;
  const numberOf = new Map<string, string>();
  for (const [number, { kind, texts }] of [...use.numbers].sort(byCount)) {
    const ranked = [...texts].sort((a, b) => b[1] - a[1] || byFirst(a, b)).map(([text]) => text);
    const names = ranked.filter((text) => byText.has(text) || !isPlaceholderGear(text));
    // Its rows call it by nothing but words for none.
    if (ranked.length > 0 && names.length === 0) continue;
    const named = ranked.flatMap((text) => linesBy.get(text) ?? byText.get(text) ?? []);
    let key = named.find((each) => !numberOf.has(each));
    if (key === undefined) {
      const piece = pieceOfNumber({ number, kind, names, namesake: named[0], numberOf }, matching);
      gear.push(piece);
      key = piece.key;
    }
    numberOf.set(key, number);
    byNumber.set(number, key);
    for (const text of names) if (!byText.has(text)) byText.set(text, key);
  }
  distinguish(gear, numberOf);
}

/** A number without a line of its own, the texts beside it, and the piece of another number that has its name. */
interface Unmatched {
  readonly number: string;
  readonly kind: GearKind;
  readonly names: readonly string[];
  readonly namesake: string | undefined;
  readonly numberOf: ReadonlyMap<string, string>;
}

function pieceOfNumber({ number, kind, names, namesake, numberOf }: Unmatched, matching: Matching): ListedGear {
  const { use, gear, words } = matching;
  const key = `${words.prefix}:equipment:${kind}:${number}`;
  const text = names[0] === undefined ? undefined : use.texts.get(names[0])?.text;
  const called = text === undefined ? `number ${number}` : `number ${number}, ${text}`;
  const same = gear.find((piece) => piece.key === namesake);
  if (same !== undefined) {
    const issue = namesakes(called, numberOf.get(same.key) ?? "", withoutNumber(names, use), words);
    return { key, line: undefined, value: { ...same.value, serial: number }, issue };
  }
  const value = {
    activity: ACTIVITY[kind],
    modelName: text ?? "Unnamed",
    ...(text === undefined && { serial: number }),
  };
  return { key, line: undefined, value, issue: unlisted(called, words) };
}

/** Pieces that the log couldn't distinguish have their number as the serial. */
function distinguish(gear: ListedGear[], numberOf: ReadonlyMap<string, string>): void {
  const counts = new Map<string, number>();
  const nameOf = ({ value }: ListedGear) => JSON.stringify(value);
  for (const piece of gear) counts.set(nameOf(piece), (counts.get(nameOf(piece)) ?? 0) + 1);
  for (const [index, piece] of gear.entries()) {
    const number = numberOf.get(piece.key);
    if (number !== undefined && (counts.get(nameOf(piece)) ?? 0) > 1)
      gear[index] = { ...piece, value: { ...piece.value, serial: number } };
  }
}

/** The rows that have one of these texts and no number. */
function withoutNumber(names: readonly string[], use: GearUse): number {
  let rows = 0;
  for (const name of names) {
    const { bike = 0, other = 0 } = use.texts.get(name) ?? {};
    rows += bike + other;
    for (const { texts } of use.numbers.values()) rows -= texts.get(name) ?? 0;
  }
  return rows;
}

function namesakes(found: string, other: string, rows: number, { rules }: GearWords): Issue {
  const guessed =
    rows === 0
      ? ""
      : `. ${rows} ${rows === 1 ? "row has" : "rows have"} the name alone, and ${rows === 1 ? "counts" : "count"} for number ${other}`;
  const expected = `a name of its own: number ${other} has this name, too. The two numbers stay two pieces${guessed}`;
  return inOwnWords({ severity: "warning", rule: "table/same-gear", found, expected }, rules);
}

function matchTexts(use: GearUse, byText: Map<string, string>, gear: ListedGear[], words: GearWords): void {
  for (const [folded, { text, bike, other }] of [...use.texts].sort(byFirst)) {
    if (byText.has(folded) || isPlaceholderGear(text)) continue;
    const kind = bike > other ? "bike" : "shoe";
    const key = `${words.prefix}:equipment:${kind}:${folded.slice(0, 120)}`;
    const value = { activity: ACTIVITY[kind], modelName: text };
    gear.push({ key, line: undefined, value, issue: unlisted(text, words) });
    byText.set(folded, key);
  }
}

function unlisted(found: string, { lists, rules }: GearWords): Issue {
  const files = Object.keys(lists).join(" or ");
  const expected = `a line of ${files}; it was deleted or never named, and brand and model are missing`;
  return inOwnWords({ severity: "warning", rule: "table/unlisted-gear", found, expected }, rules);
}

/**
 * The log distinguishes equipment by activity, brand, model, serial and purchase date. So the platform's name goes into `serial` if several
 * pairs share brand and model, or if the name says more.
 */
function equipmentOf({ kind, name, brand, model }: GearLine, isOneOfSeveral: boolean): Equipment {
  const [label, brandName, modelName] = [tidy(name), tidy(brand), tidy(model)];
  if (brandName === "" && modelName === "")
    return { activity: ACTIVITY[kind], modelName: label === "" ? "Unnamed" : label };
  const saysMore = label !== "" && !fold(`${brand} ${model}`).includes(fold(label));
  return {
    activity: ACTIVITY[kind],
    ...(brandName !== "" && { brandName }),
    ...(modelName !== "" && { modelName }),
    ...(label !== "" && (isOneOfSeveral || saysMore) && { serial: label }),
  };
}

function remarkOn({ name, brand, model }: GearLine, isOneOfSeveral: boolean): Issue | undefined {
  if (!isOneOfSeveral || tidy(name) !== "") return undefined;
  const expected = "a name that tells it from another pair of the same model";
  return { severity: "warning", rule: "table/same-gear", found: tidy(`${brand} ${model}`), expected };
}

function modelOf({ kind, brand, model, name }: GearLine): string {
  const folded = fold(`${brand} ${model}`);
  return `${kind}:${folded === "" ? fold(name) : folded}`;
}

/** Normalises a text, because exports have extra blanks, and different capitals in different lists. */
function fold(text: string): string {
  return tidy(text).normalize("NFC").toLowerCase();
}

function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Orders numbers as texts by their size. They may have more digits than a number can hold. */
function byCount(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0].length - b[0].length || byFirst(a, b);
}

function byFirst(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
