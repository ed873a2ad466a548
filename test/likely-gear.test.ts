import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { longTest, test } from "./support/tier-tests.ts";

// Two sources call a shoe by different names. By the real command line into a real log.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

type Worn = readonly [day: string, shoe: string, km?: number];

/** A sheet with a run of an hour a day, and the shoes as brand and model. */
function sheet(
  name: string,
  shoes: Readonly<Record<string, readonly [brand: string, model: string, bought?: string]>>,
  worn: readonly Worn[],
) {
  const folder = join(rehearsal.folder, name);
  mkdirSync(folder, { recursive: true });
  const rows = worn.map(([day, shoe, km = 10]) => `${day},07:00,Run,${km},1:00:00,${shoe}`);
  writeFileSync(join(folder, `${name}.csv`), `Date,Time,Activity,Distance,Duration,Shoe\n${rows.join("\n")}\n`);
  const values = Object.entries(shoes).map(
    ([word, [brand, model, bought]]) =>
      `    ${word}: { ${brand === "" ? "" : `brandName: ${brand}, `}modelName: "${model}", activity: run${bought === undefined ? "" : `, purchaseDate: ${bought}`} }`,
  );
  const mapping = `version: 1
dates: { order: iso }
columns:
  Date: { field: date }
  Time: { field: time }
  Activity: { field: activity }
  Distance: { field: distance, unit: km }
  Duration: { field: duration, format: [h:mm:ss] }
  Shoe: { field: equipment }
values:
  equipment:
${values.join("\n")}
`;
  writeFileSync(join(folder, `${name}.map.yaml`), mapping);
  return join(folder, `${name}.csv`);
}

async function imported(sources: readonly string[], ...flags: readonly string[]) {
  const ran = await rehearsal.run(["import", "--json", ...sources, ...flags]);
  const lines = jsonLines(ran.out);
  const doubtful = lines.find(({ rule }) => rule === "plan/doubtful-gear")?.example as { found: string } | undefined;
  const gap = lines.find(({ rule }) => rule === "plan/gear-gap")?.example as
    | { readonly found: string; readonly expected: string }
    | undefined;
  const reasons = lines.flatMap(({ type, kind, reason }) => (type === "record" && kind === "equipment" ? reason : []));
  return { ...ran, doubtful: doubtful?.found, gap, reasons };
}

/** The shoes of the log with their kilometres. */
async function shoes(): Promise<Record<string, unknown>> {
  const all = await rehearsal.listed("/rest/logs/me/equipment");
  return Object.fromEntries(
    all.map(({ brandName, modelName, distance }) => [
      [brandName, modelName].filter(Boolean).join(" "),
      ((distance as { value?: number } | undefined)?.value ?? 0) / 1000,
    ]),
  );
}

const DAYS = ["2024-05-01", "2024-05-02", "2024-05-03", "2024-05-04"];
const STRAVA = { peg: ["Nike", "Pegasus 33"] } as const;
const wornBy = (shoe: string, days = DAYS): readonly Worn[] => days.map((day) => [day, shoe]);

test("pegs are the Nike Pegasus 33 that the other source names for the same workouts, and its mileage is not doubled", async () => {
  const sources = [
    sheet("first", STRAVA, wornBy("peg")),
    sheet("second", { pegs: ["", "pegs"] }, [...wornBy("pegs"), ["2024-05-05", "pegs"]]),
  ];
  const ran = await imported(sources);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(ran.reasons).toContainEqual(
    "the same equipment (worn in 4 of 4 workouts that both sources have) as Nike Pegasus 33 in first.csv line 2",
  );
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 50 });
  expect(ran.out).not.toContain("second equipment");
  // Later the second source comes alone, with a new run.
  expect(
    await imported([
      sheet("second", { pegs: ["", "pegs"] }, [...wornBy("pegs"), ["2024-05-05", "pegs"], ["2024-05-06", "pegs"]]),
    ]),
  ).toMatchObject({ code: 0 });
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 60 });
});

test("a longer name of the same model is one shoe, another number is another shoe", async () => {
  const theirs = { air: ["", "Nike Air Zoom Pegasus 33"], next: ["", "Nike Air Zoom Pegasus 34"] } as const;
  const ran = await imported([
    sheet("first", STRAVA, wornBy("peg", ["2024-05-01", "2024-05-03"])),
    sheet("second", theirs, [
      ["2024-05-02", "air"],
      ["2024-05-02", "next", 5],
      ["2024-05-04", "next"],
    ]),
  ]);
  expect(ran).toMatchObject({ code: 0, doubtful: undefined });
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 30, "Nike Air Zoom Pegasus 34": 15 });
});

