/** Reads values in the form of Runalyze, of a backup and of a table. */
import { activityNamed } from "../../../transforms/activities.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import type { JsonRow } from "../table/sources/json-source.ts";
import type { SmallTables } from "./backup.ts";

/** The numbers of Runalyze's own sports. */
const SPORTS: Readonly<Record<string, string>> = { 1: "run", 2: "bike", 3: "swim", 4: "rowing", 5: "hike" };

/** Words for shoes and bikes in the languages of Runalyze. People choose the names of the kinds of gear. */
const SHOES = /shoe|schuh|chaussure|zapat|scarp|buty|schoen/i;
const BIKES = /bike|bicycle|fahrr|\brad\b|r[äa]der|v[ée]lo|bici|rower|fiets/i;

/** Turns a time in seconds into local time. Runalyze counts the local time as if it was UTC: `1400000400`. */
function clockOf(seconds: unknown): string | undefined {
  const millis = Number(seconds) * 1000;
  if (textOf(seconds) === undefined || Math.abs(millis) > 8.64e15) return undefined;
  return new Date(millis).toISOString().slice(0, 19);
}

/** The text of a value; undefined for null and for an empty text. */
function textOf(value: unknown): string | undefined {
  return value === null || value === undefined || value === "" ? undefined : `${value}`;
}

/** Completes a workout: its local time, and its data in the other tables. */
export function withJoins(small: SmallTables): (row: JsonRow) => JsonRow {
  const of = (table: string, id: unknown): JsonRow => small.get(table)?.get(`${id}`) ?? {};
  const equipment = linksOf(small, "activity_equipment", "activityid");
  const tags = linksOf(small, "activity_tag", "activityid");
  const races = linksOf(small, "raceresult", "activity_id");
  return (row) => {
    const id = `${row.id}`;
    const sport = of("sport", row.sportid);
    const [race] = races.get(id) ?? [];
    const pieces = (equipment.get(id) ?? []).map(({ equipmentid }) => of("equipment", equipmentid));
    return {
      ...row,
      start: clockOf(row.time),
      sport: sportOf(textOf(sport.name), textOf(sport.internal_sport_id)) ?? textOf(row.sportid),
      type: race === undefined ? textOf(of("type", row.typeid).name) : "race",
      course: textOf(of("route", row.routeid).name) ?? textOf(row.route),
      lapList: lapsOf(textOf(row.splits) ?? ""),
      worn: namesOf(pieces.filter((piece) => !isGear(piece, small))),
      tags: namesOf((tags.get(id) ?? []).map(({ tagid }) => ({ name: of("tag", tagid).tag }))),
      ...(race !== undefined && { race, ...newOfRace(race) }),
    };
  };
}

/** The members of a race's result. Those with a meaning here are columns of the workouts. */
const OF_RACE = [
  ...["id", "activity_id", "accountid", "name", "official_distance", "official_time", "officially_measured"],
  ...["total", "gender", "ageclass"].flatMap((group) => [`place_${group}`, `participants_${group}`]),
];

/** The other members of a race's result. The source names and counts them as it does those of the workout. */
function newOfRace(race: JsonRow): JsonRow {
  const added = Object.entries(race).filter(([member]) => !OF_RACE.includes(member));
  return Object.fromEntries(added.map(([member, value]) => [`raceresult: ${member}`, value]));
}

/** Groups the rows of a table by a member. */
function linksOf(small: SmallTables, table: string, member: string): ReadonlyMap<string, readonly JsonRow[]> {
  return Map.groupBy(small.get(table)?.values() ?? [], (row) => `${row[member]}`);
}

function namesOf(rows: readonly JsonRow[]): string {
  return rows.flatMap(({ name }) => textOf(name) ?? []).join(", ");
}

/** The name of a sport, if it is known. Otherwise it is Runalyze's own sport with this number. */
function sportOf(name: string | undefined, number: string | undefined): string | undefined {
  if (name !== undefined && activityNamed(name) !== undefined) return name;
  return SPORTS[number ?? ""] ?? name;
}

/** Completes shoes and bikes: their kinds, and the workouts that used each. Clothes and similar equipment are left out. */
export function asGear(small: SmallTables): (piece: JsonRow) => JsonRow | undefined {
  const uses = linksOf(small, "activity_equipment", "equipmentid");
  return (piece) => {
    if (!isGear(piece, small)) return undefined;
    const kind = `${small.get("equipment_type")?.get(`${piece.typeid}`)?.name ?? ""}`;
    return {
      ...piece,
      unit: "km",
      kind: BIKES.test(kind) ? "bike" : SHOES.test(kind) ? "shoes" : kind,
      workouts: (uses.get(`${piece.id}`) ?? []).map(({ activityid }) => activityid),
      retired: textOf(piece.date_end) === undefined ? "no" : "yes",
    };
  };
}

/** Whether a piece is a shoe or a bike. A kind with another name counts if a workout can have only one piece of it. */
function isGear({ typeid }: JsonRow, small: SmallTables): boolean {
  const kind = small.get("equipment_type")?.get(`${typeid}`);
  const name = `${kind?.name ?? ""}`;
  return SHOES.test(name) || BIKES.test(name) || `${kind?.input}` === "0";
}

/** Completes a day with a weight or a resting heart rate. */
export function asDay(row: JsonRow): JsonRow {
  return { ...row, day: clockOf(row.time)?.slice(0, 10) };
}

/** A lap of `1.00|4:10-R0.40|3:00-1.00|4:10`, in kilometres and h:mm:ss. R means a rest. Very old rows have line ends between laps. */
const LAP = /^(R?)(\d{0,4}(?:\.\d{1,6})?)\|(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2}(?:\.\d{1,3})?)$/;

/** The laps of a workout; none if one of them can't be read. */
function lapsOf(splits: string): readonly TableLap[] {
  const parts = splits.split(/-|\r?\n/).filter((part) => part.trim() !== "");
  const laps = parts.map((part): TableLap | undefined => {
    const [, rest, km, hours = "0", minutes, seconds] = LAP.exec(part.trim()) ?? [];
    if (minutes === undefined) return undefined;
    const metres = Math.round(Number(km) * 1e6) / 1000;
    return {
      timer: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
      ...(metres > 0 && { distance: { unit: "m", value: metres } }),
      ...(rest === "R" && { intensity: "rest" }),
    };
  });
  return laps.flatMap((lap) => lap ?? []).length === parts.length ? laps.flatMap((lap) => lap ?? []) : [];
}

/** The laps in a cell of the table; undefined if one of them can't be read. */
export function lapsInCell(splits: string): string | undefined {
  const laps = lapsOf(splits);
  return laps.length === 0 ? undefined : JSON.stringify(laps);
}

/** Splits in any other form. They are counted. */
export function otherSplits(splits: string): string | undefined {
  return lapsInCell(splits) === undefined ? splits : undefined;
}

/** Converts an effort from Borg's scale of 6 to 20 to a scale of 1 to 10. */
export function effortOf(text: string): string | undefined {
  const borg = Number(text);
  return borg >= 6 && borg <= 20 ? String(Math.max(1, Math.round(((borg - 5) * 10) / 15))) : undefined;
}

/** Turns seconds since 1970 UTC into an instant as text. */
export function instantOf(seconds: string): string {
  return /^\d{1,11}$/.test(seconds) ? `${clockOf(seconds)}Z` : seconds;
}
