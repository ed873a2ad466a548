/** What a header says of its column: by its words, by the ends of compounds, and by its unit. */

import { unitSpelt } from "../../../../transforms/units.ts";
import { legendOf } from "./legend.ts";
import { namesLift } from "./lifted-words.ts";
import { namesMorning, namesOtherRate, withoutOthers } from "./other-measures.ts";
import { askedFor } from "./question-headers.ts";
import { foldHeader, KNOWN, type KnownWord, type Role } from "./words-of-headers.ts";

export { foldHeader, isRole, type Role } from "./words-of-headers.ts";

/** The meaning of a header. */
export interface HeaderMeaning {
  /** The roles that its words can mean; the likeliest first. Empty for unknown words. */
  readonly roles: readonly Role[];
  /** The unit in the header, in its own spelling: `km` of `Strecke (km)`. */
  readonly unit: string | undefined;
  /** Whether its words are English, or of another language; undefined for words of both. */
  readonly isEnglish: boolean | undefined;
  /**
   * What the column is for: `plan` for what somebody meant to do, `actual` for what was done, `other` for something else than the whole workout, such as
   * a rest or a lap, `sum` for what may be the sum of others; undefined for a header that says nothing of it.
   */
  readonly purpose?: Purpose;
}

type Purpose = "plan" | "actual" | "other" | "sum";
type Meaning = Omit<HeaderMeaning, "purpose">;

/** Words that don't change what a column is: `My Distance`, `durchschnittliche Herzfrequenz`. */
const FILLERS = new Set(
  foldHeader(
    "my run running ride training total tot avg average ave mean ca der die das la le el il de du del della di do da of in the to o lauf gesamt ges durchschn durchschnittliche durchschnittlicher mittel moy moyen moyenne medio media med prom gem gemiddelde snitt gns genomsnitt sredni srednia srednie aantal nb nr number level navn name burned gain gained totale totaal gesamte laczny laczna toplam taken spent used",
  ).split(" "),
);

/** Words that make a column something else than the words beside them say: the time of a rest is no duration of a workout. */
const OTHERWISE =
  /(?:^|\s)(?:rest|sleep|schlaf|sommeil|sueno|sonno|sono|slaap|somn|sovn|sen|goal|target|planned|plan|ziel|soll|objectif|objetivo|obiettivo|meta|doel|mal|cel|pb|pr|end|ende|fin|zone|lap|laps|cumulative|accumulated|cumul|cumule|cumules|acumulado|acumulados|acumulada|kumuliert|kumulativ)(?:\s|$)/;
/** Words for one of several repetitions: how far and how long it was says nothing of the whole. */
const REPETITION =
  /(?:^|[\s(/-])(?:reps?|repeats?|repetitions?|sets?|wdh|wdhs|wiederholung|wiederholungen|serien?|series|repeticion|repeticiones|repeticoes|ripetizione|ripetizioni|ripetute|herhaling|herhalingen|repetitioner|powtorzenia|powtorzenie)(?:$|[\s)/-])/;
/** Words for a part of the workout: the time of a warm-up is no start, and not the time of the whole. */
const PART =
  /(?:^|[\s(/-])(?:warm[ -]?ups?|warm[ -]?downs?|swim[ -]?downs?|warming[ -]up|wu|cool[ -]?downs?|cd|intervals?|recovery|einlaufen|einlaufzeit|auslaufen|auslaufzeit|aufwarmen|intervalle?n?|echauffement|retour au calme|recuperation|calentamiento|enfriamiento|vuelta a la calma|volta a calma|desaquecimento|riscaldamento|defaticamento|aquecimento|inlopen|uitlopen|uppvarmning|nedvarvning|opvarmning|oppvarming|rozgrzewka|schlodzenie)(?:[\s)/-]|$)|ウォームアップ|ウォーミングアップ|クールダウン/;

