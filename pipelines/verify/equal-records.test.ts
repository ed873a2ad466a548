import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { AnsweredRecord } from "../journal/links.ts";
import type { LogEntry } from "../journal/remote-record.ts";
import type { Run } from "../journal/run.ts";
import { openJournal } from "../journal/sqlite.ts";
import { EqualRecords } from "./equal-records.ts";

const RUN: Run = {
  ...{
    id: 1,
    state: "finished",
    createdAt: 0,
    finishedAt: 1,
    sources: [],
    options: { tracks: true, activityIDs: {}, workoutIDs: {} },
    read: 1,
    requests: 1,
  },
};

const entry = (id: string): LogEntry => ({
  ...{ kind: "workout", id, activityID: 10 },
  facts: { activity: "run", date: "2021-06-01", time: "16:12:08", instant: undefined, metres: 12_120, seconds: 3600 },
});

const record = (key: string, inLog?: string): AnsweredRecord => ({
  ...{ key, place: key, values: {} },
  origin: { connector: "made", archive: "made", entry: key },
  ...(inLog !== undefined && { inLog }),
});

test("a workout of the log that a person called another one is no second copy", async () => {
  await using journal = await openJournal(join(temporaryFolder(), "journal.db"));
  const equals = new EqualRecords();
  equals.addImported("ours", { activityID: 10, date: "2021-06-01", time: "16:12:08", metres: 12_120, seconds: 3600 });
  const list = async () => (async function* () { yield* [entry("typed"), entry("also typed")]; })(); // biome-ignore format: short
  const named = async () => (await equals.find(RUN, journal, list)).map(({ id }) => id);
  expect(await named()).toEqual(["typed", "also typed"]);
  await journal.links.keepAnswer({ records: [record("row"), record("log", "typed")], answer: "two", take: {}, at: 1 });
  expect(await named()).toEqual(["also typed"]);
});
