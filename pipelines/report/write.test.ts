import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { toFacts } from "../../transforms/duplicates.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run } from "../journal/run.ts";
import { openJournal } from "../journal/sqlite.ts";
import { createReport } from "./report.ts";
import { reportSchema } from "./schema.ts";
import { checkReportPath, ReportError, writeReport } from "./write.ts";

// Names of archives as somebody hostile would choose them (RELIABILITY B.7, E2 and T1).
const SCRIPT = `"'></title></style></svg><script>alert(1)</script><img src=x onerror=alert(2)>`;
const CONTROL = "\u001b[2J\u001b]52;c;aGk=\u0007\r\u009b31m\u202egpj.exe\u2066 ]]> -- &amp; \u0000";
const LONG = `${"x".repeat(10_000)}.fit`;

const OPTIONS = { now: Date.UTC(2026, 10, 21, 20, 1), version: "9.9.9", places: true };

const folder = temporaryFolder();
let journal: Journal;

beforeEach(async () => {
  journal = await openJournal(join(folder, "journal.db"));
});
afterEach(() => journal.close());

/** A run with a workout and a rejected record for every name. */
async function runOf(names: readonly string[]): Promise<Run> {
  await journal.bindAccount({ baseUrl: "log.example", userHash: "h", name: names[0] ?? "ann" });
  const sources = names.map((name) => ({ path: `/home/ann/private/${name}`, name, connector: "test", saw: name }));
  const run = await journal.startPlan(sources, { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} }, 1000);
  for (const [index, name] of names.entries()) {
    const origin = { connector: "test", archive: name, entry: name, locator: name };
    const position = { lat: 48.123456, lon: 16.654321 };
    const value: Workout = {
      activity: "run",
      start: { date: `20${10 + index}-03-0${1 + index}`, position },
      distance: { unit: "km", value: 10 },
      duration: 3600,
      notes: "a note nobody else should read",
      unsupported: [{ field: name, value: name }],
    };
    const facts = toFacts(value);
    const line = { kind: "workout", source: index, origin, action: "none", value, facts } as const;
    await journal.addLine(run, { ...line, key: `w${index}`, state: "unchanged" });
    await journal.addLine(run, { ...line, key: `m${index}`, state: "merged", duplicateOf: `w${index}`, reason: name });
    for (const state of ["quarantined", "skipped"] as const) {
      const rejectedCount = {
        key: `${state}${index}`,
        kind: "set-aside",
        source: index,
        origin,
        state,
        action: "none",
      } as const;
      await journal.addLine(run, { ...rejectedCount, reason: `test/bad-name (name is ${JSON.stringify(name)})` });
    }
    await journal.addIssue(run, {
      severity: "warning",
      rule: `test/name-${index}`,
      found: name,
      expected: name,
      field: name,
      origin,
    });
  }
  await journal.planReady(run, names.length * 4);
  await journal.setRunState(run, "finished", 2000);
  const examples = names.map((name) => ({
    kind: "workout" as const,
    id: "7",
    origin: { connector: "test", archive: name, entry: name },
    differences: [{ field: name, expected: name, found: undefined }],
  }));
  const sums = { metres: { planned: 1, found: 1 }, seconds: { planned: 1, found: 1 } };
  await journal.setVerified(run, {
    at: 3000,
    checked: 1,
    present: 0,
    differing: 3,
    claimedTwice: 0,
    doubled: 0,
    edited: 0,
    unread: 0,
    ...sums,
    examples,
  });
  return (await journal.run(run)) as Run;
}

async function written(name: string, run: Run, options = OPTIONS): Promise<string> {
  await writeReport(journal, run, await createReport(journal, run, options), join(folder, name));
  return readFileSync(join(folder, name), "utf8");
}