test("the same model worn in other years stays two and is named, until a person says what it is", async () => {
  const sources = [
    sheet("first", STRAVA, wornBy("peg")),
    sheet("second", { old: ["", "Pegasus 33"] }, wornBy("old", ["2019-01-01", "2019-01-02"])),
  ];
  const ran = await imported(sources);
  expect(ran.doubtful).toBe(
    "perhaps one piece of equipment: Nike Pegasus 33 (first.csv line 2) and Pegasus 33 (second.csv line 2): the same model and number, no workout in both sources names a piece",
  );
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 40, "Pegasus 33": 20 });
  expect(await imported(sources, "--same-gear", "Pegasus 33!=Nike Pegasus 33")).toMatchObject({ doubtful: undefined });
});

test("a shoe of one name with a rest of more than a year is named with its numbers, and a person's word makes two of it", async () => {
  const sources = [
    sheet("first", { peg: ["Nike", "Pegasus"] }, wornBy("peg", ["2014-05-01", "2014-09-30"])),
    sheet("second", { peg: ["", "NikePegasus"] }, wornBy("peg", ["2018-03-02", "2018-03-04", "2018-05-01"])),
  ];
  const planned = await rehearsal.run(["plan", "--json", ...sources]);
  const gap = jsonLines(planned.out).find(({ rule }) => rule === "plan/gear-gap")?.example;
  expect(gap, planned.out + planned.err).toMatchObject({
    found:
      "perhaps two pieces of equipment with one name: Nike Pegasus (first.csv line 2) was last used on 2014-09-30 (2 workouts, 20 km up to then), and next on 2018-03-02 (3 workouts, 30 km from then)",
    expected:
      'one piece: it stays one. If you had two, plan again with --same-gear "Nike Pegasus!=NikePegasus" before you import. Where one source has both, give the newer one a name of its own in its source',
  });
  const two = ["--same-gear", "Nike Pegasus!=NikePegasus"];
  expect(await imported(sources, ...two)).toMatchObject({ code: 0, gap: undefined });
  const mileages = (await rehearsal.listed("/rest/logs/me/equipment")).map(({ distance }) => distance);
  expect(mileages).toMatchObject([{ value: 20_000 }, { value: 30_000 }]);
  // The next import knows both by their keys, without the word.
  expect(await imported(sources)).toMatchObject({ code: 0, gap: undefined });
  expect(await rehearsal.listed("/rest/logs/me/equipment")).toHaveLength(2);
});

longTest(
  "a shoe that was bought after the last use of the other source's shoe is another one, and the plan says so",
  async () => {
    const sources = [
      sheet("first", { peg: ["Nike", "Pegasus"] }, wornBy("peg", ["2014-05-01", "2014-09-30"])),
      sheet("second", { peg: ["Nike", "Pegasus", "2014-10-02"] }, wornBy("peg", ["2014-10-03", "2014-10-05"])),
    ];
    const planned = await rehearsal.run(["plan", "--json", ...sources]);
    const two = jsonLines(planned.out).find(({ rule }) => rule === "plan/gear-bought-later")?.example;
    expect(two, planned.out + planned.err).toMatchObject({
      found:
        "Nike Pegasus of second.csv line 2 was bought on 2014-10-02, and that of first.csv line 2 was last used on 2014-09-30",
      expected: expect.stringContaining('plan again with --same-gear "Nike Pegasus=Nike Pegasus"'),
    });
    const mileages = async () => (await rehearsal.listed("/rest/logs/me/equipment")).map(({ distance }) => distance);
    expect(await imported(sources)).toMatchObject({ code: 0, doubtful: undefined });
    expect(await mileages()).toMatchObject([{ value: 20_000 }, { value: 20_000 }]);
    // A shoe that was used on the day of its purchase may be one.
    const one = [
      sheet("third", { speed: ["", "Speed"] }, wornBy("speed", ["2015-05-01", "2015-05-02"])),
      sheet("fourth", { speed: ["", "Speed", "2015-05-02"] }, wornBy("speed", ["2015-05-03"])),
    ];
    expect(await imported(one)).toMatchObject({ code: 0, doubtful: undefined });
    expect((await mileages()).length).toBe(3);
  },
);