/** Words for what was planned. Such a column is no value of a workout. */
const PLANNED =
  /(?:^|[\s(/-])(?:plan|plans|planned|target|targets|goal|goals|scheduled|prescribed|geplant|geplante|geplanter|soll|sollwert|vorgabe|prevu|prevue|prevus|objectif|objectifs|planifie|planifiee|previsto|prevista|previstos|objetivo|planeado|planeada|planejado|planejada|planificado|planificada|programado|programada|obiettivo|programmato|programmata|pianificato|gepland|geplande|doel|schema|planerad|planerat|planerade|planlagt|planlagte|planowany|planowana|planowane|cel|(?:soll|plan)(?:zeit|km|distanz|strecke|tempo|pace|puls|tid|tijd))(?:$|[\s)/-])|予定|目標|計画/;
/** Folding makes the French word for pain of it. */
const PLANNED_IN_SWEDISH = /(?:^|\s)mål(?:$|[\s-])/i;
/** Words for what was done, beside a plan. */
const ACTUAL =
  /(?:^|[\s(/-])(?:actual|ist|real|reel|reelle|effectif|effective|realise|realisee|efectivo|efectiva|realizado|realizada|reale|effettivo|effettiva|werkelijk|werkelijke|faktisk|faktiska|verklig|verkliga|rzeczywisty|rzeczywista|rzeczywiste|done|completed)(?:$|[\s)/-])|実績|実際/;

/** Signs of the highest and of the resting heart rate. */
const HIGHEST =
  /(?:^|\s)(?:max|maxi|maximum|maximal|maximale|maxima|maximo|massima|massimo|maks|maksymalne|peak|hoogste|hogsta|hojeste|najwyzsze)(?:\s|$)|^max/;
/** The same beside a word for a heart rate, also within one: `makspuls`, `Höchstpuls`, `Pulsaciones máximas`. */
const HIGHEST_OF_HEART =
  /(?:^|[\s/-])(?:max|maks|massim|peak|top|spids|spitze|hochst|hojst|hojest|hogst|hoogst|highest|najwyz|piek)|max$|最高|最大/;
/** The lowest one, or one to aim at. The log has no field for these. `Puls pro min` is a unit. */
const LOWEST_OF_HEART =
  /(?:^|\s)(?:min|minimum|minim[ao]l?e?|lowest|low|target|goal)(?:\s|$)|(?:^|\s)(?:minpuls|niedrigst|tiefst|lavest|lagst|laagst|najniz|zielpuls|ziel)|最低|最小|目標/;
const A_MINUTE = /(?:^|\s)(?:pr|pro|per|par|por|al|a|p|slag|schlage|beats)\.? min(?:\s|$)/;
const RESTING =
  /(?:^|\s)(?:rest|resting|ruhe|repos|reposo|riposo|repouso|rust|vila|vilo|hvile|spoczynkowe|morning|waking|am|morgon|matin|mattino|manha|ochtend|poranne)(?:\s|$)|^(?:ruhe|rust|vilo|hvile|morgen)/;

/** Units that a header may have: in brackets, behind its words, or alone; and what a column with such a unit is. */
const UNITS: Readonly<Record<string, readonly Role[]>> = Object.fromEntries(
  (
    [
      [
        "km kms k mi mile miles m meter meters metre metres metros metri metry yd yds yard yards キロ メートル",
        ["distance"],
      ],
      ["kilometer kilometers kilometre kilometres kilometros quilometros chilometri", ["distance"]],
      ["meilen meile millas milla miglia miglio milhas milha mijlen mijl", ["distance"]],
      [
        "min mins minutes minuten minuti minutos 分 h hr hrs hour hours std stunden s sec secs seconds sek ms",
        ["duration"],
      ],
      ["hmmss hhmmss hmm hhmm mmss mss", ["duration"]],
      ["kg kgs lb lbs pounds キログラム", ["weight"]],
      ["°c °f c f celsius fahrenheit", ["temperature"]],
      ["bpm ppm уд/мин", ["avgHR"]],
      ["min/km min/mi min/mile /km /mi min/100m", ["pace"]],
      ["km/h km/t km/u kmh kph mph m/s", ["speed"]],
      ["kcal", ["calories"]],
      ["ft feet hm", ["elevation"]],
      ["w", ["power"]],
      ["1-5 1-10 1–5 1–10 0-10 /5 /10", []],
    ] as const
  ).flatMap(([units, roles]) => units.split(" ").map((unit) => [unit, roles])),
);

