import { describe, expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { csv } from "../csv/connector.ts";
import { inferMapping, isOpen, type Proposal, writeMapping } from "./infer.ts";

interface Inferred {
  readonly refused?: string;
  /** The places that are open, and the first answer to the first of them. */
  readonly open?: readonly string[];
  readonly first?: string | undefined;
  readonly draft?: Proposal["draft"];
  readonly text?: string;
}

/** The proposal for a table. */
async function infer(lines: readonly string[], answers: Record<string, string> = {}): Promise<Inferred> {
  const name = "log.csv";
  const archive = memoryArchive("log", { [name]: `${lines.join("\n")}\n` });
  const [entry] = archive.entries();
  if (entry === undefined) throw new Error("no table");
  const told = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await inferMapping(archive, entry, told, "2026-03-01");
  if ("problem" in proposal) return { refused: proposal.problem };
  const open = proposal.choices.filter(isOpen);
  return {
    ...{ open: open.map(({ place }) => place), first: open[0]?.options[0]?.value, draft: proposal.draft },
    text: writeMapping(proposal, name),
  };
}

const KM = [10, 8.2, 15.5, 6, 21.1, 5, 12.4, 9.9];
/** As fast as people run, a little slower on long ways. */
const PACES = ["5:12", "5:02", "5:24", "4:55", "5:31", "4:50", "5:21", "5:08"];
const seconds = (pace: string) => Number(pace.slice(0, 1)) * 60 + Number(pace.slice(2));
const clock = (all: number, unit: number) =>
  `${Math.floor(all / unit)}:${String(Math.floor((all % unit) / (unit / 60))).padStart(2, "0")}`;
const rows = (cells: (row: number) => string) => KM.map((_, row) => `2014-03-${10 + row},${cells(row)}`);

describe("a pace below a header of durations", () => {
  test.each(["Date,km,Time", "Date,Distance (km),Time", "Datum,km,Zeit", "Date,km,Duration"])(
    "is a question below %s, and no hike",
    async (header) => {
      const place = `columns.${header.split(",")[2]}.field`;
      const { open, first } = await infer([header, ...rows((row) => `${KM[row]},${PACES[row]}`)]);
      expect({ open, first }).toEqual({ open: [place], first: "pace" });
    },
  );

  test("is counted as left where a person says so, and else the duration", async () => {
    const table = ["Date,km,Time", ...rows((row) => `${KM[row]},${PACES[row]}`)];
    const pace = await infer(table, { "columns.Time.field": "pace" });
    expect(pace.open).toEqual([]);
    expect(pace.draft?.columns.get("Time")).toEqual({ field: "unsupported", label: "pace" });
    const { draft } = await infer(table, { "columns.Time.field": "duration" });
    expect(draft?.columns.get("Time")).toMatchObject({ field: "duration" });
  });

  test.each([
    [
      "runs of minutes",
      (row: number) => `${KM[row]},${clock((KM[row] ?? 0) * seconds(PACES[row] ?? ""), 60)}`,
      "mm:ss",
    ],
    ["rides of hours", (row: number) => `${(KM[row] ?? 0) * 3},${clock((KM[row] ?? 0) * 600, 3600)}`, "h:mm"],
    ["repeats of a kilometre", (row: number) => `1,${PACES[row]}`, "mm:ss"],
  ])("is not asked for %s", async (_, cells, format) => {
    const { open, draft } = await infer(["Date,km,Duration", ...rows(cells)]);
    expect(open).not.toContain("columns.Duration.field");
    expect(draft?.columns.get("Duration")).toMatchObject({ field: "duration", format: [format] });
  });
});

describe("numbers that nobody knows", () => {
  const table = [
    "Date,km,Duration,TSS,kcal",
    ...rows((row) => `${KM[row]},${clock((KM[row] ?? 0) * 300, 3600)}:00,${40 + row},${300 + row}`),
  ];

  test("are left by the proposal alone until a person says so, and those that the log has no field for are not", async () => {
    const { open, draft, text } = await infer(table);
    expect(open).toEqual([]);
    expect(draft?.columns.get("TSS")).toEqual({ field: "unsupported", label: "TSS", proposed: true });
    expect(draft?.columns.get("kcal")).toEqual({ field: "unsupported", label: "calories", unit: "kcal" });
    expect(text).toContain('  TSS: { field: "unsupported", label: "TSS", proposed: true }'.replaceAll('"', ""));
    const said = await infer(table, { "columns.TSS.field": "unsupported" });
    expect(said.draft?.columns.get("TSS")).toEqual({ field: "unsupported", label: "TSS" });
  });
});

describe("a pace that doesn't follow from other columns", () => {
  const left = async (header: string, cells: (row: number) => string, answers = {}) => {
    const { draft } = await infer([header, ...rows(cells)], answers);
    return [...(draft?.columns ?? [])].filter(([, { field }]) => field === "unsupported").map(([, words]) => words);
  };
  const time = (row: number) => clock((KM[row] ?? 0) * 300, 3600);

  test("keeps the account open where the duration or the distance is missing", async () => {
    const cells = (row: number) => `${KM[row]},${PACES[row]}`;
    expect(await left("Date,km,Pace", cells)).toEqual([{ field: "unsupported", label: "pace", proposed: true }]);
    expect(await left("Date,Duration,Pace", (row) => `${time(row)}:00,${PACES[row]}`)).toEqual([
      { field: "unsupported", label: "pace", proposed: true },
    ]);
    const said = await left("Date,km,Pace", cells, { "columns.Pace.field": "pace" });
    expect(said).toEqual([{ field: "unsupported", label: "pace" }]);
  });

  test("keeps the account open under its own name where it is a split", async () => {
    const cells = (row: number) => `${KM[row]},${time(row)}:00,4:${20 + row}`;
    expect(await left("Date,km,Duration,Split 1", cells)).toEqual([
      { field: "unsupported", label: "Split 1", proposed: true },
    ]);
  });
});

test("a word of training that the log has no type for stays in the notes", async () => {
  const kinds = ["DL", "TWL", "Intervalle", "DL", "LDL", "DL", "Intervalle", "DL"];
  const lines = ["Datum,km,Art,Notiz", ...rows((row) => `${KM[row]},${kinds[row]},n${row}`)];
  const { draft, text } = await infer(lines);
  expect(draft?.columns.get("Art")).toEqual({ field: "type", label: "Art" });
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n`, "log.map.yaml": text ?? "" });
  const { readings } = await readAll(csv, archive);
  const read = readings.flatMap((one) => (one.kind === "workout" ? [[one.value.type, one.value.notes]] : []));
  expect(read.slice(0, 5)).toEqual([
    ["easy", "n0"],
    [undefined, "n1\nArt: TWL"],
    ["interval", "n2"],
    ["easy", "n3"],
    [undefined, "n4\nArt: LDL"],
  ]);
});

describe("the only column that says a distance", () => {
  test("keeps the account open where its texts are left by an answer to a question", async () => {
    const table = ["Date,km,Duration", ...rows((row) => `2018-0${row + 1}-20,0:4${row}:00`)];
    const { open, draft } = await infer(table, { "columns.km.field": "unsupported" });
    expect(open).toEqual([]);
    expect(draft?.columns.get("km")).toMatchObject({ field: "unsupported", proposed: true });
    const out = await infer(table, { "columns.km.field": "ignore" });
    expect(out.draft?.columns.get("km")).toMatchObject({ field: "ignore" });
  });
});

describe("sums of weeks", () => {
  const weeks = ["03-02", "03-09", "03-16", "03-23", "03-30", "04-06"].map((day) => `2014-${day}`);
  const table = (header: string, km: readonly number[], dates = weeks) => [
    ...header.split("\n"),
    ...dates.map((day, row) => `${day},${km[row]},${((km[row] ?? 0) / 11).toFixed(1)}`),
  ];
  const SUMS = [62, 71, 55, 80.5, 66, 90];
  const RUNS = [22, 18, 25, 20, 28, 24];

  test.each([
    ["more than one run is", table("Date,km,Hours", SUMS)],
    ["the header of a sum", table("Date,Weekly km,Hours", RUNS)],
    ["the header of a total", table("Datum,Gesamt km,Stunden", RUNS)],
    ["a title above", table("Weekly totals,,\nDate,km,Hours", RUNS)],
    [
      "months of them",
      table(
        "Date,km,Hours",
        SUMS,
        ["01", "02", "03", "04", "05", "06"].map((m) => `2014-${m}-01`),
      ),
    ],
  ])("are asked for by %s, and refused if they are", async (_, lines) => {
    const place = `columns.${lines.find((line) => line.startsWith("Dat"))?.split(",")[0]}.field`;
    const { open, first } = await infer(lines);
    expect({ open, first }).toEqual({ open: [place], first: "week" });
    expect(await infer(lines, { [place]: "week" })).toEqual({
      refused: "you said that each row sums up several workouts: a sum is no workout",
    });
    expect((await infer(lines, { [place]: "date" })).open).toEqual([]);
  });

  test.each([
    ["long runs", table("Date,km,Hours", RUNS), "run"],
    ["rides", table("Date,km,Hours", SUMS), "bike"],
    [
      "sums on any day",
      table("Date,km,Hours", SUMS, weeks.toSpliced(1, 3, "2014-03-05", "2014-03-07", "2014-03-11")),
      "run",
    ],
  ])("are not asked for %s", async (_, lines, sport) => {
    expect((await infer(lines, { "defaults.activity": sport })).open).toEqual([]);
  });
});

test("a mixed fraction is its value, alone and with its unit, and in a text its workout waits", async () => {
  const cells = ["3 1/2", "3½ mi", "4 1/4", "½", "10"];
  const lines = [
    "Date,Miles,Hours",
    ...cells.map((cell, row) => `2014-03-${10 + row * 2},${cell},${row === 4 ? "1 1/2" : "½"}`),
  ];
  const { text = "" } = await infer(lines);
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n`, "log.map.yaml": text });
  const { readings } = await readAll(csv, archive);
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading.value] : []));
  expect(workouts.map(({ distance, duration }) => [distance?.value, duration])).toEqual([
    [3.5, 1800],
    [3.5, 1800],
    [4.25, 1800],
    [0.5, 1800],
    [10, 5400],
  ]);
  const texts = ["3½ mi easy", "3 1/2 mi easy", "5 mi", "6 mi tempo", "8 mi long"];
  const { draft } = await infer(["Date,Run", ...texts.map((cell, row) => `2014-03-${10 + row},${cell}`)]);
  const [patterns] = [draft?.columns.get("Run")?.split as readonly string[]];
  const fitting = texts.filter((cell) =>
    patterns.some((pattern) => new RegExp(`^(?:${pattern.replaceAll("?P<", "?<")})$`).test(cell)),
  );
  expect(fitting).toEqual(["5 mi", "6 mi tempo", "8 mi long"]);
});
