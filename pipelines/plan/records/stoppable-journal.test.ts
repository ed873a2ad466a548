import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openWorld } from "../../../test/support/scripted-log.ts";
import type { Item } from "../../../transforms/model/item.ts";
import { stoppableJournal } from "./stoppable-journal.ts";

const workout = (index: number): Item => ({
  kind: "workout",
  key: `row ${index}`,
  origin: { connector: "rows", archive: "rows.zip", entry: `row ${index}` },
  value: {
    activity: "run",
    start: { date: "2024-05-01", time: `${String(index % 24).padStart(2, "0")}:00:00` },
    distance: { unit: "km", value: index + 1 },
    duration: 3000,
  },
});

test("the lines of a plan end when a person stops it, although nothing is waited for", async () => {
  const world = openWorld();
  try {
    const readings = Array.from({ length: 2000 }, (_, index) => workout(index));
    const run = await world.plan([{ name: "rows.zip", connector: "rows", readings }]);
    const controller = new AbortController();
    // As the handler of Ctrl-C: it runs only in a turn of the event loop of its own.
    void nextTurn().then(() => controller.abort());
    const seen: string[] = [];
    const reading = async () => {
      for await (const line of stoppableJournal(await world.journal(), controller.signal).lines(run?.id ?? 0, {}))
        seen.push(line.key);
    };
    await expect(reading()).rejects.toMatchObject({ name: "AbortError" });
    expect(seen.length).toBeLessThan(2000);
  } finally {
    await world.close();
  }
});
