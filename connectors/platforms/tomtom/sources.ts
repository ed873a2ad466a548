/** The two forms of TomTom's workouts: a file of the watch, and a table of points. */
import { instantInZone, zoneAt } from "../../../transforms/calendar.ts";
import { defined } from "../../../transforms/model/defined.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { readUnpacked } from "../../containers/gzip.ts";
import type { Point } from "../../formats/recording.ts";
import { offsetOfMinutes } from "../table/cells/instants.ts";
import type { RecordFound, RowSource } from "../table/description.ts";
import { aboveZero, positionOf } from "../table/files/points.ts";
import type { TableLap } from "../table/mapping/fields.ts";
import { HeartRates, numberIn, type PointCellOf, type PointSum, points } from "../table/sources/points-source.ts";
import { recordSource } from "../table/sources/record-source.ts";
import { readTtbin, TtbinError } from "./ttbin.ts";

/**
 * A workout may lie in both forms beside each other. So each form says of itself what it is, as if two apps had recorded them: rows of two apps are
 * compared with each other, and those of one are not.
 */
const FORMS = { watch: "file of the watch", table: "table of points" } as const;

/** Each file of a watch is a workout. */
export function watchFiles(): RowSource {
  return recordSource({
    files: /\.ttbin$/i,
    knownBy: ["start", "seconds"],
    oneEach: true,
    isKnown: (head) => head.startsWith(" "),
    records: (archive, entry) => recordOf(archive, entry, false),
    whole: (archive, entry) => recordOf(archive, entry, true),
    issueOf: (error) => (error instanceof TtbinError ? error.issue : undefined),
  });
}

async function* recordOf(archive: Archive, entry: Entry, isWhole: boolean): AsyncGenerator<RecordFound> {
  const { start, offset, measured, ...rest } = readTtbin((await readUnpacked(archive, entry)).bytes);
  const beats = new HeartRates();
  for (const [, { heartRate }] of measured) beats.add(`${heartRate ?? ""}`);
  const quarters = Math.round(offset / 900);
  const series = [
    ...(measured.some(([, { position }]) => position !== undefined) ? ["positions"] : []),
    ...(beats.mean === undefined ? [] : ["heart rates"]),
  ];
  const record = {
    ...rest,
    start: new Date(start * 1000).toISOString(),
    offset: offsetOfMinutes(String(quarters * 15)),
    avgHR: beats.mean,
    maxHR: beats.most,
    series,
    form: FORMS.watch,
  };
  yield { value: isWhole ? { ...record, measured } : record, place: undefined };
}

const COLUMNS = [
  ...["time", "activityType", "lapNumber", "distance", "speed", "calories", "lat", "long", "elevation"],
  ...["heartRate", "cycles", "localtime"],
] as const;
type Column = (typeof COLUMNS)[number];

/** The day and the time in the names of a watch's folders and files: `2014-06-03/Running_06-27-50.csv`. */
const NAMED = /(?:^|[/_ ])(\d{4}-\d{2}-\d{2})[/_ T](?:[^/]{0,40}_)?(\d{2})-(\d{2})-(\d{2})[^/]{0,40}$/;

/** Each table of points is a workout. */
export function pointTables(): RowSource {
  return points<Column>({
    files: /\.csv$/i,
    columns: COLUMNS,
    knownBy: ["time", "activityType", "lapNumber", "cycles"],
    sum: tableSum,
    point: pointOf,
  });
}

function tableSum(path: string): PointSum<Column> {
  const beats = new HeartRates();
  const [, day, hour, minute, second] = NAMED.exec(path) ?? [];
  let start = day === undefined ? "" : `${day}T${hour}:${minute}:${second}`;
  let [activity, calories] = ["", ""];
  let [seconds, metres] = [0, 0];
  let [hasPlaces, isTimed] = [false, false];
  const laps = new NumberedLaps();
  return {
    add(cellOf) {
      const time = numberIn(cellOf("time"));
      if (time === undefined) return;
      const clock = clockOf(cellOf);
      if (clock !== undefined && !isTimed) start = new Date(clock - time * 1000).toISOString().slice(0, 19);
      isTimed ||= clock !== undefined;
      activity ||= cellOf("activityType");
      calories = cellOf("calories") || calories;
      seconds = Math.max(seconds, time);
      metres = Math.max(metres, numberIn(cellOf("distance")) ?? 0);
      beats.add(cellOf("heartRate"));
      laps.add(cellOf("lapNumber"), seconds, metres);
      hasPlaces ||= placeOf(cellOf) !== undefined;
    },
    result: () =>
      activity === ""
        ? undefined
        : {
            ...{ start, activity, calories, seconds: String(seconds), metres: String(Math.round(metres * 10) / 10) },
            ...{ avgHR: beats.mean ?? "", maxHR: beats.most ?? "", series: hasPlaces ? "positions" : "" },
            laps: laps.text,
            form: FORMS.table,
          },
  };
}

/** The laps of a table whose points have the number of their lap. A lap ends at its last point. */
class NumberedLaps {
  readonly #ends = new Map<string, readonly [seconds: number, metres: number]>();

  /** Takes the next point, with the time and the distance since the start. */
  add(lap: string, seconds: number, metres: number): void {
    if (lap !== "") this.#ends.set(lap, [seconds, metres]);
  }

  /** The laps as a cell of the row; "" for a single lap. */
  get text(): string {
    if (this.#ends.size < 2) return "";
    let [begin, way] = [0, 0];
    const laps = [...this.#ends.values()].map(([seconds, metres]): TableLap => {
      const [timer, value] = [seconds - begin, Math.round((metres - way) * 10) / 10];
      [begin, way] = [seconds, metres];
      return { ...(timer > 0 && { timer }), ...(value > 0 && { distance: { unit: "m", value } }) };
    });
    return JSON.stringify(laps);
  }
}

/** The local time of a point, in milliseconds counted as if it was UTC. */
function clockOf(cellOf: PointCellOf<Column>): number | undefined {
  const text = cellOf("localtime");
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text) ? numberIn(String(Date.parse(`${text}Z`))) : undefined;
}

function placeOf(cellOf: PointCellOf<Column>): Point["position"] {
  return positionOf(numberIn(cellOf("lat")), numberIn(cellOf("long")));
}

/** Reads a point. Its time is local, so its position must give the zone. */
function pointOf(cellOf: PointCellOf<Column>): Point {
  const [clock, position, metres] = [clockOf(cellOf), placeOf(cellOf), numberIn(cellOf("distance"))];
  const zone = position === undefined ? undefined : zoneAt(position);
  return defined({
    instant: clock === undefined || zone === undefined ? undefined : instantInZone(clock, zone),
    position,
    distance: metres === undefined ? undefined : ({ unit: "m", value: metres } as const),
    elevation: numberIn(cellOf("elevation")),
    heartRate: aboveZero(numberIn(cellOf("heartRate"))),
  });
}
