import { expect, test } from "vitest";
import { type Outcome, readAll } from "../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../test/support/proposal.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { parseMapping } from "../csv/mapping.ts";
import { inferMapping, writeMapping } from "./infer.ts";

/** The mapping file of a table of runs, and what comes of its rows. */
async function written(lines: readonly string[]) {
  const table = `${lines.join("\n")}\n`;
  const proposal = await proposalFor(table, new Map([["defaults.activity", "run"]]));
  const text = writeMapping(proposal, "log.csv");
  return { text, read: () => readAll(csv, memoryArchive("log", { "log.csv": table, "log.csv.map.yaml": text })) };
}

const workoutsOf = ({ readings }: Outcome) =>
  readings.flatMap((reading) => (reading.kind === "workout" && "value" in reading ? [reading.value] : []));

test("each line that the file offers for a column can stand in it", async () => {
  const { text } = await written(["Date,km,x", "2015-01-03,8,7", "2015-01-04,9,8", "2015-01-05,9,9"]);
  const found = /^ {2}x: (\{ field: ASK.*?\}) {2}# CHECK: (.*)$/m.exec(text);
  const [, braces = "", comment = ""] = found ?? [];
  const offered = comment.match(/\{ field: [^}]* \}/g) ?? [];
  expect(offered.length).toBeGreaterThan(3);
  for (const one of offered) {
    // A table with one date and one distance has no second one.
    const asked = text.replace(braces, one).replaceAll("unit: ASK", "unit: km");
    const result = parseMapping("log.map.yaml", asked);
    const errors = "errors" in result ? result.errors : [];
    expect(errors.filter((error) => !/only one column can be it|found 2/.test(error))).toEqual([]);
  }
});

test("all rows of a table with names are kept by a file without its rule, as the file says", async () => {
  const rows = ["Anna", "Ben"].flatMap((who, at) => [1, 2, 3].map((day) => `2015-01-${at}${day},${who},8,0:40:00`));
  const { text } = await written(["Date,Who,km,Time", ...rows]);
  expect(text).toContain("or without the rule (all rows are yours, and this rule can go)");
  expect(text).not.toContain("everybody");
});

test("a column called ASK is no question", async () => {
  const { text, read } = await written(["Date,km,Time,ASK", "2015-01-03,8,0:40:00,home", "2015-01-04,9,0:46:00,away"]);
  expect(text).toContain('"ASK": { field: notes, label: "ASK" }');
  expect(workoutsOf(await read())).toMatchObject([{ notes: "ASK: home" }, { notes: "ASK: away" }]);
});

test("a formula's error in the place of a distance or a duration is reported, and counted as lost", async () => {
  const rows = ["8,0:40:00", "#REF!,0:46:00", "#DIV/0!,0:41:00", "NaN,0:42:00", "9,#VALUE!", "10,0:50:00", "11,0:55:00", "7,0:35:00", "8,0:41:00"]; // biome-ignore format: a list
  const { read } = await written(["Date,km,Time", ...rows.map((row, at) => `2015-01-0${at + 1},${row}`)]);
  const outcome = await read();
  expect(outcome.issues.map(({ rule, found }) => [rule, found])).toEqual([
    ["csv/bad-number", "#REF!"],
    ["csv/bad-number", "#DIV/0!"],
    ["csv/bad-number", "NaN"],
    ["csv/bad-duration", "#VALUE!"],
  ]);
  expect(workoutsOf(outcome).flatMap(({ unsupported }) => (unsupported === undefined ? [] : [unsupported]))).toEqual([
    [{ field: "distance", value: "#REF!", isUnread: true }],
    [{ field: "distance", value: "#DIV/0!", isUnread: true }],
    [{ field: "distance", value: "NaN", isUnread: true }],
    [{ field: "duration", value: "#VALUE!", isUnread: true }],
  ]);
});

test("an encoding that the bytes don't prove is a question with one word in each, and the answer is read", async () => {
  const rows = ["2015-01-13,8,0:40:00,sch\x94n", "2015-01-14,9,0:46:00,so", "2015-01-15,9,0:45:00,so"];
  const table = Buffer.from(`Date,km,Time,Notes\n${rows.join("\n")}\n`, "latin1");
  const archive = memoryArchive("log", { "log.csv": table });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const propose = async (...answers: readonly [string, string][]) => {
    const all = new Map([["defaults.activity", "run"], ...answers] as [string, string][]);
    const proposal = await inferMapping(archive, entry, all, "2026-03-01");
    if ("problem" in proposal) throw new Error(proposal.problem);
    return proposal;
  };
  expect((await propose()).choices[0]).toMatchObject({
    place: "file.encoding",
    value: "cp850",
    options: [
      { value: "cp850", means: '"schön"' },
      { value: "macintosh", means: '"schîn"' },
      { value: "windows-1252", means: '"sch”n"' },
    ],
  });
  for (const [encoding, note] of [
    ["cp850", "schön"],
    ["macintosh", "schîn"],
  ] as const) {
    const text = writeMapping(await propose(["file.encoding", encoding]), "log.csv");
    const outcome = await readAll(csv, memoryArchive("log", { "log.csv": table, "log.csv.map.yaml": text }));
    expect(workoutsOf(outcome).map(({ notes }) => notes)).toEqual([note, "so", "so"]);
  }
});