longTest("a person's word makes one shoe of two that a day of purchase separates", async () => {
  const sources = [
    sheet("first", { peg: ["Nike", "Pegasus"] }, wornBy("peg", ["2014-05-01", "2014-09-30"])),
    sheet("second", { peg: ["Nike", "Pegasus", "2014-10-02"] }, wornBy("peg", ["2014-10-03"])),
  ];
  const ran = await imported(sources, "--same-gear", "Nike Pegasus=Nike Pegasus");
  expect(ran.out).not.toContain("plan/gear-bought-later");
  expect(await shoes()).toEqual({ "Nike Pegasus": 30 });
});

longTest("a source that knows a shoe by its name alone has one piece over the rest, and it is named once", async () => {
  const shoe = { peg: ["", "Pegasus"] } as const;
  const source = sheet("first", shoe, wornBy("peg", ["2014-05-01", "2015-05-03"]));
  const ran = await imported([source]);
  expect(ran.gap).toMatchObject({
    found: expect.stringContaining("last used on 2014-05-01 (1 workout, 10 km up to then), and next on 2015-05-03"),
    expected:
      "one piece: it stays one. If you had two, give the newer one a name of its own in its source, and plan again",
  });
  expect(await shoes()).toEqual({ Pegasus: 20 });
  expect((await imported([source])).gap).toBeUndefined();
  // Two sheets have one shoe of the same name. Their words can't be told apart, so no word is offered.
  const later = await imported([source, sheet("second", shoe, wornBy("peg", ["2018-03-01"]))]);
  expect(later.gap).toMatchObject({
    found: expect.stringContaining(
      "Pegasus (first.csv line 2) was last used on 2015-05-03 (2 workouts, 20 km up to then)",
    ),
    expected: expect.not.stringContaining("--same-gear"),
  });
  // A year and a day is a rest that needs no word.
  expect(
    (await imported([sheet("other", { blue: ["", "blue"] }, wornBy("blue", ["2014-05-01", "2015-05-02"]))])).gap,
  ).toBeUndefined();
});

test("a person's word makes two names one shoe before anything is loaded", async () => {
  const sources = [
    sheet("first", STRAVA, wornBy("peg")),
    sheet("second", { old: ["", "daily shoe"] }, wornBy("old", ["2019-01-01"])),
  ];
  expect(await imported(sources, "--same-gear", "nike pegasus 33=Daily Shoe")).toMatchObject({ code: 0 });
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 50 });
  const wrong = await rehearsal.run(["plan", ...sources, "--same-gear", "daily shoe"]);
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("expected NAME=NAME for one piece") });
});

longTest("a person's word makes a name of a later source one with a shoe of the log", async () => {
  await imported([sheet("first", STRAVA, wornBy("peg"))]);
  const later = [sheet("second", { old: ["", "daily shoe"] }, wornBy("old", ["2019-01-01"]))];
  const { code, out } = await imported(later, "--same-gear", "nike pegasus 33=Daily Shoe");
  expect(code).toBe(0);
  expect(out).not.toContain("plan/unknown-gear");
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 50 });
});

test("a shoe of a later source is the log's shoe of the same workouts, and one that is none of them is named with its 0 km", async () => {
  const days = Array.from({ length: 22 }, (_, at) => `2024-05-${String(at + 1).padStart(2, "0")}`);
  const both = { ...STRAVA, kay: ["Asics", "Kayano"] } as const;
  await imported([sheet("first", both, [...wornBy("peg", days.slice(0, 20)), ...wornBy("kay", days.slice(20))])]);
  const all = await imported([sheet("second", { pegs: ["", "pegs"] }, wornBy("pegs", days))]);
  expect(all.code, all.out + all.err).toBe(0);
  const found = (ran: { readonly out: string }, rule: string) =>
    (jsonLines(ran.out).find((line) => line.rule === rule)?.example as { found?: string } | undefined)?.found;
  expect(found(all, "plan/equipment-reused")).toMatch(
    /^pegs is taken for Nike Pegasus 33 in your log \(\w+\): worn in 20 of 22 workouts that your log has with a shoe or a bike$/,
  );
  expect(await shoes()).toEqual({ "Nike Pegasus 33": 200, "Asics Kayano": 20 });
  // 15 of 22 are too few, and a person may say that they are two.
  const third = sheet("third", { old: ["", "daily"] }, wornBy("old", days.slice(5)));
  const refused = await rehearsal.run(["plan", "--json", third, "--same-gear", "daily!=Nike Pegasus 33"]);
  expect(found(refused, "plan/gear-unused")).toBe(
    "daily (third.csv line 2) gets 0 km: its 17 workouts are in another source or in your log already, with Nike Pegasus 33 in 15 and Asics Kayano in 2",
  );
  const few = await imported([sheet("fourth", { few: ["", "few"] }, wornBy("few", days.slice(14)))]);
  expect(found(few, "plan/gear-unused")).toContain("with Nike Pegasus 33 in 6 and Asics Kayano in 2");
  expect(found(few, "plan/equipment-reused")).toBeUndefined();
});

