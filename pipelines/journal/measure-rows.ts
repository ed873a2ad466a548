/** Reads the distances and durations of workouts alone, without the rest of their values. */
import { inMetres, type Measure } from "../../transforms/units.ts";
import type { JournalDatabase } from "./database.ts";
import type { Row } from "./rows.ts";
import { sql } from "./sql.ts";

/** Workouts in one read. */
const ROWS_PER_READ = 2_000;

/** The distance and the duration of a workout. */
export interface Measures {
  readonly metres: number | undefined;
  readonly seconds: number | undefined;
}

/** The same of a workout of a source. */
export interface SourceMeasures extends Measures {
  readonly source: number;
}

/** See `LinksReader.measures`. */
export async function* sourceMeasures(database: JournalDatabase, run: number): AsyncGenerator<SourceMeasures> {
  let after = 0;
  for (;;) {
    const rows = database.all(sql`SELECT seq, source, json_extract(own, '$.distance') AS distance,
        json_extract(own, '$.duration') AS seconds
      FROM (SELECT line.seq, source, coalesce(line_before.value, line.value) AS own
        FROM line LEFT JOIN line_before USING (run, seq)
        WHERE line.run = ${run} AND kind = 'workout' AND line.seq > ${after} AND line.value IS NOT NULL
        ORDER BY line.seq LIMIT ${ROWS_PER_READ})`);
    for (const { source, distance, seconds } of rows)
      yield {
        source: Number(source),
        metres: typeof distance === "string" ? inMetres(JSON.parse(distance) as Measure<"distance">) : undefined,
        seconds: numberFrom(seconds),
      };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.seq);
  }
}

/** See `LinksReader.typedMeasures`. */
export async function* typedMeasures(database: JournalDatabase): AsyncGenerator<Measures> {
  let after = "";
  for (;;) {
    const rows = database.all(sql`SELECT id, metres, seconds FROM log WHERE kind = 'workout' AND id > ${after}
        AND NOT EXISTS (SELECT 1 FROM placed WHERE placed.kind = 'workout' AND placed.remote_id = log.id)
      ORDER BY id LIMIT ${ROWS_PER_READ}`);
    for (const { metres, seconds } of rows) yield { metres: numberFrom(metres), seconds: numberFrom(seconds) };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = String(last.id);
  }
}

/** A source writes 0 for "not measured". */
function numberFrom(value: Row[string] | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