/** Units that an unknown word may have for many reasons: metres of climb, minutes of rest. */
const SHARED_UNITS = /^(?:m|ft|feet|meters?|metres?|metros|metri|metry|メートル|min|mins|minutes|h|s|sec|hr|hrs|w)$/;

/** Forms of durations as a mapping file writes them. */
const CLOCKS: Readonly<Record<string, string>> = {
  ...{ hmmss: "h:mm:ss", hhmmss: "h:mm:ss", hmm: "h:mm", hhmm: "h:mm", mmss: "mm:ss", mss: "mm:ss" },
};

/** A form of durations with words or dots: `min.sec`, `mm.ss`, `Std:Min`, `時:分:秒`. A pace has a unit behind it. */
const CLOCK =
  /(?<!\p{L})(?:(?<hours>hh?|tt?|uu?|std|st|tim|timer|godz|時)[:.'](?:mm|min|mn|分)(?<seconds>[:.'](?:ss|s|se[ckg]|秒))?|(?:mm|m|min|mn|分)[:.'](?:ss|se[ckg]|秒))(?!\p{L}|['.]?\s?\/)/giu;

function clockIn(...match: readonly unknown[]): string {
  const { hours, seconds } = match.at(-1) as Readonly<Record<"hours" | "seconds", string | undefined>>;
  if (hours === undefined) return "mmss";
  return seconds === undefined ? "hmm" : "hmmss";
}

/** Whether a header names a part of the workout: `Warm up km`. */
export function namesPart(header: string): boolean {
  return PART.test(foldHeader(header));
}

/** Whether a header has words that nobody knows before minutes or hours: `Core min`. They may be of something else than the workout. */
export function isOtherTime(header: string): boolean {
  const folded = foldHeader(header);
  const { before, inside } = bracketed(folded);
  const { first, last } = lastWord(folded);
  const [words, unit] = inside === undefined ? [first ?? "", last ?? ""] : [before, inside];
  if (!UNITS[unit]?.includes("duration")) return false;
  const own = words.split(/[\s,()/-]+/).filter((word) => /\p{L}/u.test(word));
  return own.length > 0 && wordsIn(words).length === 0 && !own.every((word) => FILLERS.has(word));
}

/** Reads a header. */
export function readHeaderWords(header: string): HeaderMeaning {
  const read = meaningOfWords(header);
  // `HF (% max)` is a share of somebody's highest heart rate, and no heart rate.
  const meaning = header.includes("%") ? { ...read, roles: read.roles.filter((role) => !HEART_RATES.has(role)) } : read;
  const legend = meaning.roles.some((role) => RATINGS.has(role)) ? undefined : legendOf(header);
  if (legend === undefined) return meaning;
  const rated = meaningOfWords(legend.words);
  const roles = rated.roles.filter((role) => RATINGS.has(role));
  return roles.length === 0 ? meaning : { ...rated, roles };
}

const HEART_RATES: ReadonlySet<Role> = new Set(["avgHR", "maxHR", "restHR"]);

/** Roles whose headers may explain their numbers. */
const RATINGS: ReadonlySet<Role> = new Set(["effort", "quality"]);

function meaningOfWords(header: string): HeaderMeaning {
  // `Ø km/h` is the speed of the mean.
  const plain = header
    .replace(/^[Øø⌀∅]\s?(?=km\/|min\/)/, "")
    .replaceAll(/[hms]{1,2}(?::[ms]{2}){1,2}/gi, (clock) => clock.replaceAll(":", ""));
  const folded = foldHeader(plain.replaceAll(CLOCK, clockIn));
  if (isLowestHeartRate(folded)) return { roles: [], unit: undefined, isEnglish: undefined };
  const plainly = meaningOfHeader(folded);
  const asked = plainly.roles.length === 0 ? askedFor(folded) : undefined;
  const meaning = asked === undefined ? plainly : meaningOfHeader(asked);
  const purpose = purposeOf(folded, header);
  return { ...meaning, ...(purpose && { purpose }), ...(purpose === "plan" && { roles: ["plan"] }) };
}

