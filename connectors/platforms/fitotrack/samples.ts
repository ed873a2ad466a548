/** Reads the points of a backup: one list for all workouts outdoors. README.md lists the values in the points. */
import type { Issue } from "../../../transforms/model/issue.ts";
import { HEART_RATE } from "../../../transforms/plausibility/heart-rates.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { streamUnpacked } from "../../containers/gzip.ts";
import type { Point } from "../../formats/recording.ts";
import { XmlError, type XmlRecord, xmlEach } from "../../formats/xml/each.ts";
import { numberOf } from "../../formats/xml/members.ts";
import type { Listed, ListedPoint, TrackList } from "../table/description.ts";
import { positionOf } from "../table/files/points.ts";

/** The elements of all lists of a backup. */
const PLACE = { path: ["fito-track", "*", "*"] } as const;

/** The bytes in which three closing tags surely end, with blanks and line ends between them. */
const KEPT = 256;

/** The last instant that a date can have, in milliseconds since 1970. */
const LAST = 8.64e15;

/** The list of points of a backup. */
export const samples: TrackList = { listed, isDamage: (error) => error instanceof XmlError };

async function* listed(archive: Archive, entry: Entry): AsyncGenerator<Listed> {
  const quiet = () => {};
  const end = new LastBytes();
  let isInPoints = false;
  try {
    const chunks = end.of(streamUnpacked(archive, entry, quiet));
    for await (const { name, parent, issue, record = {} } of xmlEach(chunks, PLACE, quiet)) {
      if (issue !== undefined) throw new XmlError(issue);
      if (isInPoints && parent !== "samples") yield { isEnd: true };
      isInPoints = parent === "samples";
      // The elements of a list have the name of the list.
      if (name !== parent) continue;
      if (name === "workouts") yield rowOf(record);
      else if (name === "samples") yield pointOf(record);
    }
  } catch (error) {
    // The file ends in its last closing tags, and no point is missing.
    if (isInPoints && LIST_ENDS.test(end.text)) yield { isEnd: true };
    throw error;
  }
}

/** The end of a file in which a point ends, and the beginning of another closing tag follows: that of the list. */
const LIST_ENDS = /<\/samples>\s*<\/[^<>]*(?:>[^<>]*(?:<[^<>]*)?)?$/;

/** Keeps the last bytes of a stream. */
class LastBytes {
  #bytes: Uint8Array = new Uint8Array(0);

  get text(): string {
    return Buffer.from(this.#bytes).toString("latin1");
  }

  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(-KEPT)]).subarray(-KEPT);
      yield chunk;
    }
  }
}

function rowOf({ id, start, end }: XmlRecord): Listed {
  const [from, until] = [numberOf(start), numberOf(end)];
  const isSpan = from !== undefined && until !== undefined && until >= from;
  return { row: textOf(id), ...(isSpan && { between: { from, until } }) };
}

function pointOf({ workoutId, lat, lon, elevationMSL, speed, absoluteTime, heartRate }: XmlRecord): ListedPoint {
  const faults: Issue[] = [];
  const fault = (rule: string, field: string, found: readonly unknown[], expected: string) => {
    const values = printable(found.map(textOf).join(", "), 40);
    faults.push({ severity: "warning", rule: `fitotrack/${rule}`, field, found: values, expected });
  };
  const time = numberOf(absoluteTime);
  const isTime = time !== undefined && time > 0 && time < LAST;
  const beats = numberOf(heartRate);
  const isMeasured = heartRate !== undefined && !(beats !== undefined && beats <= 0);
  const isPossible = beats !== undefined && beats >= HEART_RATE.least && beats <= HEART_RATE.most;
  const position = positionOf(numberOf(lat), numberOf(lon));
  const elevation = numberOf(elevationMSL);
  const metresASecond = numberOf(speed);
  if (!isTime)
    fault("point-without-time", "absoluteTime", [absoluteTime], "milliseconds since 1970; the point was left out");
  if (position === undefined)
    fault("point-without-place", "lat", [lat, lon], "a place on the earth; the point goes without one");
  if (isMeasured && !isPossible)
    fault("point-heart-rate", "heartRate", [heartRate], "1 to 250 beats a minute; the point goes without one");
  const point: Point = {
    ...(isTime && { instant: time }),
    ...(position !== undefined && { position }),
    ...(elevation !== undefined && { elevation }),
    ...(metresASecond !== undefined && metresASecond >= 0 && { speed: metresASecond }),
    ...(isPossible && { heartRate: Math.round(beats) }),
  };
  return { of: textOf(workoutId), point, ...(faults.length > 0 && { faults }) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
