/** Reads values in the form of FitTrackee. */
import type { JsonRow } from "../table/sources/json-source.ts";

/** Turns `1 day, 2:00:00` into seconds. Any other text stays unchanged. */
export function secondsOf(text: string): string {
  const [, days = "0", hours, minutes, seconds] =
    /^(?:(\d{1,3}) days?, )?(\d{1,2}):(\d{2}):(\d{2}(?:\.\d{1,9})?)$/.exec(text) ?? [];
  if (hours === undefined) return text;
  return String(Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

/** Makes a function that finds the path of a file in the archive by its name, with or without folders. */
export function fileIn(folder: string): (text: string) => string {
  return (text) => `${folder}/${text.slice(text.lastIndexOf("/") + 1)}`;
}

/** Adds the ids of all pieces of gear of a workout. */
export function gearOf(row: JsonRow): JsonRow {
  const { equipments } = row;
  if (!Array.isArray(equipments)) return row;
  const all: readonly ({ readonly id?: unknown; readonly label?: unknown } | null)[] = equipments;
  return {
    ...row,
    gear: all.map((each) => each?.id ?? ""),
    "gear name": all.length === 1 ? (all[0]?.label ?? "") : "",
  };
}