test("two pairs of one model are told apart, in the page and in the file", async () => {
  await journal.bindAccount({ baseUrl: "log.example", userHash: "h", name: "ann" });
  const source = { path: "/home/ann/export.zip", name: "export.zip", connector: "test", saw: "x" };
  const run = await journal.startPlan([source], { tracks: true, activityIDs: { run: 10 }, workoutIDs: {} }, 1000);
  const pair = { activity: "run", brandName: "Nike", modelName: "Pegasus" };
  const values = [{ ...pair, purchaseDate: "2016-03-01" }, { ...pair, serial: "B-2" }, { activity: "bike" }];
  for (const [index, value] of values.entries()) {
    const origin = { connector: "test", archive: "export.zip", entry: "shoes.csv", locator: `line ${index + 2}` };
    const line = { kind: "equipment", source: 0, origin, action: "none", state: "merged" } as const;
    await journal.addLine(run, {
      ...line,
      key: `e${index}`,
      value: value as never,
      duplicateOf: "other",
      reason: "the same",
    });
  }
  await journal.planReady(run, values.length);
  const planned = (await journal.run(run)) as Run;
  const report = await createReport(journal, planned, OPTIONS);
  for (const name of ["report.html", "report.json"]) {
    await writeReport(journal, planned, report, join(folder, name));
    const text = readFileSync(join(folder, name), "utf8");
    for (const words of [
      "Nike Pegasus, bought 2016-03-01",
      "Nike Pegasus, serial B-2",
      "bike equipment without a name",
    ])
      expect(text).toContain(words);
  }
});

test("the commands that a page adds of its own are completed, as those of the report", async () => {
  const run = await runOf(["a"]);
  const report = { ...(await createReport(journal, run, OPTIONS)), losses: [{ field: "power", count: 1 }] };
  await writeReport(journal, run, report, join(folder, "own.html"), (text) =>
    text.replace("logferry status", "logferry status --journal '/my <logs>/a.db'"),
  );
  expect(readFileSync(join(folder, "own.html"), "utf8")).toContain(
    `<code>logferry status --journal &#39;/my &lt;logs&gt;/a.db&#39; --run ${run.id} --report loss.csv</code>`,
  );
});

describe("what is in the file", () => {
  test("a JSON report is what its schema says, names of strangers and all", async () => {
    const run = await runOf([SCRIPT, CONTROL, LONG]);
    const text = await written("r.json", run);
    const report = JSON.parse(text);
    // Another reading of JSON Schema than the one that made it.
    const Ajv = createRequire(import.meta.url)("ajv/dist/2020.js");
    const validate = new Ajv.default({ strict: false, validateFormats: false }).compile(reportSchema());
    expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
    for (const wrong of [
      { ...report, ledger: undefined },
      { ...report, formatVersion: "1" },
      { ...report, records: [{}] },
    ]) {
      expect(validate(JSON.parse(JSON.stringify(wrong)))).toBe(false);
    }
    expect(report.records).toHaveLength(9);
    expect(report.records[0].origin.archive).toBe(SCRIPT);
    expect(report.ledger).toMatchObject({ read: 12, unchanged: 3, merged: 3, quarantined: 3, skipped: 3 });
    expect(report.totals.inLog).toEqual({ workouts: 3, metres: 30_000, seconds: 10_800 });
    expect(report.verdict.canClose).toBe(false);
    expect(text).not.toMatch(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/);
  });

  test("E2 T1 the page shows names as text: no element of theirs, nothing that drives a terminal, nothing endless", async () => {
    const text = await written("r.html", await runOf([SCRIPT, CONTROL, LONG]));
    expect(text).not.toMatch(/<script|<img|<iframe|<object|<link/i);
    expect(text.match(/<style>/g)).toHaveLength(1);
    expect(text.match(/<title[ >]/g)?.length).toBe(text.match(/<\/title>/g)?.length);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).toContain("\\x1b[2J");
    expect(text).toContain("\\u{202e}");
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
    expect(text).not.toContain("x".repeat(500));
    expect(text.length).toBeLessThan(250_000);
  });

  test("neither file tells folders of this machine, notes, or places finer than a kilometre; without places it tells none", async () => {
    const run = await runOf(["a.zip"]);
    for (const name of ["r.json", "r.html"]) {
      const text = await written(name, run);
      expect(text).toContain("a.zip");
      expect(text).not.toContain("/home/ann");
      expect(text).not.toContain("nobody else should read");
      expect(text).not.toMatch(/48\.123|16\.654/);
      expect(text.includes("16.65") || text.includes("16.7")).toBe(true);
      const without = await written(name, run, { ...OPTIONS, places: false });
      expect(without).not.toMatch(/16\.65|16\.7/);
    }
  });

  test("of many records of one reason the page shows the first and says how many there are; the JSON has all", async () => {
    const run = await journal.startPlan(
      [{ path: "/a", name: "a", connector: "test", saw: "" }],
      { tracks: true, activityIDs: {}, workoutIDs: {} },
      1,
    );
    for (let index = 0; index < 1234; index++) {
      const origin = { connector: "test", archive: "a.zip", entry: "a.csv", locator: `line ${index}` };
      await journal.addLine(run, {
        key: `k${index}`,
        kind: "set-aside",
        source: 0,
        origin,
        state: "quarantined",
        action: "none",
        reason: "csv/bad-date (x)",
      });
    }
    await journal.planReady(run, 1234);
    const made = (await journal.run(run)) as Run;
    const page = await written("r.html", made);
    expect(page).toContain("The first 200 of 1\u202f234");
    expect(page.match(/class="where"/g)).toHaveLength(200);
    expect(JSON.parse(await written("r.json", made)).records).toHaveLength(1234);
  });
});

