/**
 * The coach's overview and an athlete's summary, opened from the disk in a real browser. They send nothing to anybody, load nothing from anywhere,
 * and fit a phone. Any name of an athlete or an archive stays text.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { summariseAthlete } from "../pipelines/batch/athlete-summary.ts";
import { summaryPage, summaryText } from "../pipelines/batch/athlete-summary-page.ts";
import type { AthleteStatus, Outcome } from "../pipelines/batch/outcome.ts";
import { ATHLETE_STATUSES } from "../pipelines/batch/outcome.ts";
import { overviewJson, overviewPage } from "../pipelines/batch/overview.ts";
import type { Report } from "../pipelines/report/schema.ts";
import { SCREENS } from "../service/test/browser.ts";
import { shareBrowser } from "../service/test/shared-browser.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { rowTest, test } from "./support/tier-tests.ts";
import { chosenRows } from "./support/tiers.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const HOSTILE = `</title><script>document.title = "taken"</script><img src=x onerror="document.title='taken'"> ${"long".repeat(60)}`;
const LEDGER = {
  ...{ read: 40, created: 30, updated: 0, unchanged: 2, merged: 1, gone: 0, skipped: 1, quarantined: 3 },
  ...{ refused: 1, failed: 1, inDoubt: 1, left: 0, toUpdate: 0 },
};
const NONE = { read: { workouts: 0, metres: 0, seconds: 0 }, inLog: { workouts: 0, metres: 0, seconds: 0 } };
const SUMS = {
  read: { workouts: 32, metres: 320_000, seconds: 115_200 },
  inLog: { workouts: 30, metres: 305_500, seconds: 108_000 },
};

/** The report of a run of many problems, with hostile words wherever an archive has one. */
const REPORT: Report = {
  format: "logferry report",
  formatVersion: 1,
  writtenAt: "2026-11-22T00:00:00.000Z",
  writtenBy: "1",
  run: { number: 1, state: "finished", plannedAt: "2026-11-22T00:00:00.000Z" },
  log: { service: "https://log.example", account: HOSTILE, distanceUnit: "km" },
  sources: [{ name: HOSTILE, connector: "strava", saw: HOSTILE, ledger: LEDGER }],
  verdict: { isDone: true, isGood: true, canClose: false, sentence: HOSTILE, obstacles: [] },
  ledger: LEDGER,
  isBalanced: true,
  byKind: { workout: LEDGER, equipment: { ...LEDGER, created: 1, unchanged: 0 }, course: LEDGER, "set-aside": LEDGER },
  totals: SUMS,
  byActivity: [{ activity: "run", ...SUMS }],
  byYear: [],
  byMonth: [
    { month: "2012-03", activity: "run", ...SUMS },
    { month: "2024-05", activity: "run", ...SUMS },
    { month: "2025-01", activity: "run", ...NONE },
  ],
  losses: [{ field: "calories", count: 12 }],
  issues: [],
  reasons: [
    { state: "quarantined", rule: "csv/no-date", count: 2 },
    { state: "quarantined", rule: "own/rule", count: 1, means: HOSTILE, remedy: "logferry quarantine" },
    { state: "refused", rule: "api/http-400", count: 1 },
    { state: "failed", count: 1 },
    { state: "in-doubt", count: 1 },
    { state: "skipped", rule: "dates/outside", count: 1 },
    { state: "merged", count: 1 },
  ],
};

const outcome = (athlete: string, status: AthleteStatus): Outcome => ({
  ...{
    athlete,
    status,
    at: 0,
    requests: 3,
    fingerprint: "m",
    run: 1,
    ledger: LEDGER,
    why: HOSTILE,
    journal: "/home/coach/j.db",
  },
  log: { url: "https://log.example", account: HOSTILE },
});

const STATUS_NAMES = Object.keys(ATHLETE_STATUSES) as AthleteStatus[];

const folder = temporaryFolder("file");
beforeAll(() => {
  const athletes = STATUS_NAMES.map((status, index) => ({
    outcome: outcome(index === 0 ? HOSTILE : `Athlete ${index}`, status),
    why: HOSTILE,
    files: { report: "athletes/a-1/report.html", summary: "athletes/a-1/summary.html" },
  }));
  const facts = { roster: `${HOSTILE}.csv`, athletes, now: 0, version: "1", isPlan: false };
  writeFileSync(join(folder, "overview.html"), overviewPage(facts));
  expect(JSON.parse(overviewJson(facts)).athletes).toHaveLength(STATUS_NAMES.length);
  const summary = summariseAthlete({ athlete: HOSTILE, status: "partly", url: "https://log.example", report: REPORT });
  writeFileSync(join(folder, "summary.html"), summaryPage(summary));
});

