/**
 * A rehearsal as a nervous person does it: everything into a private log, its pages in a real browser by a link that works once, and nothing in
 * the real log.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { SCREENS } from "../service/test/browser.ts";
import { shareBrowser } from "../service/test/shared-browser.ts";
import { jsonOf, openWorld, summaryOf } from "./matrix/world.ts";
import { runHere } from "./support/here.ts";
import { rehearsedLog } from "./support/promotions.ts";
import type { Ran } from "./support/rehearsal.ts";
import { someRuns } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

const told = (ran: Ran) => ran.out + ran.err;

test("everything is imported into a private log and verified, twice the same, and the real log hears nothing", async () => {
  await using world = await openWorld({ runs: someRuns(5) });
  const folder = join(world.folder, "private");
  const rehearse = () =>
    world.run(["rehearse", world.sheet, "--zone", "Europe/Vienna", "--out", folder, "--no-pages", "--json"]);
  const first = await rehearse();
  expect(first.code, told(first)).toBe(0);
  expect(jsonOf(first.out).find(({ type }) => type === "verification")).toMatchObject({ checked: 5, differing: 0 });
  const report = readFileSync(join(folder, "report.html"), "utf8");
  expect(report).toContain("Can the old account be closed?");
  expect(report).toContain("This was a rehearsal, and nothing of it is in your real log.");
  expect(report).toContain(`logferry promote --out ${folder}`);
  const status = await world.run(["status", "--journal", join(folder, "journal.db")]);
  expect(told(status)).toContain("Not yet: this was a rehearsal, and nothing of it is in your real log.");
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const again = await rehearse();
  expect(again.code, told(again)).toBe(0);
  expect(summaryOf(again).ledger).toMatchObject({ read: 5, created: 0, unchanged: 5 });
  expect(world.asked.all).toEqual([]);
  expect(existsSync(join(world.folder, "journal.db"))).toBe(false);
  expect(first.out + first.err).not.toContain(world.token);
});

test("the pages open by a link that signs in once, say that they are a rehearsal, and Ctrl-C ends it", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  const words = ["rehearse", world.sheet, "--zone", "Europe/Vienna", "--out", join(world.folder, "private"), "--json"];
  const { child, ended } = world.start(words);
  let link = "";
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { type, url } = JSON.parse(line) as { type: string; url: string };
    if (type !== "listening") continue;
    link = url;
    break;
  }
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sign-in\/once\/[A-Za-z0-9]{32}$/);
  // A preview of the link asks for its head, and leaves it unused.
  await fetch(link, { method: "HEAD" });
  const second = await world.run(words);
  expect(second.code, told(second)).toBe(2);
  expect(second.out).toContain("is taken. If another rehearsal is open in");
  const browser = await shareBrowser();
  try {
    const context = await browser.newContext(SCREENS.phone);
    const page = await context.newPage();
    const said: string[] = [];
    page.on("console", (message) => said.push(message.text()));
    await page.goto(link);
    expect(new URL(page.url()).pathname).toBe("/");
    expect(await page.getByRole("note").textContent()).toBe("This is a rehearsal. Nothing here is in your real log.");
    expect(await page.getByRole("link", { name: "Equipment" }).isVisible()).toBe(true);
    expect(said).toEqual([]);
    const other = await (await browser.newContext()).newPage();
    expect((await other.goto(link))?.status()).toBe(404);
    expect(await other.getByRole("heading").textContent()).toBe("This link is used up");
    // A rehearsal has no password.
    expect(await other.getByRole("main").textContent()).toContain("press Ctrl-C where the rehearsal runs");
  } finally {
    await browser.close();
    child.kill("SIGINT");
  }
  const ran = await ended;
  expect(ran.code, told(ran)).toBe(0);
});

test("a folder that can't be one is told in a sentence", async () => {
  await using world = await openWorld({ runs: someRuns(1) });
  const ran = await world.run(["rehearse", world.sheet, "--out", world.sheet, "--no-pages"]);
  expect(ran.code, told(ran)).toBe(2);
  expect(ran.err).toContain("there is a file of that name. Name another folder with --out");
  const folder = join(world.folder, "private");
  const rehearse = (source: string) => runHere(world, ["rehearse", source, "--out", folder, "--no-pages"]);
  // Nothing is left of a rehearsal that could read nothing, and an earlier one stays as it is.
  expect((await rehearse(join(world.folder, "nosuch"))).code).not.toBe(0);
  expect(existsSync(folder)).toBe(false);
  const whole = await rehearse(world.sheet);
  expect(whole.out).toContain(`Do the same for real: logferry promote --out ${folder}`);
  const kept = readFileSync(join(folder, "rehearsed.json"), "utf8");
  expect((await rehearse(join(world.folder, "nosuch"))).code).not.toBe(0);
  expect(readFileSync(join(folder, "rehearsed.json"), "utf8")).toBe(kept);
});

longTest(
  "a rehearsal that is stopped between its import and reading back is not over, and can't be promoted",
  async () => {
    await using world = await openWorld({ runs: someRuns(3) });
    const folder = join(world.folder, "private");
    const words = ["rehearse", world.sheet, "--zone", "Europe/Vienna", "--out", folder, "--no-pages", "--json"];
    const stop = new AbortController();
    const stopped = await runHere(world, words, {
      signal: stop.signal,
      onOut: (text) => {
        if (text.includes('"type":"summary"')) stop.abort();
      },
    });
    expect(stopped.out).not.toContain('"type":"verification"');
    expect(stopped.code, told(stopped)).toBe(75);
    const promoted = await runHere(world, ["promote", "--out", folder, "--yes"]);
    expect(promoted.code).toBe(2);
    expect(told(promoted)).toContain("stopped before everything was imported and read back, so nothing was promoted");
    expect(world.asked.writes()).toEqual([]);
    expect((await runHere(world, words)).code).toBe(0);
  },
);

test("without sources it does the last one once more, with its options and those that are added", async () => {
  await using world = await openWorld({ runs: someRuns(4) });
  const folder = join(world.folder, "private");
  const again = (flags: readonly string[] = []) =>
    runHere(world, ["rehearse", "--out", folder, "--no-pages", "--json", ...flags]);
  const none = await again();
  expect(none.code).toBe(2);
  expect(told(none)).toContain(`There is no rehearsal in ${folder}. Say what to rehearse: logferry rehearse SOURCE`);
  writeFileSync(
    world.sheet,
    readFileSync(world.sheet, "utf8")
      .replace(/(-02,.*?),Run/, "$1,Plogging")
      .replace(/(-03,.*?),Run/, "$1,Kegeln"),
  );
  const flags = ["--zone", "Europe/Vienna", "--units", "imperial", "--out", folder, "--no-pages"];
  const first = await runHere(world, ["rehearse", world.sheet, ...flags, "--sport", "Plogging=walk"]);
  expect(first.code, told(first)).toBe(3);
  expect(first.out).toContain(`logferry rehearse --out ${folder} --sport Kegeln=ACTIVITY`);
  expect(told(first)).not.toMatch(/logferry (?:quarantine retry|apply|verify|import)/);
  // Commands about its journal say the same, and those that need its log say why they can't.
  const journal = join(folder, "journal.db");
  const named = await world.run(["quarantine", "--journal", journal]);
  expect(named.out).toContain(`try again with: logferry rehearse --out ${folder}`);
  expect(named.out).not.toContain("quarantine retry");
  const retried = await world.run(["quarantine", "retry", "--journal", journal]);
  expect(retried.code).toBe(2);
  expect(retried.err).toContain("only rehearse writes there");
  const second = await again(["--sport", "Kegeln=other"]);
  expect(second.code, told(second)).toBe(0);
  expect(summaryOf(second).ledger).toMatchObject({ created: 1, unchanged: 3, quarantined: 0 });
  expect(JSON.parse(readFileSync(join(folder, "rehearsed.json"), "utf8"))).toMatchObject({
    sources: [world.sheet],
    options: { zone: "Europe/Vienna", units: "imperial", sport: ["Plogging=walk", "Kegeln=other"] },
  });
  // While a source can't be read, the private log stays as it is.
  const before = await rehearsedLog(folder);
  const misspelt = ["rehearse", `${world.sheet}x`, "--out", folder, "--no-pages", "--until", "2020-01-02"];
  expect(await runHere(world, misspelt)).toMatchObject({ code: 5 });
  expect(await rehearsedLog(folder)).toEqual(before);
  // Of a log nothing can be taken out again, so a rehearsal of less fills a new one.
  const less = await again(["--until", "2020-01-02"]);
  expect(less.code, told(less)).toBe(0);
  const days = (await rehearsedLog(folder)).flatMap((record) => (JSON.parse(record) as { date?: string }).date ?? []);
  expect(days.toSorted()).toEqual(["2020-01-01", "2020-01-02"]);
});

test("a device file that was exchanged is in the private log after the next rehearsal, as a promotion would send it", async () => {
  await using world = await openWorld({ runs: someRuns(2) });
  const [watch, folder] = [join(world.folder, "watch"), join(world.folder, "private")];
  mkdirSync(watch);
  /** Half an hour to the north. @param step degrees a minute */
  const write = (step: number) => {
    const points = Array.from({ length: 31 }, (_, minute) => {
      const time = new Date(Date.UTC(2021, 5, 1, 6, minute)).toISOString();
      return `<trkpt lat="${(48 + minute * step).toFixed(6)}" lon="16"><time>${time}</time></trkpt>`;
    });
    const track = `<trk><type>running</type><trkseg>${points.join("")}</trkseg></trk>`;
    writeFileSync(join(watch, "run.gpx"), `<gpx version="1.1" creator="x">${track}</gpx>`);
  };
  const rehearsed = async () => {
    const words = ["rehearse", world.sheet, watch, "--zone", "Europe/Vienna", "--out", folder, "--no-pages"];
    const ran = await runHere(world, words);
    expect(ran.code, told(ran)).toBe(0);
    return told(ran);
  };
  write(0.0015);
  expect(await rehearsed()).not.toContain("begins anew");
  expect(await rehearsed()).not.toContain("begins anew");
  write(0.0016);
  expect(await rehearsed()).toContain("Device files came or changed since the last rehearsal");
  const promoted = await runHere(world, ["promote", "--out", folder, "--yes"]);
  expect(promoted.out, told(promoted)).toMatch(/3 +as in the rehearsal/);
  expect(await rehearsed()).not.toContain("begins anew");
});
