/** The points of a workout's JSON file. They are read one at a time: where they began, and a track of them in the place of a missing TCX file. */
import { localDate } from "../../../transforms/calendar.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { jsonEach } from "../../formats/json/each.ts";
import { JsonError, parsedJson } from "../../formats/json/parts.ts";
import { monthNamed } from "../../formats/month-names.ts";
import type { Point } from "../../formats/recording.ts";
import { decodeStream } from "../../formats/text.ts";
import type { RecordedTrack, RowSource } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** The columns that a workout gets from its points. Without a TCX file beside it, its track is made of them. */
export const OF_POINTS = { position: "first position", series: "series of the points" } as const;

/** Adds what the points say to the rows of workouts. A row has the name of a file. */
export function withPoints(source: RowSource): RowSource {
  return {
    ...(source.claims && { claims: source.claims }),
    async *records(archive, entry) {
      const points: Point[] = [];
      for await (const point of pointsIn(archive, entry)) points.push(point);
      yield { value: { points }, place: undefined };
    },
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const stems = new Set([...archive.entries()].filter(({ path }) => /\.tcx$/i.test(path)).map(stemOf));
      const [position, series] = [OF_POINTS.position, OF_POINTS.series].map((name) => found.header.indexOf(name));
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          for await (const row of found.rows(session, entry, mapping, report)) {
            if (!("fields" in row)) yield row;
            else {
              const first = await firstIn(session.archive, entry);
              const fields = [...row.fields];
              fields[position ?? -1] =
                first?.position === undefined ? "" : `${first.position.lat} ${first.position.lon}`;
              fields[series ?? -1] = first?.instant === undefined || stems.has(stemOf(entry)) ? "" : "positions";
              yield { ...row, fields };
            }
          }
        },
      };
    },
  };
}

/** The track of a workout. */
export function trackOf({ points }: JsonRow): RecordedTrack {
  return { points: points as readonly Point[] };
}

function stemOf({ path }: Entry): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[a-z]{3,4}$/i, "");
}

/** The first point with a position. */
async function firstIn(archive: Archive, entry: Entry): Promise<Point | undefined> {
  for await (const point of pointsIn(archive, entry)) if (point.position !== undefined) return point;
  return undefined;
}

/** Gives the points up to the first that can't be read. The row reports what is wrong with its file. */
async function* pointsIn(archive: Archive, entry: Entry): AsyncGenerator<Point> {
  try {
    const texts = decodeStream(archive.stream(entry), () => {});
    for await (const { text, line } of jsonEach(texts, ["*", "points", "*"])) yield pointOf(parsedJson(text, line));
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof ArchiveError)) throw error;
  }
}

/** A point is a list of pieces, and its place is one too. */
function pointOf(pieces: unknown): Point {
  const all = inOne(pieces);
  const { latitude, longitude } = inOne(all.location);
  const { altitude, distance_km: km, timestamp } = all;
  return defined({
    instant: instantOf(timestamp),
    position: positionOf(latitude, longitude),
    elevation: typeof altitude === "number" ? altitude : undefined,
    distance: typeof km === "number" ? ({ unit: "km", value: km } as const) : undefined,
    heartRate: aboveZero(all.heart_rate_bpm),
    cadence: aboveZero(all.cadence_rpm),
  });
}

function inOne(pieces: unknown): JsonRow {
  return Object.assign(Object.create(null), ...[pieces].flat(Number.POSITIVE_INFINITY).filter(isJsonRow));
}

/** `Fri Apr 29 10:30:32 UTC 2016`, in milliseconds since 1970. A point that a person typed has none. */
function instantOf(text: unknown): number | undefined {
  const [, month = "", day, clock, year] =
    /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d\d:\d\d:\d\d) (?:UTC|GMT) (\d{4})$/.exec(`${text}`) ?? [];
  const date = localDate(Number(year), monthNamed(month) ?? 0, Number(day));
  const instant = date === undefined ? Number.NaN : Date.parse(`${date}T${clock}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}
