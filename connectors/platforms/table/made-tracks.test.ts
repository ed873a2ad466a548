import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { nike } from "../index.ts";

const run = (at: number) => ({
  id: `run-${at}`,
  type: "run",
  start_epoch_ms: at,
  end_epoch_ms: at + 1_800_000,
  active_duration_ms: 1_800_000,
  summaries: [{ metric: "distance", summary: "total", value: 5 }],
  tags: {},
  metrics: ["latitude", "longitude"].map((type) => ({
    type,
    values: [0, 1000].map((after) => ({
      start_epoch_ms: at + after,
      end_epoch_ms: at + after,
      value: 48 + after / 1e6,
    })),
  })),
});

test("every file that tracks are made of is closed again", async () => {
  const runs = [0, 1, 2].map((day) => run(Date.UTC(2021, 4, 10 + day, 6)));
  const archive = memoryArchive("nike", { "activities.json": JSON.stringify({ activities: runs }) });
  let opened = 0;
  let closed = 0;
  const counted = {
    ...archive,
    async *stream(...args: Parameters<typeof archive.stream>) {
      opened++;
      try {
        yield* archive.stream(...args);
      } finally {
        closed++;
      }
    },
  };
  const { readings } = await readAll(nike, counted);
  expect(readings.filter(({ kind }) => kind === "workout")).toHaveLength(3);
  expect(opened).toBeGreaterThan(1);
  expect(closed).toBe(opened);
});
