/** A narrow screen shows every column, every number of a list, and a colour for each sport. A real browser checks it at 360 pixels. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { longTest, test } from "../../test/support/tier-tests.ts";
import { type Service, startService } from "../server.ts";
import { SCREENS } from "./browser.ts";
import { gpx, PASSWORD, type Reader, reader, textOf } from "./reader.ts";
import { shareBrowser } from "./shared-browser.ts";

const WORKOUTS = "/rest/logs/me/workouts";
/** A track of several kilometres, at 5 minutes each, with heart rate and hills. */
const RUN = gpx(
  Array.from({ length: 240 }, (_, i) => ({
    lat: 48 + i * 0.00025,
    lon: 16,
    s: i * 8.5,
    hr: 140 + (i % 30),
    ele: 300 + 120 * Math.sin(i / 20),
  })),
);
/** `LOGFERRY_TEST_SHOTS=FOLDER` saves pictures of the pages there, to look at. */
const SHOTS = process.env.LOGFERRY_TEST_SHOTS;
const OWN = ["hike", "yoga", "row", "ski", "skating", "elliptical", "climbing", "golf"];

let log: Service;
let ann: Reader;
let browser: Browser;
let pages: Readonly<Record<string, string>>;

beforeAll(async () => {
  [log, browser] = await Promise.all([startService({ database: ":memory:" }), shareBrowser()]);
  ann = await reader(log, { screenName: "ann", units: "kilometres", activities: OWN });
  const imported = await ann.save(`${WORKOUTS}/gpx`, RUN);
  const evening = await ann.save(WORKOUTS, {
    activityID: 10,
    date: "2024-05-03",
    time: "18:30:00",
    notes: "Evening Run",
    details: { distance: { unit: "km", value: 12.345 }, duration: 3723 },
    health: { avgHR: 151, maxHR: 177 },
    intervalSet: {
      intervals: Array.from({ length: 6 }, (_, n) => ({
        type: n % 2 === 0 ? "interval" : "recovery",
        distance: { unit: "m", value: 1609.34 },
        duration: 345.67,
      })),
    },
  });
  for (const [index] of OWN.entries()) {
    const details = { distance: { unit: "km", value: 5 + index }, duration: 3000 + 60 * index };
    await ann.save(WORKOUTS, {
      activityID: 100 + index,
      date: `2024-05-${10 + index}`,
      details,
      health: { avgHR: 120 },
    });
  }
  pages = {
    log: "/",
    year: "/log/2024",
    month: "/log/2024-05",
    imported: `/workouts/${imported}`,
    evening: `/workouts/${evening}`,
    preference: "/preference",
  };
});
afterAll(async () => {
  await browser.close();
  await log.close();
});

async function signedIn(look: Parameters<Browser["newContext"]>[0]): Promise<Page> {
  const page = await (await browser.newContext(look)).newPage();
  await page.goto(`${log.url}/sign-in`);
  await page.getByLabel("Login").fill(ann.login);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${log.url}/`);
  return page;
}

test("no table of a workout has to be scrolled sideways on a phone: every column of splits and intervals is there", async () => {
  const page = await signedIn(SCREENS.phone);
  for (const name of ["imported", "evening"]) {
    await page.goto(log.url + pages[name]);
    const over = (await page.evaluate(
      "[...document.querySelectorAll('.scroll')].map(({ ariaLabel, scrollWidth, clientWidth }) => [ariaLabel, scrollWidth - clientWidth])",
    )) as [string, number][];
    expect(over).toEqual([[name === "imported" ? "Splits" : "Intervals", 0]]);
  }
  await page.goto(log.url + pages.imported);
  const heads = await page.locator(".numbers thead th").allTextContents();
  expect(heads).toEqual(["Km", "Time", "Pace /km", "HR", "Up or down"]);
  await page.context().close();
});

test("a list of workouts shows the heart rate on a phone too", async () => {
  const page = await signedIn(SCREENS.phone);
  for (const name of ["log", "month"]) {
    await page.goto(log.url + pages[name]);
    expect(await page.getByText("151 bpm").isVisible()).toBe(true);
  }
  await page.context().close();
});

longTest(
  "every sport has a colour of its own, in the light and in the dark, and is written with a capital",
  async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await signedIn({ ...SCREENS.desk, colorScheme });
      await page.goto(`${log.url}/log/2024`);
      const legend = (await page.evaluate(
        "[...document.querySelectorAll('.legend li')].map((item) => [item.textContent.trim(), getComputedStyle(item.querySelector('.key')).backgroundColor])",
      )) as [string, string][];
      expect(legend.map(([name]) => name)).toEqual([
        "Run",
        ...["Hike", "Yoga", "Row", "Ski", "Skating", "Elliptical", "Climbing", "Golf"],
      ]);
      expect(new Set(legend.map(([, colour]) => colour)).size).toBe(9);
      await page.context().close();
    }
  },
);

test("notes that are the title alone don't stand below it once more", async () => {
  const page = textOf((await ann.visitor.get(pages.evening as string)).text);
  expect(page.match(/Evening Run/g)).toHaveLength(1);
  const two = await ann.save(WORKOUTS, { activityID: 10, date: "2024-05-04", notes: "Evening Run\nwith Bo" });
  expect(textOf((await ann.visitor.get(`/workouts/${two}`)).text)).toContain("Notes Evening Run with Bo");
});

async function takePictures(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [screen, options] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await signedIn({ ...options, colorScheme });
      for (const [name, address] of Object.entries(pages)) {
        await page.goto(log.url + address);
        await page.screenshot({ path: join(folder, `${name}-${screen}-${colorScheme}.png`), fullPage: true });
      }
      await page.context().close();
    }
  }
}

if (SHOTS !== undefined) test("pictures are taken", () => takePictures(SHOTS));
