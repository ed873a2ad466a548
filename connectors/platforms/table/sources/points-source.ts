/** Reads tables of points. Each file is a workout, and each line a point of its track. A file becomes one row. */
import type { Issue } from "../../../../transforms/model/issue.ts";
import type { Archive, Entry } from "../../../containers/archive.ts";
import type { Point } from "../../../formats/recording.ts";
import { fold, namesOf } from "../columns/columns.ts";
import type { AnyColumn, ColumnRow, FoundRows, RecordedTrack, RecordFound, RowSource } from "../description.ts";
import { readHeader } from "../reading/csv-rows.ts";
import { pointCells } from "../reading/point-cells.ts";
import { isRecord, readTable } from "../reading/read-table.ts";
import { csvEach } from "./csv-source.ts";

/** Gives the text of a point's cell; "" if there is none. */
export type PointCellOf<Column extends string> = (column: Column) => string;

/** Sums up the points of a file. */
export interface PointSum<Column extends string> {
  /** Takes the next point. */
  readonly add: (cellOf: PointCellOf<Column>) => void;
  /** The cells of the row, by the columns of the description; an issue for a file that is not a workout; undefined for a file without points. */
  readonly result: () => Readonly<Record<string, string>> | Issue | undefined;
}

/** The description of a table of points. */
export interface PointTable<Column extends string> {
  /** Names of files that may be such tables. */
  readonly files: RegExp;
  /** The columns that a line may have. */
  readonly columns: readonly Column[];
  /** The columns that every header has, or whether a header is the platform's. */
  readonly knownBy: readonly Column[] | ((header: readonly string[]) => boolean);
  /** Begins to sum up a file's points. */
  readonly sum: (path: string) => PointSum<Column>;
  /** Reads a line as a point of a track, for platforms whose lines have a time. */
  readonly point?: (cellOf: PointCellOf<Column>) => Point;
}

/** The record of a file: its points. */
interface PointRecord {
  readonly points: readonly Point[];
}

/** Makes a source of rows from tables of points. */
export function points<Column extends string>(described: PointTable<Column>): RowSource {
  const { files, columns, knownBy, sum, point } = described;
  const tables = csvEach(files, knownBy);
  const named = columns.map((name): ColumnRow => [name, "ignore"]);
  return {
    ...(tables.claims && { claims: tables.claims }),
    ...(point !== undefined && { records: (archive, entry) => recordOf(archive, entry, described) }),
    async find(archive: Archive, ours: readonly AnyColumn[]): Promise<FoundRows | undefined> {
      const found = await tables.find(archive, named);
      if (found === undefined) return undefined;
      const header = ours.flatMap(([theirs]) => theirs);
      return {
        ...found,
        header,
        async *rows(session, entry, mapping, report) {
          const track = sum(entry.path);
          const cellOf = await pointCells(session.archive, entry);
          for await (const row of found.rows(session, entry, mapping, report)) {
            if (!("fields" in row)) yield row;
            // The workout stays, since its other points are whole. But it is shorter than it was.
            else if (row.cut !== undefined) yield { origin: row.origin, error: row.cut };
            else track.add((column) => cellOf(row.fields[columns.indexOf(column)]));
          }
          const cells = track.result();
          const origin = session.origin(entry.path);
          const known = entry.path.slice(entry.path.lastIndexOf("/") + 1);
          if (isIssue(cells)) yield { origin, error: cells, known };
          else if (cells !== undefined) yield { origin, fields: header.map((name) => cells[name] ?? "") };
        },
      };
    },
  };
}

/** The track of such a table's row. */
export function trackOfPoints(record: Readonly<Record<string, unknown>>): RecordedTrack {
  return { points: (record as unknown as PointRecord).points };
}

async function* recordOf<Column extends string>(
  archive: Archive,
  entry: Entry,
  { point }: PointTable<Column>,
): AsyncGenerator<RecordFound> {
  const header = namesOf((await readHeader(archive, entry)) ?? []).map(fold);
  const found: Point[] = [];
  const cellOf = await pointCells(archive, entry);
  let isHeader = true;
  for await (const row of readTable(archive, entry)) {
    if (!isRecord(row)) continue;
    if (!isHeader && point !== undefined)
      found.push(point((column) => cellOf(row.fields[header.indexOf(fold(column))])));
    isHeader = false;
  }
  const value: PointRecord = { points: found };
  yield { value, place: undefined };
}

function isIssue(cells: Readonly<Record<string, string>> | Issue | undefined): cells is Issue {
  return cells !== undefined && "rule" in cells && "severity" in cells;
}

/** The mean and the largest of several heart rates. Devices write 0 for a missing value. */
export class HeartRates {
  #sum = 0;
  #count = 0;
  #most = 0;

  add(text: string): void {
    const beats = Number(text);
    if (!(beats > 0)) return;
    this.#sum += beats;
    this.#count++;
    this.#most = Math.max(this.#most, beats);
  }

  /** The mean as text; undefined without a heart rate. */
  get mean(): string | undefined {
    return this.#count === 0 ? undefined : String(Math.round((this.#sum / this.#count) * 10) / 10);
  }
  get most(): string | undefined {
    return this.#count === 0 ? undefined : String(this.#most);
  }
}

/** The number of a cell; undefined for an empty cell and for any other text. */
export function numberIn(text: string): number | undefined {
  const value = text === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