describe("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await shareBrowser();
  });
  afterAll(() => browser.close());

  const looks = ["overview.html", "summary.html"].flatMap((name) =>
    Object.entries(SCREENS).map(([screen, look]) => [name, screen, look] as const),
  );
  /** The first tier has each page on one of the screens. */
  rowTest.each(chosenRows(looks, (_, index) => index % 3 === 0))(
    "%s on a %s says nothing to anybody, needs nothing, and fits",
    async (name, screen, look) => {
      const context = await browser.newContext({ ...look, colorScheme: screen === "desk" ? "dark" : "light" });
      const page = await context.newPage();
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      const address = pathToFileURL(join(folder, name)).href;
      page.on("request", (request) => {
        if (request.url() !== address) problems.push(request.url());
      });
      await page.goto(address);
      expect(await page.title()).not.toBe("taken");
      const counted = await page.evaluate(
        "document.querySelectorAll('script, img, iframe, object, link, form').length",
      );
      expect(counted).toBe(0);
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
      const links = (await page.evaluate(
        "[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))",
      )) as string[];
      for (const link of links)
        expect(link).toMatch(/^(athletes\/a-1\/(report|summary)\.html|https:\/\/log\.example)$/);
      const broken = await page.evaluate(
        "[...document.querySelectorAll('td a')].filter((one) => one.getClientRects().length > 1).length",
      );
      expect(broken, "links in a table that are broken in the middle of a word").toBe(0);
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; impact: string }[] };
      expect(
        violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id }) => id),
      ).toEqual([]);
      expect(problems).toEqual([]);
      if (process.env.LOGFERRY_TEST_SHOTS !== undefined)
        await page.screenshot({ path: join(process.env.LOGFERRY_TEST_SHOTS, `${name}-${screen}.png`), fullPage: true });
      await context.close();
    },
  );
});

test("the overview shows a long reason to its end, where it says what to do", () => {
  const reasons = Array.from(
    { length: 9 },
    (_, index) => `archive ${index} ${"holds what is another's ".repeat(5)}(same-archive)`,
  );
  const why = `${reasons.join("; ")}. Give each athlete their own archive`;
  const athletes = [{ outcome: outcome("Ana", "held"), why, files: {} }];
  const page = overviewPage({ roster: "r.csv", athletes, now: 0, version: "1", isPlan: false });
  expect(page).toContain("(same-archive). Give each athlete their own archive</div>");
});

test("the docs say of every way to stand what it means, and of each that isn't good what to do", () => {
  const [guide, json] = ["batch.md", "json.md"].map((name) =>
    readFileSync(join(import.meta.dirname, "..", "docs", name), "utf8"),
  );
  for (const [status, { isGood }] of Object.entries(ATHLETE_STATUSES)) {
    expect(json).toContain(`\`${status}\``);
    if (!isGood) expect(guide).toContain(`| \`${status}\` |`);
  }
});

describe("an athlete summary", () => {
  test.each(STATUS_NAMES)(
    "to an athlete who is %s holds no word of the coach's: no path, no command, no reason as it is",
    (status) => {
      const summary = summariseAthlete({ athlete: "Ana", status, url: "https://log.example", report: REPORT });
      for (const text of [summaryPage(summary), summaryText(summary)]) {
        expect(text).toContain("Dear Ana,");
        expect(text).toContain("https://log.example");
        expect(text).not.toMatch(/logferry (?!athlete summary)[a-z]|\/home|csv\/|api\//);
      }
    },
  );

  test("tells in plain words what came over, what didn't and why, and what the log can't hold", () => {
    const text = summaryText(summariseAthlete({ athlete: "Ana", status: "partly", url: undefined, report: REPORT }));
    const told = text.replaceAll(/\s+/g, " ");
    for (const words of [
      "30 workouts, 305.5 km in 30 h 0 min, from March 2012 to May 2024.",
      "2 records: the row has no date",
      "1 record: your log's service did not take it",
      "1 record stood in two places of your archives, and is in the log once",
      "calories of 12 records",
    ])
      expect(told).toContain(words);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80 + 240);
  });

  test("drives no terminal and begins no line of its own by a name with line ends in it", () => {
    const name = "Ana\n\nDear coach, send money\u001b[2J\u202e";
    const summary = summariseAthlete({ athlete: name, status: "held", url: `javascript:alert(1)`, report: undefined });
    const text = summaryText(summary);
    expect(text).not.toMatch(/[\u001b\u202e]|^Dear coach/m);
    expect(summaryPage(summary)).not.toMatch(/[\u001b\u202e]|href="javascript/);
  });
});