function purposeOf(folded: string, header: string): Purpose | undefined {
  if (PLANNED.test(folded) || PLANNED_IN_SWEDISH.test(header)) return "plan";
  if (ACTUAL.test(folded)) return "actual";
  return [OTHERWISE, REPETITION, PART].some((words) => words.test(folded)) ? "other" : undefined;
}

function meaningOfHeader(folded: string): Meaning {
  // A lone letter may be anything, but for the parts of a duration in several columns.
  if (/^[a-z]$/.test(folded))
    return {
      roles: (KNOWN.get(folded)?.roles ?? []).filter((role) => PARTS.has(role)),
      unit: undefined,
      isEnglish: undefined,
    };
  const { before, inside } = bracketed(folded);
  if (inside !== undefined && Object.hasOwn(UNITS, inside)) return meaningOf(before.trim(), inside);
  // `Distance km`, `Time min`, `Distance, km`.
  const { first, last } = lastWord(folded);
  const isUnit = first !== undefined && last !== undefined && Object.hasOwn(UNITS, last);
  const words = first?.replace(/ in$/, "") ?? "";
  // `Run` alone may be how far it was, and `Run min` is how long.
  if (isUnit && words === "run" && UNITS[last]?.includes("duration")) return meaningOf("", last);
  if (isUnit && KNOWN.get(folded) === undefined && wordsIn(words).length > 0) return meaningOf(words, last);
  if (!isUnit) return meaningOf(folded, Object.hasOwn(UNITS, folded) ? folded : undefined);
  // `Aantal km` is a length, `Ave HR` no time.
  const alone = meaningOf(folded, undefined);
  // `Core min` is no known time, but it is in minutes.
  if (alone.roles.length > 0 && alone.roles.every((role) => PARTS.has(role))) return { ...alone, unit: last };
  return alone.roles.some((role) => UNITS[last]?.includes(role))
    ? meaningOf(folded, last)
    : alone.roles.length > 0 || SHARED_UNITS.test(last)
      ? alone
      : meaningOf("", last);
}

/** Parts of a duration that may have columns of their own. */
const PARTS: ReadonlySet<Role> = new Set(["hours", "minutes", "seconds"]);

