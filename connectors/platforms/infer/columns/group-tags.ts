/** Takes headers apart that say which workout of a row they are of: `AM miles`, `Time 2`, `Bike km`, or `km` below `Bike`. */
import { activityNamed } from "../../../../transforms/activities.ts";
import { areDurations, type ColumnSample } from "../sample/column.ts";
import {
  foldHeader,
  type HeaderMeaning,
  isRole,
  namesPart,
  type Role,
  readHeaderWords,
} from "../words/header-words.ts";
import { partOfDay } from "../words/parts-of-day.ts";
import { isNumber } from "../words/values.ts";
import { sportInTitle } from "../words/words.ts";

/** How a header names its workout, in the order in which the kinds are tried. */
export const KINDS = ["day", "number", "copy", "sport"] as const;
/** One of these ways. */
export type TagKind = (typeof KINDS)[number];

/** A header in two parts: the workout of the row, and what is said of it. */
export interface TaggedColumn {
  readonly column: ColumnSample;
  readonly kind: TagKind;
  readonly tag: string;
  /** The word of the header that says it. */
  readonly said: string;
  readonly base: string;
  /** The word for its sport, if it isn't the tag itself. */
  readonly sport?: string;
}

/** For each new column: the columns of the first workout, of the second, and so on. Null for a workout that lacks it. */
export type RepeatedColumns = ReadonlyMap<string, readonly (string | null)[]>;

const ORDINALS: Readonly<Record<string, string>> = {
  ...{ "1st": "1", first: "1", erste: "1", premier: "1", primera: "1", "2nd": "2", second: "2", zweite: "2" },
  ...{ deuxieme: "2", segunda: "2", "3rd": "3", third: "3", dritte: "3" },
};

/** Whether a word numbers a workout of the row: `2`, `second`, `Session 2`. */
export function isOrdinal(word: string): boolean {
  return word
    .split(/\s+/)
    .some((token) => /(?<!\d)[1-9]\.?$/.test(token) || Object.hasOwn(ORDINALS, foldHeader(token)));
}

/** The parts of a header; none for one that names no workout of the row. */
export function taggedColumn(column: ColumnSample): readonly TaggedColumn[] {
  const { name } = column;
  const [, copied, number] = /^(.+)#(\d+)$/.exec(name) ?? [];
  if (copied !== undefined && number !== undefined)
    return [{ column, kind: "copy", tag: number, said: number, base: copied }];
  const tokens = name.split(/[\s_(),/-]+/).filter((token) => token !== "");
  const part = partOfDay(name);
  const ordinal = tokens.find((token) => /^[1-9]$/.test(token) || Object.hasOwn(ORDINALS, foldHeader(token)));
  const [attached] = /(?<=\p{L})[1-9]$/u.exec(name) ?? [];
  // The run that warms up is a part of the workout, and no workout of the row: `Einlaufen km`.
  const sport = stemIn(name) ?? tokens.find((token) => sportOf(token) !== undefined && !namesPart(token));
  const said = part ?? ordinal ?? attached ?? sport;
  if (said === undefined) return [];
  const at = said === attached ? name.length - 1 : name.indexOf(said);
  const base = `${name.slice(0, at)} ${name.slice(at + said.length)}`
    .replaceAll(/\(\s*\)|\s+/g, " ")
    .replaceAll(/^[\s\-_/,:]+|[\s\-_/,:]+$/g, "");
  if (base === "") return [];
  const tag = foldHeader(said);
  if (said === sport) return [{ column, kind: "sport", tag: STEMS[tag] ?? sportOf(said) ?? tag, said: tag, base }];
  return [{ column, kind: part === undefined ? "number" : "day", tag: ORDINALS[tag] ?? tag, said: tag, base }];
}

/** What is left of the names of sports in words for their times and distances, folded: `Schwimmzeit`, `Looptijd`. */
const STEMS: Readonly<Record<string, string>> = {
  ...{
    schwimm: "swim",
    rad: "bike",
    lauf: "run",
    geh: "walk",
    zwem: "swim",
    fiets: "bike",
    loop: "run",
    hardloop: "run",
  },
  ...{ sim: "swim", cykel: "bike", lop: "run", svomme: "swim", cykle: "bike", lobe: "run" },
};

