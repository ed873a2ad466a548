/**
 * The report as a person gets it. The commands write it, refuse it before they do anything, or report a failure afterwards. The test opens it from
 * the disk in a real browser, on a phone and at a desk, by day and by night.
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Journal } from "../pipelines/journal/journal.ts";
import { openJournal } from "../pipelines/journal/sqlite.ts";
import { createReport } from "../pipelines/report/report.ts";
import { writeReport } from "../pipelines/report/write.ts";
import { SCREENS, violationsOf } from "../service/test/browser.ts";
import { shareBrowser } from "../service/test/shared-browser.ts";
import { toFacts } from "../transforms/duplicates.ts";
import type { Workout } from "../transforms/model/workout.ts";
import { type Rehearsal, ROOT, rehearse } from "./support/rehearsal.ts";
import { requestLog } from "./support/request-log.ts";
import { copyDeviceFiles, ONE_RUN, someRuns, writeSheet } from "./support/small-sources.ts";
import { longTest } from "./support/tier-tests.ts";
import { firstOf } from "./support/tiers.ts";

let rehearsal: Rehearsal;

/** A page with everything on it, and the journal it was written from. */
let address: string;
let pageJournal: string;

beforeAll(async () => {
  rehearsal = await rehearse();
  const path = join(rehearsal.folder, "page.html");
  pageJournal = join(rehearsal.folder, "page.db");
  const journal = await openJournal(pageJournal);
  try {
    const run = await hostileRun(journal);
    await writeReport(journal, run, await createReport(journal, run, { now: 5000, version: "1", places: true }), path);
  } finally {
    await journal.close();
  }
  address = pathToFileURL(path).href;
});
afterAll(() => rehearsal.close());

describe("a report of a whole migration", () => {
  test("says the old account can be closed once everything was read back and nothing stayed out", async () => {
    const sheet = writeSheet(rehearsal.folder, someRuns(12), "whole");
    const [page, data] = [join(rehearsal.folder, "whole.html"), join(rehearsal.folder, "whole.json")];
    const journal = join(rehearsal.folder, "whole.db");
    const planned = await rehearsal.run(["plan", sheet, "--report", data], { journal });
    expect(planned.code, planned.err).toBe(0);
    const verdicts = [verdictIn(data)];
    const applied = await rehearsal.run(["apply", "--report", data, "--report", page], { journal });
    expect(applied.code, applied.err).toBe(0);
    expect(applied.out).toContain(`Report: ${page}`);
    verdicts.push(verdictIn(data));
    expect(readFileSync(page, "utf8")).toContain("Not proven yet");
    const verified = await rehearsal.run(["verify", "--json", "--report", data, "--report", page], { journal });
    expect(verified.code, verified.err).toBe(0);
    expect(verified.out).toContain(`{"type":"report","run":1,"path":${JSON.stringify(page)}}`);
    verdicts.push(verdictIn(data));
    expect(
      verdicts.map(({ isDone, canClose, obstacles }) => [isDone, canClose, obstacles.map(({ code }) => code)]),
    ).toEqual([
      [false, false, ["left", "not-verified"]],
      [true, false, ["not-verified"]],
      [true, true, []],
    ]);
    expect(readFileSync(page, "utf8")).toContain("Yes, verified");
    const status = await rehearsal.run(["status"], { journal });
    expect(status.out).toContain("Can the old account be closed? Yes, as far as these sources go");
  });
});

test("a report says what the run cost the service, over all the commands that carried it out", async () => {
  const log = requestLog();
  const own = await rehearse("kilometres", { log, database: ":memory:" });
  try {
    const sheet = writeSheet(own.folder, someRuns(5), "priced");
    const report = join(own.folder, "priced.json");
    const costs = async (words: readonly string[]) => {
      const before = log.all.length;
      const ran = await own.run([...words, "--report", report]);
      const asked = log.all.slice(before).filter(({ path }) => path.startsWith("/rest/")).length;
      return { code: ran.code, asked, told: JSON.parse(readFileSync(report, "utf8")).run.requests };
    };
    const first = await costs(["import", sheet, "--max-requests", "8", "--concurrency", "1"]);
    expect(first).toMatchObject({ code: 75, told: first.asked });
    const second = await costs(["apply"]);
    expect(second).toMatchObject({ code: 0, told: first.asked + second.asked });
    expect(second.told).toBeGreaterThan(8);
  } finally {
    await own.close();
  }
});