/** `strecke (km)` in two parts: `strecke` and `km`. A bracket that isn't closed counts, too. */
function bracketed(header: string): { readonly before: string; readonly inside: string | undefined } {
  const at = header.search(/[([]/);
  if (at === -1) return { before: header, inside: undefined };
  const rest = header.slice(at + 1).trim();
  const inside = rest.endsWith(")") || rest.endsWith("]") ? rest.slice(0, -1).trim() : rest;
  return { before: header.slice(0, at).trim(), inside: inside.startsWith("in ") ? inside.slice(3) : inside };
}

/** `distance, km` in two parts; both undefined for a single word. */
function lastWord(header: string): { readonly first: string | undefined; readonly last: string | undefined } {
  const words = header.split(/[\s,/-]/).filter((word) => word !== "");
  const last = header
    .split(/[\s,]/)
    .filter((word) => word !== "")
    .at(-1);
  // A unit may have a slash in it: `tempo min/km`.
  const unit = last !== undefined && Object.hasOwn(UNITS, last) ? last : words.at(-1);
  if (words.length < 2 || unit === undefined) return { first: undefined, last: undefined };
  let end = header.lastIndexOf(unit);
  while (end > 0 && " ,/-".includes(header[end - 1] ?? "")) end--;
  return end === 0 ? { first: undefined, last: undefined } : { first: header.slice(0, end), last: unit };
}

function meaningOf(words: string, unit: string | undefined): Meaning {
  const found = wordsIn(words);
  const english = found.filter((word) => word.english && !word.others).length;
  const others = found.filter((word) => word.others && !word.english).length;
  const isEnglish = english === others ? undefined : english > others;
  // Two words that mean one thing: `Temps de course` is a time, `Lieu du parcours` a place.
  const [some, ...more] = found.map(({ roles }) => roles);
  const shared = (some ?? []).filter((role) => more.every((roles) => roles.includes(role)));
  const byUnit = unit === undefined ? [] : (UNITS[unit] ?? []);
  // `Percurso (km)` is a length, though a `percurso` may be a route.
  const both = shared.filter((role) => byUnit.includes(role));
  // `Start (hh:mm)` says how the start is written. It is no duration.
  const isStart = shared.length > 0 && shared.every((role) => role === "time" || role === "datetime");
  if (isStart && unit !== undefined && OF_CLOCKS.test(unit)) return { roles: shared, unit: undefined, isEnglish };
  // The time of a kilometre is the pace.
  if (byUnit.includes("distance") && shared.includes("duration")) return { roles: ["pace"], unit, isEnglish };
  const isTelling = unit !== undefined && words !== unit && byUnit.length > 0 && !SHARED_UNITS.test(unit);
  const roles =
    both.length > 0
      ? both
      : isTelling
        ? byUnit
        : shared.length > 0 && !(byUnit.length > 0 && shared.every((role) => TEXTS.has(role)))
          ? shared
          : byUnit.length > 0
            ? byUnit
            : ends(found);
  return { roles: heartRate(withoutOthers(roles, words), words), unit: CLOCKS[unit ?? ""] ?? unit, isEnglish };
}

/** Units that say how a time is written: hours first, as of a day. */
const OF_CLOCKS = /^hh?mm(?:ss)?$/;

/** Roles of text. A column of text has no unit. */
const TEXTS: ReadonlySet<Role> = new Set(["course", "name", "notes", "type", "activity", "equipment"]);

/** The roles of the first and the last word, where they differ: one of them is what the column is, and the values say which. */
function ends(found: readonly KnownWord[]): readonly Role[] {
  return [...new Set([found[0], found.at(-1)].flatMap((word) => word?.roles ?? []))];
}

/** What follows from heart rates, and is none of a workout: how fast it fell, how much it varies. */
const NO_MEAN =
  /(?:^|\s)(?:drop|drift|decoupling|variability|variation|var|after|nach|apres|despues|dopo|depois|na|efter|po|recovery|erholung|recuperation|recuperacion|recupero|recuperacao|herstel|aterhamtning|reserve|reserva)(?:\s|$)/;

/** Whether a header is about the lowest heart rate, or about one to aim at: `Puls min`, `Zielpuls`. */
function isLowestHeartRate(folded: string): boolean {
  if (!LOWEST_OF_HEART.test(folded) || A_MINUTE.test(folded)) return false;
  return /心拍/.test(folded) || folded.split(/[\s/,-]+/).some((token) => known(token)?.roles.includes("avgHR"));
}

/** A heart rate that is the highest one, or the one at rest. */
function heartRate(roles: readonly Role[], words: string): readonly Role[] {
  if (roles.includes("weight") && namesLift(words)) return [];
  if (!roles.includes("avgHR")) return roles;
  if (NO_MEAN.test(words) || namesOtherRate(words)) return [];
  if (namesMorning(words)) return ["restHR"];
  if (HIGHEST_OF_HEART.test(words)) return ["maxHR"];
  return RESTING.test(words) ? ["restHR"] : roles;
}

/** The word that a header is, if it is one from its beginning to its end: `Time`, and no `Race time`. */
export function wholeHeader(header: string): KnownWord | undefined {
  const words = foldHeader(header);
  return KNOWN.get(words) ?? KNOWN.get(words.replaceAll(" ", ""));
}

/** The known words of a header: the whole of it, or its parts without fillers. Empty where a part makes it something else. */
function wordsIn(words: string): readonly KnownWord[] {
  const whole = wholeHeader(words);
  if (whole !== undefined) return [whole];
  if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(words)) return longestWithin(words);
  const isHeart = RESTING.test(words) && words.split(/[\s/,-]+/).some((token) => known(token)?.roles.includes("avgHR"));
  if ((OTHERWISE.test(words) && !isHeart) || REPETITION.test(words) || PART.test(words)) return [];
  const tokens = words.split(/[\s/,-]+/).filter((token) => token !== "" && !FILLERS.has(token));
  const plain = tokens.filter((token) => !HIGHEST.test(token) && !RESTING.test(token));
  const kept = KNOWN.get(tokens.join(" ")) ?? KNOWN.get(plain.join(" "));
  if (kept !== undefined) return [kept];
  const found = plain.map(known);
  // One unknown word beside a known one may be an adjective. More make it a header of its own.
  const unknown = found.filter((word) => word === undefined).length;
  if (unknown > 1 || unknown === found.length) return [];
  const all = found.filter((word) => word !== undefined);
  // `Bike time` is a time, and no bike.
  const others = all.filter(({ roles }) => roles.some((role) => role !== "equipment"));
  return others.some(({ roles }) => roles.some((role) => MEASURED.has(role))) ? others : all;
}

/** Devices and programs that measure: `HR Garmin` is a heart rate of the workout. */
const MEASURED_BY = new Set(
  "garmin polar suunto coros fitbit apple strava connect watch uhr montre reloj orologio horloge klocka ur zegarek gps strap chest wrist belt brustgurt".split(
    " ",
  ),
);

/** Whether a header has another word than those that logferry knows: `Aerobic HR`, `Nachtpuls`. Its column may be about something else. */
export function hasOtherWords(header: string): boolean {
  const words = foldHeader(header.split(/[([]/, 1)[0]?.trim() ?? "");
  if (wholeHeader(words) !== undefined) return false;
  if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(words)) return !KNOWN.has(words);
  const tokens = words.split(/[\s/,.-]+/).filter((token) => token !== "" && !FILLERS.has(token));
  const isKnown = (token: string) =>
    [KNOWN, MEASURED_BY].some((one) => one.has(token)) ||
    Object.hasOwn(UNITS, token) ||
    [HIGHEST, RESTING, /^[a-z\d%]$/].some((one) => one.test(token));
  return !KNOWN.has(tokens.join(" ")) && !tokens.every(isKnown);
}

/** What is measured of a sport or of a shoe that a header names. */
const MEASURED: ReadonlySet<Role> = new Set(["distance", "duration", "pace", "speed", "avgHR"]);

/** Letters of the shortest word that may end a compound: `Körpergewicht`, `kroppsvikt`, `sluttid`. */
const SHORTEST_END = 3;

/** German words that end as if they were Danish weeks: `Kniebeuge`, `Klimmzüge`. */
const NO_WEEK = /(?:be|z|ze)uge$/;

function known(token: string): KnownWord | undefined {
  // A lone letter among words is a unit, or nothing.
  if (/^[a-z]$/.test(token)) return undefined;
  const whole = KNOWN.get(token);
  if (whole !== undefined) return whole;
  if (/^(?:start|begin|beginn|anfangs)/.test(token)) return KNOWN.get("start time");
  if (NO_WEEK.test(token)) return undefined;
  for (let at = 2; at <= token.length - SHORTEST_END; at++) {
    const end = KNOWN.get(token.slice(at));
    if (end?.others) return end;
  }
  return undefined;
}

/** The longest known word in a text without blanks between its words. */
function longestWithin(text: string): readonly KnownWord[] {
  const [longest] = [...KNOWN.keys()]
    .filter((word) => /[^\u0000-\u024f]/.test(word) && word.length > 1 && text.includes(word))
    .toSorted((a, b) => b.length - a.length);
  const found = longest === undefined ? undefined : KNOWN.get(longest);
  return found === undefined ? [] : [found];
}

/** The unit of length that a header's unit means. */
export function lengthUnit(unit: string | undefined): "mi" | "km" | "m" | "yd" | undefined {
  if (unit === undefined) return undefined;
  // A header has lost its accents.
  return /^(?:k|qu|ch)ilomet/.test(unit) ? "km" : unitSpelt("distance", unit);
}
