/** How Golden Cheetah writes its values. */
import { asIfUtc } from "../../../transforms/calendar.ts";
import { atInstant } from "../at-instant.ts";
import { isJsonRow, type JsonRow } from "../table/json-source.ts";

/** Turns `2013/05/27 07:56:35 UTC` into a text without the zone, which is always this one. */
export function utcOf(text: string): string {
  return text.replace(/ UTC$/, "");
}

/**
 * A ride with three members more. `local` is the start as the clock had it, by the name of the file, or by the tag with that name if
 * somebody renamed the file; it is missing where no clock can be so far from STARTTIME. `seconds` is the time of the last sample and the
 * time between two. `series` has the names of the measurements.
 */
export function withSamples(ride: JsonRow, path: string): JsonRow {
  const samples = isJsonRow(ride.SAMPLES) ? ride.SAMPLES : {};
  const tags = isJsonRow(ride.TAGS) ? ride.TAGS : {};
  const { last } = isJsonRow(samples.SECS) ? samples.SECS : {};
  const every = Number(ride.RECINTSECS);
  return {
    ...ride,
    local: [path, `${tags.Filename}`]
      .map((name) => localOf(name, `${ride.STARTTIME}`))
      .find((each) => each !== undefined),
    seconds: typeof last === "number" ? Math.round((last + (every > 0 ? every : 0)) * 1000) / 1000 : undefined,
    series: Object.keys(samples),
  };
}

/** `2013_05_27_08_56_35.json` as a local time, if it can be the one of this instant. */
function localOf(name: string, instant: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /(?:^|\/)(\d{4})_(\d{2})_(\d{2})_(\d{2})_(\d{2})_(\d{2})\.[a-z]{2,4} ?$/i.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  const time = `${hour}:${minute}:${second}`;
  const start = Date.parse(`${utcOf(instant.trim()).replaceAll("/", "-").replace(" ", "T")}Z`);
  if (second === undefined || Number.isNaN(start) || Number.isNaN(asIfUtc({ date, time }))) return undefined;
  return atInstant({ date, time }, start, 0).instant === undefined ? undefined : `${date}T${time}`;
}