describe("a report that can't be written", () => {
  test.each([
    ["whose name says no format", "report.pdf", "its name must end in .html, .json or .csv"],
    ["in a folder that isn't there", "nowhere/report.html", "there is no folder"],
    ["in the place of a source", "kept.json", "something is there that is no report of logferry"],
  ])("%s is refused before anything is done, with exit code 2", async (_why, name, state) => {
    const sheet = writeSheet(rehearsal.folder, someRuns(2, "2010-01-01"), "refused");
    const journal = join(rehearsal.folder, "refused.db");
    const kept = join(rehearsal.folder, "kept.json");
    writeFileSync(kept, '{"mine":true}');
    const ran = await rehearsal.run(["import", sheet, "--report", join(rehearsal.folder, name)], { journal });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("Cannot write ");
    expect(ran.err).toContain(state);
    expect(readFileSync(kept, "utf8")).toBe('{"mine":true}');
    expect(readdirSync(rehearsal.folder)).not.toContain("refused.db");
  });

  longTest(
    "after all spoils neither the import's last words nor its exit, and says how to write it later",
    async () => {
      const sheet = writeSheet(rehearsal.folder, someRuns(30, "2011-01-01"), "spoilt");
      const journal = join(rehearsal.folder, "spoilt.db");
      const gone = join(rehearsal.folder, "gone");
      mkdirSync(gone);
      const { child, ended } = rehearsal.start(
        ["import", sheet, "--json", "--rate", "15", "--report", join(gone, "report.html")],
        { journal },
      );
      // The plan is printed before the first record is sent, and those thirty take two seconds at this rate.
      await once(child.stdout as NodeJS.ReadableStream, "data");
      rmSync(gone, { recursive: true });
      const ran = await ended;
      expect(ran.code).toBe(0);
      expect(ran.out).toContain('"type":"summary"');
      expect(ran.out).toContain("there is no such folder. The run itself is fine");
      expect(ran.out).toContain("logferry status --run 1 --report FILE");
      const later = join(rehearsal.folder, "later.json");
      expect((await rehearsal.run(["status", "--run", "1", "--report", later], { journal })).code).toBe(0);
      expect(JSON.parse(readFileSync(later, "utf8")).ledger.created).toBe(30);
    },
  );

  longTest("because the disk is full leaves nothing of itself, and status ends with 2", async () => {
    const path = join(rehearsal.folder, "full.html");
    expect(statSync(join(rehearsal.folder, "page.html")).size).toBeGreaterThan(FILE_BYTES * 2);
    const words = [join(ROOT, "bin", "logferry.js"), "status", "--report", path];
    const ran = spawnSync("sh", ["-c", `ulimit -f ${FILE_BYTES / 512}; exec "$0" "$@"`, process.execPath, ...words], {
      encoding: "utf8",
      env: { PATH: process.env.PATH ?? "", HOME: rehearsal.folder, LOGFERRY_JOURNAL: pageJournal },
    });
    expect(ran.stderr).toContain("Cannot write ");
    expect(ran.status).toBe(2);
    expect(readdirSync(rehearsal.folder).filter((name) => name.startsWith("full") || name.endsWith(".tmp"))).toEqual(
      [],
    );
  });
});

test("what was met in carrying a plan out is said at its end, to people and to programs: a track that the log refused", async () => {
  for (const [index, words] of [["--json"], []].entries()) {
    const armed = ["status-before-commit:POST /rest/logs/me/workouts/*:status=413,nth=1"];
    const other = await rehearse("kilometres", { faults: { armed } });
    try {
      const folder = copyDeviceFiles(join(other.folder, "watch"), [ONE_RUN]);
      const page = join(other.folder, "refused.html");
      const ran = await other.run(["import", folder, "--report", page, ...words]);
      expect(ran.code, ran.err).toBe(0);
      const last = ran.out.slice(
        ran.out.indexOf(index === 0 ? '"type":"summary"' : "Of these sources, in your log: 1 workout"),
      );
      expect(last).toContain("load/file-refused");
      expect(readFileSync(page, "utf8")).toContain("load/file-refused");
    } finally {
      await other.close();
    }
  }
});

describe("the page in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await shareBrowser();
  });
  afterAll(() => browser.close());

  const looks = Object.entries(SCREENS).flatMap(([screen, options]) =>
    (["light", "dark"] as const).map((colorScheme) => [screen, colorScheme, { ...options, colorScheme }] as const),
  );

  test.each(firstOf(1, looks))(
    "on a %s, %s: no complaint, no request, nothing to scroll sideways, nothing serious for who can't see it",
    async (_screen, _scheme, look) => {
      const { page, problems, close } = await open(look);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
      expect(await page.evaluate("document.querySelectorAll('script, img, iframe, object, link, form').length")).toBe(
        0,
      );
      expect(await page.evaluate("document.querySelectorAll('h1').length")).toBe(1);
      expect(await page.evaluate("document.querySelectorAll('.map, .chart').length")).toBeGreaterThan(3);
      expect(await violationsOf(page)).toEqual([]);
      expect(problems).toEqual([]);
      await close();
    },
  );

  longTest("light and dark are two: ink on paper, and the other way round", async () => {
    const lightness = async (colorScheme: "light" | "dark") => {
      const { page, close } = await open({ ...SCREENS.desk, colorScheme });
      const text = (await page.evaluate("getComputedStyle(document.body).backgroundColor")) as string;
      await close();
      return Number(/\d+/.exec(text)?.[0]);
    };
    expect(await lightness("light")).toBeGreaterThan(200);
    expect(await lightness("dark")).toBeLessThan(60);
  });

  longTest("the keyboard opens what is folded, and one sees where it is; print shows it all", async () => {
    const { page, close } = await open(SCREENS.desk);
    const folds = (await page.evaluate(
      "[...document.querySelectorAll('summary')].map((one, index) => { one.dataset.stop = index; return index; }).length",
    )) as number;
    const opened = new Set<string>();
    for (let presses = 0; presses < folds + 5; presses++) {
      await page.keyboard.press("Tab");
      const { stop, outline, isOpen } = (await page.evaluate(
        `(() => {
          const { dataset, parentElement } = document.activeElement;
          return { stop: dataset.stop, outline: getComputedStyle(document.activeElement).outlineStyle, isOpen: parentElement?.open };
        })()`,
      )) as { stop?: string; outline: string; isOpen?: boolean };
      if (stop === undefined) continue;
      expect(outline).not.toBe("none");
      opened.add(stop);
      if (isOpen !== true) await page.keyboard.press("Enter");
    }
    expect(opened.size).toBe(folds);
    expect(await page.evaluate("document.querySelectorAll('details:not([open])').length")).toBe(0);
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = false; })");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".records li").first().isVisible()).toBe(true);
    await close();
  });

  async function open(
    look: BrowserContextOptions,
  ): Promise<{ page: Page; problems: string[]; close(): Promise<void> }> {
    const context = await browser.newContext(look);
    const problems: string[] = [];
    const page = await context.newPage();
    page.on("request", (request) => {
      if (request.url() !== address) problems.push(`asked ${request.url()}`);
    });
    page.on("console", (message) => problems.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return { page, problems, close: () => context.close() };
  }
});

