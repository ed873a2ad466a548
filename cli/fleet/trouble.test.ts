import { expect, inject, test } from "vitest";
import { FleetAthletes } from "../../pipelines/fleet/athletes.ts";
import { openFleetDatabase } from "../../pipelines/fleet/database.ts";
import { openFleetQueue } from "../../pipelines/fleet/queue.ts";
import { sayAtWork } from "../../pipelines/fleet/workers.ts";
import { watchTrouble } from "./trouble.ts";

test("a batch that watches says once that no worker is there, that one takes nobody, which log doesn't answer, and who waits for another worker", async () => {
  const address = await (await fetch(inject("newDatabases"))).text();
  await using database = await openFleetDatabase(address, new AbortController().signal);
  const queue = await openFleetQueue(database);
  const athletes = new FleetAthletes(database, queue);
  await athletes.put(
    {},
    ["ana", "ben", "cy"].map((key) => ({ key, athlete: {} })),
  );
  const lines: string[] = [];
  const look = watchTrouble({ remark: (...more) => void lines.push(...more) }, database, ["ana", "ben"]);
  const lookAt = async (...seconds: readonly number[]) => {
    for (const second of seconds) await look(1_000 * second);
    return lines.splice(0);
  };

  expect(await lookAt(0, 6, 12)).toEqual([]);
  expect(await lookAt(18, 24)).toEqual(["No worker is at work. Start one: logferry worker"]);

  await sayAtWork(database, "process 7 on gym", "the disk of gym is full, or can't be written (/tmp)");
  await database.query("UPDATE logferry_fleet.athletes SET away_why = 'Cannot reach the log at http://lgo.example'");
  await database.query(
    "UPDATE logferry_fleet.athletes SET left_why = 'sealed for another key', worker = '' WHERE key <> 'ana'",
  );
  // Not at each look of the batch.
  expect(await lookAt(26)).toEqual([]);
  expect(await lookAt(30, 36)).toEqual([
    "The worker process 7 on gym takes nobody: the disk of gym is full, or can't be written (/tmp).",
    "2 athletes waiting for a log that doesn't answer. Cannot reach the log at http://lgo.example",
    "1 athlete waiting for another worker. The last one said: sealed for another key",
  ]);
  await queue.close();
});
