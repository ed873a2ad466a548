/** Reads values in the form of Golden Cheetah. */
import { asIfUtc } from "../../../transforms/calendar.ts";
import { atInstant } from "../at-instant.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** Takes the zone off `2013/05/27 07:56:35 UTC`. The zone is always UTC. */
export function utcOf(text: string): string {
  return text.replace(/ UTC$/, "");
}

/**
 * Adds three members to a ride. `local` is the local start, from the name of the file. If a person renamed the file, it comes from the tag with the
 * old name. Of several rides in one file, the name is that of the first, and the others have its
 * distance from UTC. It is missing if no clock can be so far from STARTTIME. `seconds` is the time of the last sample and the time between two samples.
 * `series` has the names of the measurements.
 */
export function withSamples(ride: JsonRow, path: string, first: JsonRow | undefined): JsonRow {
  const samples = isJsonRow(ride.SAMPLES) ? ride.SAMPLES : {};
  const tags = isJsonRow(ride.TAGS) ? ride.TAGS : {};
  const { last } = isJsonRow(samples.SECS) ? samples.SECS : {};
  const every = Number(ride.RECINTSECS);
  return {
    ...ride,
    local:
      [...(first === undefined ? [path] : []), `${tags.Filename}`]
        .map((name) => localOf(name, `${ride.STARTTIME}`))
        .find((each) => each !== undefined) ?? localLike(first, `${ride.STARTTIME}`),
    seconds: typeof last === "number" ? Math.round((last + (every > 0 ? every : 0)) * 1000) / 1000 : undefined,
    series: Object.keys(samples),
  };
}

/** The local time of an instant, as far from UTC as that of the first ride of its file. */
function localLike(first: JsonRow | undefined, instant: string): string | undefined {
  if (typeof first?.local !== "string") return undefined;
  const local = Date.parse(`${first.local}Z`) - millisOf(`${first.STARTTIME}`) + millisOf(instant);
  return Number.isNaN(local) ? undefined : new Date(local).toISOString().slice(0, 19);
}

/** The milliseconds since 1970 of `2013/05/27 07:56:35 UTC`. */
function millisOf(instant: string): number {
  return Date.parse(`${utcOf(instant.trim()).replaceAll("/", "-").replace(" ", "T")}Z`);
}

/**
 * Adds two members to a ride of a list: `local`, as above, and `totals`, the numbers of its metrics. A mean has its weight behind it, which is left.
 */
export function withTotals(ride: JsonRow): JsonRow {
  const metrics = isJsonRow(ride.METRICS) ? Object.entries(ride.METRICS) : [];
  return {
    ...ride,
    local: localOf(`${ride.filename}`, `${ride.date}`),
    totals: Object.fromEntries(metrics.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])),
  };
}

/** Reads `2013_05_27_08_56_35.json` as a local time, if it can be the local time of this instant. */
function localOf(name: string, instant: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /(?:^|\/)(\d{4})_(\d{2})_(\d{2})_(\d{2})_(\d{2})_(\d{2})\.[a-z]{2,4} ?$/i.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  const time = `${hour}:${minute}:${second}`;
  const start = millisOf(instant);
  if (second === undefined || Number.isNaN(start) || Number.isNaN(asIfUtc({ date, time }))) return undefined;
  return atInstant({ date, time }, start, 0).instant === undefined ? undefined : `${date}T${time}`;
}
