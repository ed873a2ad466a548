/** Columns whose first reading would make impossible workouts, or take the measure away that each row has. */
import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping } from "./infer.ts";

async function proposalFor(lines: readonly string[]) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  const fieldOf = (name: string) => proposal.draft.columns.get(name)?.field;
  return { choices: new Map(proposal.choices.map((choice) => [choice.place, choice])), fieldOf };
}

/** Rows from day to day, with this many kilometres and seconds each. */
const RUNS = [6.2, 9.5, 12.1, 12.5, 7.4, 13.1, 9.9, 11.5, 8.8, 10.3].map((km, at) => ({
  date: `2021-01-${10 + 2 * at}`,
  km,
  seconds: Math.round(km * (340 + 3 * at)),
}));

const hms = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");

const STARTS = ["0630", "1815", "0600", "1745", "0645", "1220", "0705", "0630", "1930", "0655"];

test.each([
  ["Time", STARTS, true],
  ["Time", STARTS.map((start) => start.replace(/^0/, "")), true],
  ["Start", STARTS.map((start) => start.replace(/^0/, "")), false],
])("times of the day without a colon below %s are the start", async (header, starts, isTimed) => {
  const lines = RUNS.map(
    ({ date, km, seconds }, at) => `${date},${starts[at]},${km}${isTimed ? `,${hms(seconds)}` : ""}`,
  );
  const { fieldOf, choices } = await proposalFor([`Date,${header},km${isTimed ? ",Duration" : ""}`, ...lines]);
  expect(fieldOf(header)).toBe("time");
  if (isTimed) expect(fieldOf("Duration")).toBe("duration");
  expect(choices.has("columns.Duration.field")).toBe(false);
});

test("a running total of the times is a question, and its first answer loads none of them", async () => {
  let total = 0;
  const lines = RUNS.map(({ date, km, seconds }) => {
    total += seconds;
    return `${date},${km},${hms(total)}`;
  });
  const { choices } = await proposalFor(["Date,km,Total time", ...lines]);
  expect(choices.get("columns.Total time.field")).toMatchObject({
    value: "unsupported",
    why: expect.stringContaining(
      "larger than in the row before in 9 of 9 rows, and the differences are usual durations",
    ),
  });
  const own = RUNS.map(({ date, km, seconds }) => `${date},${km},${hms(seconds)}`);
  expect((await proposalFor(["Date,km,Total time", ...own])).choices.has("columns.Total time.field")).toBe(false);
  // A person who runs a little longer each time.
  const longer = RUNS.map(({ date }, at) => `${date},${6 + at},${hms(340 * (6 + at))}`);
  expect((await proposalFor(["Date,km,Time", ...longer])).choices.has("columns.Time.field")).toBe(false);
});

test("minutes below an hour among hours with a dot have no usual answer", async () => {
  const minutes = [42, 58, 68, 75, 45, 72, 60, 70, 49, 66];
  const typed = minutes.map((all) => (all < 60 ? String(all) : `1.${String(all - 60).padStart(2, "0")}`));
  const lines = RUNS.map(({ date }, at) => `${date},${((minutes[at] ?? 0) / 5.7).toFixed(1)},${typed[at]}`);
  const { choices } = await proposalFor(["Date,km,Time", ...lines]);
  expect(choices.get("columns.Time.format")).toMatchObject({
    isUnproven: true,
    why: expect.stringContaining("write them all as h:mm:ss in your table"),
  });
});

test("cells that are lengths with their unit are first of all the distance", async () => {
  const events = ["800m", "1500m", "3000m", "5000m"];
  const lines = RUNS.map(
    ({ date }, at) => `${date},${events[at % 4]},${["2:04.56", "4:12.30", "9:01.9", "15:33.2"][at % 4]}`,
  );
  const { choices, fieldOf } = await proposalFor(["Date,Event,Time", ...lines]);
  expect(fieldOf("Event")).toBe("distance");
  expect(choices.get("columns.Event.field")?.options?.[0]).toMatchObject({
    value: "distance",
    means: expect.stringContaining("10 of 10 cells are lengths with their unit"),
  });
});