/** Such a stem before a word for a time or a distance. */
const COMPOUND =
  /^(\p{L}{3,8})(?:zeit|dauer|strecke|distanz|minuten|kilometer|tijd|afstand|tid|distans)(?:$|[\s(,/-])/iu;

function stemIn(header: string): string | undefined {
  const [, stem] = COMPOUND.exec(header) ?? [];
  return stem !== undefined && Object.hasOwn(STEMS, foldHeader(stem)) ? stem : undefined;
}

/** The parts of all headers. In Dutch, `Lopen` is the run of a triathlon, and a walk beside `Hardlopen`. */
export function taggedColumns(columns: readonly ColumnSample[]): readonly TaggedColumn[] {
  const tagged = withBareColumns(columns, columns.flatMap(taggedColumn));
  const isUnclear = ({ said }: TaggedColumn) => said === "lopen" || said === "loop";
  const isRun = ({ tag }: TaggedColumn) => tag === "run";
  if (!tagged.some((one) => isRun(one) && !isUnclear(one))) return tagged;
  return tagged.map((one) => (isRun(one) && isUnclear(one) ? { ...one, tag: "walk" } : one));
}

/**
 * Gives a column that is called by its sport alone to that sport: `Run` beside `Run (mi)` is the time of the run. Outside of its group it would be
 * of each workout of the row, and the run would last as long as the swim.
 */
function withBareColumns(columns: readonly ColumnSample[], tagged: readonly TaggedColumn[]): readonly TaggedColumn[] {
  const bare = columns.flatMap((column): readonly TaggedColumn[] => {
    const tag = sportOf(column.name);
    const own = tagged.filter((one) => one.kind === "sport" && one.tag === tag);
    const [first] = own;
    const isTagged = tagged.some((one) => one.column === column);
    if (tag === undefined || first === undefined || isTagged || column.filled.length === 0) return [];
    const measured = own.map(({ base }) => meaningOfBase(base).roles);
    const isLong = measured.some((roles) => roles.includes("distance"));
    const isTimed = measured.some((roles) => TIMES.some((role) => roles.includes(role)));
    if (isLong === isTimed || !(column.filled.every(isNumber) || (isLong && areDurations(column)))) return [];
    return [{ column, kind: "sport", tag, said: first.said, base: isLong ? "Duration" : "Distance" }];
  });
  // Numbers below one sport alone may be something else: how often, or how hard.
  const isSure = ({ column }: TaggedColumn) => bare.length > 1 || areDurations(column);
  return [...tagged, ...bare.filter(isSure)];
}

/** What is left of a header without its group. A lone letter is a unit there: `Swim m`. */
export function meaningOfBase(base: string): HeaderMeaning {
  return readHeaderWords(/^m$/i.test(base) ? "(m)" : base);
}

/** The roles of a time that a workout took. */
const TIMES: readonly Role[] = ["duration", "hours", "minutes"];

/** Words of sports that are so short only in headers, folded. */
const SHORT: Readonly<Record<string, string | undefined>> = { lopen: "run", lop: "run", sim: "swim" };

/** The sport that a word of a header names, in the log's own word. */
export function sportOf(word: string): string | undefined {
  const short = SHORT[foldHeader(word)];
  if (short !== undefined) return short;
  // Exports number their sports, and in a header a number is another one.
  return /\d/.test(word) ? undefined : (activityNamed(word) ?? sportInTitle(word));
}

/** Roles that are of one workout. Another column behind the last group may be of the whole row. */
const OF_WORKOUT: ReadonlySet<Role> = new Set(
  "distance duration hours minutes seconds pace speed avgHR maxHR elevation calories cadence power"
    .split(" ")
    .filter(isRole),
);

/**
 * The columns below sports or parts of the day: `km` and `time` below `Run`, and again below `Bike`.
 *
 * @param above the text above each column
 * @returns none if the row above names neither, or only one that is a title
 */
export function taggedByRowAbove(columns: readonly ColumnSample[], above: readonly string[]): readonly TaggedColumn[] {
  const isByDay = new Set(above.flatMap((label) => partOfDay(label) ?? [])).size > 1;
  const groups: { label: string; tag: string; bases: Set<string> }[] = [];
  const tagged = columns.flatMap((column): readonly TaggedColumn[] => {
    const label = above[column.index] ?? "";
    const base = column.name.replace(/#\d+$/, "");
    if (label === "" || base === "" || isSum(label) || (isByDay && partOfDay(label) === undefined)) return [];
    const last = groups.at(-1);
    const isNext = last?.label !== label || last.bases.has(foldHeader(base));
    const word = sportOf(label) ?? label;
    const earlier = groups.filter((group) => group.label === label).length;
    const group =
      last === undefined || isNext
        ? {
            label,
            tag: earlier === 0 ? foldHeader(word) : `${foldHeader(word)} ${earlier + 1}`,
            bases: new Set<string>(),
          }
        : last;
    if (group !== last) groups.push(group);
    group.bases.add(foldHeader(base));
    const one = { column, tag: group.tag, said: group.tag, base };
    return [isByDay ? { ...one, kind: "day" } : { ...one, kind: "sport", sport: word }];
  });
  const sports = new Set(groups.flatMap(({ label }) => sportOf(label) ?? []));
  const isRepeated = groups.some((one, at) =>
    groups.some((other, index) => index < at && [...one.bases].some((base) => other.bases.has(base))),
  );
  if (!isByDay && sports.size < 2 && !(sports.size === 1 && isRepeated)) return [];
  const last = groups.at(-1);
  const others = new Set(groups.slice(0, -1).flatMap(({ bases }) => [...bases]));
  return tagged.filter(
    ({ tag, base, column }) =>
      tag !== last?.tag || others.has(foldHeader(base)) || column.meaning.roles.some((role) => OF_WORKOUT.has(role)),
  );
}

/** Words for a sum of several workouts, folded. */
const SUMS =
  /(?:^|[\s(/-])(?:total|totals|totale|totali|totaal|totalt|totaux|totalen|sum|summe|somme|suma|soma|som|gesamt|insgesamt|ges|cumul|acumulado|i alt|razem|lacznie|week|weekly|wk|woche|semaine|semana|settimana|vecka|uge|tydzien|month|monthly|monat|mois|mes|mese|maand|manad|maned|ytd)(?:$|[\s)/-])|(?:^|\s)(?:gesamt|wochen|monats|tages|week|veck|uge)\p{L}*(?:$|\s)|合計|累計|週計|月計/u;

/** Whether a header says that its column sums up several workouts: `Total km`, `Wochenkilometer`. */
export function isSum(header: string): boolean {
  return SUMS.test(foldHeader(header));
}

/** Whether it sums up more than one row: `Week km`. */
export function isSumOfRows(header: string): boolean {
  return /week|wk|woche|semaine|semana|settimana|vecka|veck|uge|tydzien|month|monat|mois|mese?\b|maand|manad|maned|ytd|週|月/.test(
    foldHeader(header),
  );
}
