/** Rows without a date and without a word below or between the workouts: totals, means, the longest and the shortest, sums that miss a row. */
import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { inferMapping, isOpen, writeMapping } from "../infer.ts";

/** The open questions of a table, and the distances that are loaded once there are none. */
async function load(lines: readonly string[], answers: Record<string, string> = {}) {
  const files = { "runs.csv": `${["Date,km,Time", ...lines].join("\n")}\n` };
  const archive = memoryArchive("log", files);
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(Object.entries(answers)), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const asked = proposal.choices.filter(isOpen);
  if (asked.length > 0) return { asked, kilometres: [] };
  const read = await readAll(
    csv,
    memoryArchive("log", { ...files, "runs.map.yaml": writeMapping(proposal, table.path) }),
  );
  const workouts = read.readings.flatMap((one) => (one.kind === "workout" ? [one.value] : []));
  return { asked, kilometres: workouts.map(({ distance }) => distance?.value) };
}

const RUNS = ["5.0,0:30:00", "6.5,0:36:00", "8.0,0:44:00", "10.5,1:00:00", "7.0,0:40:00", "9.0,0:50:00"];
const KILOMETRES = [5, 6.5, 8, 10.5, 7, 9];
const dated = (rows: readonly string[]) => rows.map((row, at) => `2021-03-0${at + 1},${row}`);

/** The same with a second run behind the first three. */
const TWICE = dated(RUNS).flatMap((row, at) => (at < 3 ? [row, `,3.${at + 1},0:2${at}:00`] : [row]));
const OF_BOTH = [5, 3.1, 6.5, 3.2, 8, 3.3, 10.5, 7, 9];

test.each([
  ["a total, a mean, the longest and the shortest", dated(RUNS), [",46,4:20:00", ",7.7,0:43:20", ",10.5,1:00:00", ",5.0,0:30:00"], KILOMETRES, false],
  ["the longest and the shortest below second runs", TWICE, [",10.5,1:00:00", ",3.1,0:20:00"], OF_BOTH, true],
  ["a total below second runs", TWICE, [",55.6,5:23:00"], OF_BOTH, false],
  ["a total that misses the last run, below second runs", TWICE, [",46.6,4:33:00"], OF_BOTH, true],
])("%s without a date and a word are a question, and no workouts of the last day", async (_, rows, below, kilometres, isUnproven) => {
  const { asked } = await load([...rows, ...below]);
  expect(asked).toMatchObject([{ place: "rows.0", value: "total", rows: below.length }]);
  expect(asked[0]?.isUnproven === true).toBe(isUnproven);
  const loaded = await load([...rows, ...below], { "rows.0": "total" });
  expect(loaded).toEqual({ asked: [], kilometres });
}); // biome-ignore format: a table

test("sums of months of which one misses a run are a question, and no runs of the last day", async () => {
  const month = (number: number, sum: string) => [
    ...TWICE.map((row) => row.replace("-03-", `-0${number}-`)),
    `,${sum}`,
  ];
  const lines = [...month(1, "55.6,5:23:00"), ...month(2, "50.6,4:53:00"), ...month(3, "55.6,5:23:00")];
  const { asked } = await load(lines);
  expect(asked).toMatchObject([{ place: "rows.0", value: "total", rows: 3 }]);
  const { kilometres } = await load(lines, { "rows.0": "total" });
  expect(kilometres).toEqual([...OF_BOTH, ...OF_BOTH, ...OF_BOTH]);
});

test("second runs between dates are workouts without a question", async () => {
  expect(await load(TWICE)).toEqual({ asked: [], kilometres: OF_BOTH });
});

test("rows without a date that all stand below the last one are a question without a first answer", async () => {
  const { asked } = await load([...dated(RUNS), ",3.2,0:21:00", ",4.4,0:25:00", ",6.1,0:33:00"]);
  expect(asked).toMatchObject([{ place: "layout.asAbove", isUnproven: true }]);
});