/** The largest size of a file on the full disk, whichever of its two units the shell counts in. It is more than SQLite needs to read. */
const FILE_BYTES = 64 * 1024;

/** Years of workouts in three places, with names that break out of pages, wrap nowhere and never end. */
async function hostileRun(journal: Journal) {
  const names = [
    `"'></title></style></svg><script>alert(1)</script><img src=x onerror=alert(2)>`,
    "\u202egpj.exe\u001b[2J",
    "x".repeat(10_000),
  ];
  await journal.bindAccount({ baseUrl: "log.example", userHash: "h", name: names[2] ?? "" });
  const sources = names.map((name) => ({ path: "/a", name, connector: "test", saw: name, sizeBytes: 123_456_789 }));
  const run = await journal.startPlan(sources, { tracks: true, activityIDs: {}, workoutIDs: {} }, 1000);
  const places = [
    [48.2, 16.4],
    [-33.9, 151.2],
    [40, -105.3],
  ] as const;
  let read = 0;
  for (let index = 0; index < 400; index++) {
    const [lat, lon] = places[index % 3] ?? [0, 0];
    const position = { lat: lat + (index % 7) / 50, lon: lon + (index % 5) / 50 };
    const date = new Date(Date.UTC(2008, 0, 1) + index * 14 * 86_400_000).toISOString().slice(0, 10);
    const activity = (["run", "bike", "swim", "hike", "yoga", "row"] as const)[index % 6] ?? "run";
    const value: Workout = {
      activity,
      start: { date, position },
      distance: { unit: "km", value: 10 },
      duration: 3600 + index,
    };
    const origin = {
      connector: "test",
      archive: names[index % 3] ?? "",
      entry: names[index % 3] ?? "",
      locator: `line ${index}`,
    };
    const [state, action] = index % 50 === 0 ? (["failed", "create"] as const) : (["unchanged", "none"] as const);
    await journal.addLine(run, {
      key: `w${index}`,
      kind: "workout",
      source: index % 3,
      origin,
      state,
      action,
      value,
      facts: toFacts(value),
      reason: "source/changed: it is gone",
    });
    read++;
    if (index % 20 !== 0) continue;
    for (const rejected of ["quarantined", "skipped", "merged"] as const) {
      await journal.addLine(run, {
        key: `${rejected}${index}`,
        kind: "set-aside",
        source: 0,
        origin,
        state: rejected,
        action: "none",
        duplicateOf: "w0",
        reason: `test/rule-${index % 3} (${names[index % 3]})`,
      });
      read++;
    }
    await journal.addIssue(run, {
      severity: "warning",
      rule: `test/rule-${index}`,
      origin,
      found: names[0] ?? "",
      expected: names[2] ?? "",
    });
  }
  await journal.planReady(run, read);
  await journal.setRunState(run, "finished", 2000);
  const sums = { metres: { planned: 1, found: 2 }, seconds: { planned: 1, found: 2 } };
  const examples = names.map((name) => ({
    kind: "workout" as const,
    id: "7",
    origin: { connector: "test", archive: name, entry: name },
    differences: [{ field: "notes", expected: name, found: 5 }],
  }));
  await journal.setVerified(run, {
    at: 3000,
    checked: 400,
    present: 0,
    differing: 3,
    claimedTwice: 0,
    doubled: 0,
    edited: 0,
    unread: 0,
    ...sums,
    examples,
  });
  const made = await journal.run(run);
  if (made === undefined) throw new Error("Cannot make the run: the journal lost it");
  return made;
}

function verdictIn(path: string): { isDone: boolean; canClose: boolean; obstacles: readonly { code: string }[] } {
  return JSON.parse(readFileSync(path, "utf8")).verdict;
}