describe("the file itself", () => {
  test("is its owner's alone, whatever the mask, and nothing is left beside it", async () => {
    const before = process.umask(0);
    try {
      await written("r.html", await runOf(["a.zip"]));
    } finally {
      process.umask(before);
    }
    expect(statSync(join(folder, "r.html")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("is written over an older report, and over nothing else", async () => {
    const run = await runOf(["a.zip"]);
    for (const name of ["r.json", "r.html"]) {
      await written(name, run);
      expect(await written(name, run, { ...OPTIONS, version: "10.0.0" })).toContain("10.0.0");
    }
    writeFileSync(join(folder, "export.json"), '{"mine": 1}');
    writeFileSync(join(folder, "page.html"), "<!doctype html><title>Mine</title>");
    mkdirSync(join(folder, "folder.html"));
    symlinkSync(join(folder, "r.html"), join(folder, "link.html"));
    for (const name of ["export.json", "page.html", "folder.html", "link.html"]) {
      await expect(written(name, run), name).rejects.toThrow(ReportError);
      await expect(checkReportPath(join(folder, name)), name).rejects.toThrow(ReportError);
    }
    expect(readFileSync(join(folder, "export.json"), "utf8")).toBe('{"mine": 1}');
  });

  test("is refused before anything is done where its name says no format, or its folder isn't there", async () => {
    for (const [name, state] of [
      ["report.pdf", "must end in .html, .json or .csv"],
      ["report", "must end in .html, .json or .csv"],
      ["nowhere/r.html", "there is no folder"],
      ["journal.db/r.html", "is not a folder"],
    ] as const) {
      await expect(checkReportPath(join(folder, name))).rejects.toThrow(state);
    }
    await expect(checkReportPath(join(folder, "R.HTML"))).resolves.toBeUndefined();
  });

  test("that breaks off half-way leaves the older one whole, and no part of itself", async () => {
    const run = await runOf(["a.zip"]);
    const old = await written("r.json", run);
    const broken = new Proxy(journal, {
      get: (target, name) => {
        if (name === "lines")
          return () => {
            throw new Error("gone");
          };
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const report = await createReport(journal, run, OPTIONS);
    await expect(writeReport(broken, run, report, join(folder, "r.json"))).rejects.toThrow("gone");
    expect(readFileSync(join(folder, "r.json"), "utf8")).toBe(old);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
