/** The page of decisions of a rehearsal, in a real browser without scripts: doubts with buttons, and the decisions that `quarantine` and `plan review` keep. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SCREENS, violationsOf } from "../service/test/browser.ts";
import { shareBrowser } from "../service/test/shared-browser.ts";
import { jsonOf, openWorld } from "./matrix/world.ts";
import { runHere } from "./support/here.ts";
import { folderOf, rehearsedLog, told } from "./support/promotions.ts";
import { type SheetRun, someRuns, writeSheet } from "./support/small-sources.ts";
import { cookieOf, linkOf } from "./support/whole-way.ts";

test("what is doubtful stands on a page with buttons, and what they decide counts in the next rehearsal", async () => {
  const [first, second, third, fourth, fifth] = someRuns(5) as [SheetRun, SheetRun, SheetRun, SheetRun, SheetRun];
  await using world = await openWorld({ runs: [first, second, third, fourth, { ...fifth, seconds: 12 }] });
  writeFileSync(world.sheet, readFileSync(world.sheet, "utf8").replace("2020-01-01", "2020-13-01"));
  // The second run perhaps once more, and the third one surely. At the time of the fourth one, half as much.
  const other = writeSheet(
    join(world.folder, "other"),
    [
      { ...second, time: "07:10", km: second.km * 1.1, seconds: second.seconds * 1.2 },
      { ...third, km: third.km + 0.01 },
      { ...fourth, km: fourth.km / 2, seconds: fourth.seconds / 2 },
    ],
    // A button has this name, and must fit a phone.
    "ana.example.org_0_summarizedActivities_of_2020",
  );
  const words = ["rehearse", world.sheet, other, "--zone", "Europe/Vienna", "--out", folderOf(world)];
  const { child, ended } = world.start([...words, "--json"]);
  const link = await linkOf(child.stdout as NodeJS.ReadableStream);
  const { origin } = new URL(link);
  const browser = await shareBrowser();
  try {
    const context = await browser.newContext({ ...SCREENS.phone, bypassCSP: true });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== origin) problems.push(request.url());
    });
    await page.goto(link);
    await page.getByRole("link", { name: "To decide" }).click();
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual([
      "1 record rejected: a date isn't written as the mapping file says",
      "1 record rejected: this speed is impossible in this sport: the distance, the time or the sport is wrong",
      "1 pair may be one workout",
      "1 pair done at the same time",
      "1 pair counted as one workout",
      "1 remark about odd values and files",
    ]);
    expect(await page.getByRole("heading", { level: 3 }).allTextContents()).toEqual([
      "log.csv line 2",
      `2020-01-05 10:28, ${fifth.km} km`,
      "2020-01-02 07:07, 5.01 km and 2020-01-02 07:10, 5.51 km",
      `2020-01-04 09:21, ${fourth.km} km and 2020-01-04 09:21, ${(fourth.km / 2).toFixed(2)} km`,
      `2020-01-03 08:14, ${third.km} km and 2020-01-03 08:14, ${(third.km + 0.01).toFixed(2)} km`,
      "2 times, such as",
    ]);
    expect(await violationsOf(page)).toEqual([]);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(
        0,
      );
    }
    // What is printed can be pasted from any folder.
    const words = (await page.getByText("What else you can do").first().textContent())?.split(": logferry ")[1] ?? "";
    const listed = await runHere(world, words.split(" "));
    expect(listed.out, words).toContain("2020-13-01");
    const press = async (name: RegExp) => {
      const button = page.getByRole("button", { name }).first();
      await button.focus();
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    // A typed date that there isn't is refused by the service, and stays typed. One that there is counts.
    const typeDate = async (text: string) => {
      await page.getByRole("textbox", { name: "Date" }).fill(text);
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    await typeDate("2020-02-30");
    expect(await page.getByRole("alert").textContent()).toBe(
      'Nothing was changed. The date is "2020-02-30", expected a day like 2019-05-04, from 1900 on and not in the future',
    );
    expect(await page.getByRole("textbox", { name: "Date" }).inputValue()).toBe("2020-02-30");
    expect(await violationsOf(page)).toEqual([]);
    await typeDate("3000-01-01");
    expect(await page.getByRole("alert").textContent()).toContain('The date is "3000-01-01", expected a day like');
    problems.splice(0, problems.length, ...problems.filter((text) => !text.includes("400 (Bad Request)")));
    // A day and a time of day that were typed before are in the form, and an emptied one is gone.
    await page.getByRole("textbox", { name: "Time of day" }).fill("18:05");
    await typeDate("2020-02-28");
    expect(await page.locator(".good").first().textContent()).toBe("You said: date 2020-02-28, time 18:05:00.");
    expect(await page.getByRole("textbox", { name: "Time of day" }).inputValue()).toBe("18:05:00");
    await page.getByRole("textbox", { name: "Time of day" }).fill("");
    await typeDate("2020-02-29");
    expect(await page.locator(".good").first().textContent()).toBe("You said: date 2020-02-29.");
    await press(/^Take back/);
    await press(/^Leave out.*quarantine drop/);
    await press(/^Keep as it is.*quarantine fix \w+ --allow implausible/);
    await press(/^These are one.*plan review --answer \w+\+\w+=one/);
    await press(/^These are one.*plan review --answer \w+\+\w+=one/);
    // The merged pair can be confirmed, and its values can still be chosen.
    await press(/^These are one.*plan review --answer \w+\+\w+=one/);
    expect(await page.getByRole("button", { name: /^These are one/ }).count()).toBe(0);
    await press(new RegExp(`^Take distance ${(third.km + 0.01).toFixed(2)} km of .*=one,distance:right`));
    expect(await page.getByRole("status").textContent()).toContain(
      `5 decisions since this rehearsal. Press Ctrl-C where it runs, and rehearse once more to see what they do: logferry rehearse --out ${folderOf(world)}`,
    );
    expect(await violationsOf(page)).toEqual([]);
    // A form of another page, and a decision that the page doesn't offer, change nothing.
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const headers = { cookie: cookies, "content-type": "application/x-www-form-urlencoded" };
    const forged = await fetch(`${origin}/rehearsal`, { method: "POST", headers, body: "command=quarantine+drop+csv" });
    expect(forged.status).toBe(403);
    const token = await page.locator("input[name=_csrf]").first().getAttribute("value");
    const body = new URLSearchParams({ _csrf: token ?? "", command: "quarantine drop csv" });
    const unknown = await fetch(`${origin}/rehearsal`, { method: "POST", headers: { ...headers, origin }, body });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain("That is decided already, or no longer doubtful.");
    expect((await fetch(`${origin}/rehearsal`, { redirect: "manual" })).status).toBe(302);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
    child.kill("SIGINT");
  }
  const ran = await ended;
  expect(ran.code, told(ran)).toBe(3);
  const again = await runHere(world, ["rehearse", "--out", folderOf(world), "--no-pages", "--json"]);
  expect(jsonOf(again.out).findLast(({ type }) => type === "summary")).toMatchObject({
    ledger: { created: 4, merged: 3, skipped: 1, dropped: 1, quarantined: 0 },
  });
  const log = (await rehearsedLog(folderOf(world))).map((record) => JSON.parse(record) as Record<string, never>);
  const workouts = log.map((one: { date?: string; details?: { distance: { value: number } } }) => [
    one.date,
    one.details?.distance.value,
  ]);
  expect(workouts).toContainEqual([third.date, Number((third.km + 0.01).toFixed(2))]);
  expect(workouts).toContainEqual([fifth.date, fifth.km]);
});

test("a zone that is chosen for all workouts without one counts in the next rehearsal, and a promotion waits for that", async () => {
  await using world = await openWorld({ runs: [] });
  const folder = join(world.folder, "watch");
  mkdirSync(folder);
  const at = (minute: number) =>
    `<Trackpoint><Time>2020-05-01T10:${String(minute).padStart(2, "0")}:00Z</Time><DistanceMeters>${minute * 200}</DistanceMeters></Trackpoint>`;
  writeFileSync(
    join(folder, "treadmill.tcx"),
    `<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running"><Id>2020-05-01T10:00:00Z</Id><Lap StartTime="2020-05-01T10:00:00Z"><TotalTimeSeconds>1800</TotalTimeSeconds><DistanceMeters>6000</DistanceMeters><Track>${Array.from({ length: 31 }, (_, minute) => at(minute)).join("")}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`,
  );
  const broken = join(folder, "broken.fit");
  // The header of a FIT file, and nothing behind it.
  writeFileSync(broken, Buffer.from([14, 32, 0, 0, 100, 0, 0, 0, 0x2e, 0x46, 0x49, 0x54, 0, 0]));
  const { child, ended } = world.start(["rehearse", folder, "--out", folderOf(world), "--json"]);
  const link = await linkOf(child.stdout as NodeJS.ReadableStream);
  try {
    const { origin } = new URL(link);
    const cookie = await cookieOf(link);
    const page = async () => (await fetch(`${origin}/rehearsal`, { headers: { cookie } })).text();
    const token = /name="_csrf" value="([^"]+)"/.exec(await page())?.[1] ?? "";
    const choose = (zone: string) =>
      fetch(`${origin}/rehearsal`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie, origin, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({
          _csrf: token,
          at: "rejected-workout-no-date",
          command: "rehearse --zone",
          "field-zone": zone,
        }),
      });
    // What no form mends says what does, with the command of a rehearsal.
    expect(await page()).toMatch(/\(fit\/[a-z-]+\)\. Copy the file .* once more .*, then: logferry rehearse --out /);
    const wrong = await choose("Tokio");
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain("The zone Tokio is not known: expected a name such as Europe/Vienna.");
    expect((await choose("Asia/Tokyo")).status).toBe(303);
    expect(await page()).toContain('value="Asia/Tokyo"');
  } finally {
    child.kill("SIGINT");
  }
  await ended;
  const early = await runHere(world, ["promote", "--out", folderOf(world), "--dry-run"]);
  expect(told(early)).toContain("You made 1 decision after the rehearsal. Rehearse once more");
  rmSync(broken);
  const again = await runHere(world, ["rehearse", "--out", folderOf(world), "--no-pages", "--json"]);
  expect(again.code, told(again)).toBe(0);
  const log = (await rehearsedLog(folderOf(world))).map((record) => JSON.parse(record) as Record<string, never>);
  expect(log.map(({ date, timeOfDay }) => [date, timeOfDay])).toEqual([["2020-05-01", "19:00:00"]]);
  const dry = await runHere(world, ["promote", "--out", folderOf(world), "--dry-run"]);
  expect(told(dry)).not.toContain("after the rehearsal");
});
