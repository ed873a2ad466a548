/**
 * Shoes and bikes. The export lists them without any id, and its rows name them by text: until late 2024 by name alone, since
 * then shoes by brand, model and name. Beside the text stands a number that no list has; so the rows are read once for what
 * they call each number, and that decides which shoe the number is.
 */
import type { Activity } from "../../../transforms/activities.ts";
import type { Equipment } from "../../../transforms/model/equipment.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import type { GearCells } from "./row.ts";

/** A line of shoes.csv or bikes.csv. */
export interface GearLine {
  readonly kind: GearKind;
  readonly name: string;
  readonly brand: string;
  readonly model: string;
  readonly line: number;
}

export type GearKind = "shoe" | "bike";

/** A piece of equipment, where it comes from, and what to say about it. */
export interface Gear {
  readonly key: string;
  readonly value: Equipment;
  /** The line of its list; undefined for gear that only rows of activities.csv know. */
  readonly line: GearLine | undefined;
  readonly issue?: Issue;
}

/** The activity of a kind: the log keeps equipment by activity. */
const ACTIVITY: Readonly<Record<GearKind, Activity>> = { shoe: "run", bike: "bike" };

/** What rows call gear, gathered in a first pass over them. Its size goes with the number of shoes, not of rows. */
export class GearUse {
  /** Number to the texts beside it and how often. Insertion order doesn't matter: the counts and the texts decide. */
  readonly numbers = new Map<string, { kind: GearKind; texts: Map<string, number> }>();
  /** Folded text to the text, and how many bikes' rows and others have it. */
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

/** All gear of an export, and which of it a row means. */
export interface GearBook {
  readonly gear: readonly Gear[];
  /** The key for a row's cells; undefined when the row names none. */
  keyFor(cells: GearCells): string | undefined;
}

/**
 * Matches what rows say with what the lists hold: by name, then brand, model and name, then brand and model. A text that no list has, and
 * a number without any text, were deleted or never named: they become equipment of their own, with an issue that says so.
 */
export function gearBook(lines: readonly GearLine[], use: GearUse): GearBook {
  const gear: Gear[] = [];
  const byText = new Map<string, string>();
  const keys = new Map<string, number>();
  const listed = lines.map((line) => {
    const base = `strava:equipment:${line.kind}:${fold(`${line.brand} ${line.model} ${line.name}`).slice(0, 120)}`;
    const count = (keys.get(base) ?? 0) + 1;
    keys.set(base, count);
    return { line, key: count === 1 ? base : `${base}#${count}` };
  });
  const models = new Map<string, number>();
  for (const { line } of listed) models.set(modelOf(line), (models.get(modelOf(line)) ?? 0) + 1);
  for (const { line, key } of listed) {
    const isOneOfSeveral = (models.get(modelOf(line)) ?? 0) > 1;
    gear.push({ key, line, value: equipmentOf(line, isOneOfSeveral), ...remarkOn(line, isOneOfSeveral) });
  }
  for (const called of CALLED) {
    for (const { line, key } of listed) {
      const text = fold(called(line));
      if (text !== "" && !byText.has(text)) byText.set(text, key);
    }
  }
  const byNumber = matchNumbers(use, byText, gear);
  matchTexts(use, byText, gear);
  return {
    gear,
    keyFor({ text, bike, shoes }) {
      const number = bike ?? shoes;
      return (number === undefined ? undefined : byNumber.get(number)) ?? byText.get(fold(text));
    },
  };
}

/** How rows call a line, from most to least certain. */
const CALLED: readonly ((line: GearLine) => string)[] = [
  ({ name }) => name,
  ({ brand, model, name }) => `${brand} ${model} ${name}`,
  ({ brand, model }) => `${brand} ${model}`,
];

/**
 * A number is the gear its texts name. One shoe has several texts when an athlete renamed it, or when the platform changed the style:
 * the most frequent that a list has counts, and the others then mean the same shoe.
 */
function matchNumbers(use: GearUse, byText: Map<string, string>, gear: Gear[]): Map<string, string> {
  const byNumber = new Map<string, string>();
  for (const [number, { kind, texts }] of [...use.numbers].sort(byFirst)) {
    const ranked = [...texts].sort((a, b) => b[1] - a[1] || byFirst(a, b)).map(([text]) => text);
    let key = ranked.map((text) => byText.get(text)).find((each) => each !== undefined);
    if (key === undefined) {
      key = `strava:equipment:${kind}:${number}`;
      const text = ranked[0] === undefined ? undefined : use.texts.get(ranked[0])?.text;
      gear.push({
        key,
        line: undefined,
        value: {
          activity: ACTIVITY[kind],
          modelName: text ?? "Unnamed",
          ...(text === undefined && { serial: number }),
        },
        issue: unlisted(text === undefined ? `number ${number}` : `number ${number}, ${text}`),
      });
    }
    byNumber.set(number, key);
    for (const text of ranked) if (!byText.has(text)) byText.set(text, key);
  }
  return byNumber;
}

function matchTexts(use: GearUse, byText: Map<string, string>, gear: Gear[]): void {
  for (const [folded, { text, bike, other }] of [...use.texts].sort(byFirst)) {
    if (byText.has(folded)) continue;
    const kind = bike > other ? "bike" : "shoe";
    const key = `strava:equipment:${kind}:${folded.slice(0, 120)}`;
    gear.push({ key, line: undefined, value: { activity: ACTIVITY[kind], modelName: text }, issue: unlisted(text) });
    byText.set(folded, key);
  }
}

function unlisted(found: string): Issue {
  return {
    severity: "warning",
    rule: "strava/unlisted-gear",
    field: "Activity Gear",
    found,
    expected: "a line of shoes.csv or bikes.csv; it was deleted or never named, and brand and model are missing",
  };
}

/**
 * The log tells equipment apart by activity, brand, model, serial and purchase date, so the platform's name goes into `serial` when
 * several pairs share brand and model, or when it says more than they do.
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

function remarkOn({ name, brand, model }: GearLine, isOneOfSeveral: boolean): { issue?: Issue } {
  if (!isOneOfSeveral || tidy(name) !== "") return {};
  const found = tidy(`${brand} ${model}`);
  return {
    issue: {
      severity: "warning",
      rule: "strava/same-gear",
      found,
      expected: "a name that tells it from another pair of the same model",
    },
  };
}

function modelOf({ kind, brand, model, name }: GearLine): string {
  const folded = fold(`${brand} ${model}`);
  return `${kind}:${folded === "" ? fold(name) : folded}`;
}

/** Exports have trailing blanks and other capitals in one list than in the other. */
function fold(text: string): string {
  return tidy(text).normalize("NFC").toLowerCase();
}

function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function byFirst(a: readonly [string, unknown], b: readonly [string, unknown]): number {
  return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
}