test("a word of --same-gear that is no shoe is named", async () => {
  const source = sheet("first", STRAVA, wornBy("peg"));
  const ran = await rehearsal.run(["plan", "--json", source, "--same-gear", "nike pegasus 33=Dayly Shoe"]);
  const unknown = jsonLines(ran.out).filter(({ rule }) => rule === "plan/unknown-gear");
  expect(unknown.map(({ example }) => example)).toMatchObject([
    { found: '--same-gear: no shoe or bike of your sources or of your log is called "Dayly Shoe"' },
  ]);
});

longTest("three sources with three names have one shoe, although the first and the third never meet", async () => {
  const ran = await imported([
    sheet("first", { blue: ["", "blue"] }, wornBy("blue", ["2024-05-01", "2024-05-02", "2024-05-03"])),
    sheet("second", STRAVA, wornBy("peg", [...DAYS, "2024-05-05", "2024-05-06"])),
    sheet("third", { pegs: ["", "pegs"] }, wornBy("pegs", ["2024-05-04", "2024-05-05", "2024-05-06"])),
  ]);
  expect(ran).toMatchObject({ code: 0, doubtful: undefined });
  expect(await shoes()).toEqual({ blue: 60 });
});

test("one workout with both is no proof of another name", async () => {
  const sources = [
    sheet("first", STRAVA, wornBy("peg", DAYS.slice(0, 1))),
    sheet("second", { it: ["", "blue"] }, wornBy("it", DAYS.slice(0, 1))),
  ];
  const { doubtful } = await imported(sources);
  expect(doubtful).toContain(
    "Nike Pegasus 33 (first.csv line 2) and blue (second.csv line 2): worn in 1 of 1 workouts",
  );
  expect(Object.keys(await shoes())).toHaveLength(2);
});

longTest(
  "three names are one shoe by a person's word, where one source has two of them, also by an alias of an alias",
  async () => {
    const strava = sheet("strava", STRAVA, wornBy("peg"));
    const own = { a: ["", "Pegasus"], b: ["", "pegs"] } as const;
    const notebook = sheet("notebook", own, [...wornBy("a", DAYS.slice(0, 2)), ...wornBy("b", DAYS.slice(2))]);
    const said = ["--same-gear", "Nike Pegasus 33=Pegasus", "--same-gear", "Pegasus=pegs"];
    expect(await imported([strava, notebook], ...said)).toMatchObject({ code: 0, doubtful: undefined });
    expect(await shoes()).toEqual({ "Nike Pegasus 33": 40 });
  },
);

test("an answer of --same-gear that can't be followed is named with its reason, and one about a single source is followed", async () => {
  const own = { a: ["", "Pegasus"], b: ["", "pegs"] } as const;
  const notebook = sheet("notebook", own, [...wornBy("a", DAYS.slice(0, 2)), ...wornBy("b", DAYS.slice(2))]);
  const journal = join(rehearsal.folder, "other.db");
  const named = async (...words: readonly string[]) => {
    const { out } = await rehearsal.run(["plan", "--json", notebook, ...words], { journal });
    const found = jsonLines(out).filter(({ rule }) => rule === "plan/gear-answer-not-used");
    return found.map(({ example }) => (example as { found: string }).found);
  };
  const one = ["--same-gear", "Pegasus=pegs"];
  expect(await named(...one)).toEqual([]);
  const ran = await rehearsal.run(["import", notebook, ...one], { journal });
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await shoes()).toEqual({ Pegasus: 40 });
  expect(await named("--same-gear", "Pegasus!=pegs")).toEqual([
    '--same-gear "Pegasus!=pegs" had no effect: they are one piece in your log already, and a log can\'t divide one',
  ]);
});

longTest("an answer of --same-gear about two shoes of the log is named", async () => {
  const own = { a: ["", "Pegasus"], b: ["", "pegs"] } as const;
  const notebook = sheet("notebook", own, [...wornBy("a", DAYS.slice(0, 2)), ...wornBy("b", DAYS.slice(2))]);
  await imported([notebook]);
  const { out } = await rehearsal.run(["plan", notebook, "--same-gear", "Pegasus=pegs"]);
  expect(out).toContain(
    '--same-gear "Pegasus=pegs" had no effect: your log has both already, and a log can delete nothing. Each workout keeps its piece there',
  );
});
