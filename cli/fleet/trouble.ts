/** What `batch` says while it watches: why nobody does anything, or less than they could. */
import type { Queries } from "../../pipelines/fleet/database.ts";
import { idleWorkers, SEEN_SECONDS, workersAtWork } from "../../pipelines/fleet/workers.ts";
import { printable } from "../../transforms/text/printable.ts";
import { athletes as inWords } from "../batch/print.ts";
import type { Output } from "../terminal/output.ts";

/** What a batch and its status say while nobody does anything. */
export const NO_WORKER = "No worker is at work. Start one: logferry worker";

/** The same of a database that only reads. */
export const NO_WORKER_AS_COPIED =
  "No worker is at work, as far as this database knows. It only reads now, and workers need the one that takes writes";

/** Milliseconds between two looks for trouble. */
const EVERY_MS = 5_000;

/** The words for a worker that takes nobody. */
export function idleInWords({ name, why }: { readonly name: string; readonly why: string }): string {
  return `The worker ${printable(name, 80)} takes nobody: ${why}.`;
}

/**
 * A function that looks for trouble, and says each kind once. It takes the time, in milliseconds.
 *
 * @param keys of the athletes who are watched
 */
export function watchTrouble(
  output: Pick<Output, "remark">,
  database: Pick<Queries, "query">,
  keys: readonly string[],
): (now: number) => Promise<void> {
  const said = new Set<string>();
  let [lookedAt, missingSince]: (number | undefined)[] = [];
  const sayOnce = (about: string, line: string) => {
    if (!said.has(about)) output.remark(line);
    said.add(about);
  };
  return async (now) => {
    if (lookedAt !== undefined && now - lookedAt < EVERY_MS) return;
    lookedAt = now;
    missingSince = (await workersAtWork(database)) > 0 ? undefined : (missingSince ?? now);
    if (missingSince !== undefined && now - missingSince >= SEEN_SECONDS * 1000) sayOnce(NO_WORKER, NO_WORKER);
    for (const idle of await idleWorkers(database)) sayOnce(idleInWords(idle), idleInWords(idle));
    for (const [waits, statement] of WAITS)
      for (const { why, count } of await database.query(statement, [keys]))
        sayOnce(String(why), `${inWords(Number(count))} ${waits} ${String(why)}`);
  };
}

const AWAY = `
  SELECT away_why AS why, count(*) AS count FROM logferry_fleet.athletes
  WHERE key = ANY($1) AND step <> 'done' AND away_why IS NOT NULL GROUP BY 1 ORDER BY 1 LIMIT 5`;

const LEFT = `
  SELECT left_why AS why, count(*) AS count FROM logferry_fleet.athletes
  WHERE key = ANY($1) AND step <> 'done' AND left_why IS NOT NULL AND worker = '' GROUP BY 1 ORDER BY 1 LIMIT 5`;

/** The words for athletes who wait, before the reason, and the statement that finds them. */
const WAITS: readonly (readonly [string, string])[] = [
  ["waiting for a log that doesn't answer.", AWAY],
  ["waiting for another worker. The last one said:", LEFT],
];
