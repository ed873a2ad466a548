/**
 * A real browser visits every page, on a phone and at a desk, in light and dark. It sends no request to another machine, and the console
 * stays empty. No page scrolls sideways. An accessibility checker finds nothing serious, and the keyboard reaches everything. The browser
 * also signs in, allows, refuses and revokes as a user does.
 */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longDescribe, longTest } from "../../test/support/tier-tests.ts";
import { chosenRows, firstOf } from "../../test/support/tiers.ts";
import type { ClientCredentials } from "../operator.ts";
import { type Service, startService } from "../server.ts";
import { exchange } from "./authorization.ts";
import { SCREENS, violationsOf } from "./browser.ts";
import { send } from "./client.ts";
import { gpx, PASSWORD, type Reader, reader } from "./reader.ts";
import { shareBrowser } from "./shared-browser.ts";

const WORKOUTS = "/rest/logs/me/workouts";
const WATCH = join(import.meta.dirname, "../../fixtures/demo/watch/Forerunner 235");
const OOB = "urn:ietf:wg:oauth:2.0:oob";

let log: Service;
let ann: Reader;
let browser: Browser;
let application: ClientCredentials;
/** The addresses of all pages, by their names. */
let pages: Readonly<Record<string, string>>;
/** An installed application, listening for the answer to its request. */
let installed: Server;
let localhost: string;
const answers: URL[] = [];

beforeAll(async () => {
  installed = createServer((request, response) => {
    answers.push(new URL(request.url ?? "", localhost));
    response.setHeader("content-type", "text/html");
    response.end(
      "<!doctype html><html lang=en><title>Back</title><link rel=icon href=data:,><p>Back in the application</p>",
    );
  }).listen(0, "localhost");
  await once(installed, "listening");
  localhost = `http://localhost:${(installed.address() as AddressInfo).port}/back`;
  [log, browser] = await Promise.all([startService({ database: ":memory:" }), shareBrowser()]);
  const { operator } = log;
  ann = await reader(log, { screenName: "ann", units: "kilometres" });
  application = await operator.addApplication({ name: "Split Times", redirectURIs: [localhost, OOB] });
  await operator.addToken(ann.userId, { application: application.clientId });
  pages = await fillLog();
});
afterAll(async () => {
  await browser.close();
  installed.close();
  await log.close();
});

/** A log with some of every kind of record, and long words wherever words can be long. */
async function fillLog(): Promise<Readonly<Record<string, string>>> {
  const { operator } = log;
  const long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenschirmfabrikantenwettlaufveranstaltung";
  const course = await ann.save("/rest/logs/me/courses", {
    name: `Round ${long}`,
    notes: long,
    surfaces: { asphalt: true },
  });
  const places = Array.from({ length: 60 }, (_, i) => ({
    lat: 48 + Math.sin(i / 9.5) / 50,
    lon: 16 + Math.cos(i / 9.5) / 50,
  }));
  const query = { access_token: ann.token };
  await send(log.url, "POST", `/rest/logs/me/courses/${course}/gpx`, { query, body: gpx(places) });
  await ann.save("/rest/logs/me/courses", { name: "Without a map" });
  const shoe = { activityID: 10, brandName: "Brand", modelName: long, notes: "worn", serial: "S1", price: 120 };
  const old = await ann.save("/rest/logs/me/equipment", { activityID: 11, brandName: "Old bike" });
  const piece = await ann.save("/rest/logs/me/equipment", shoe);
  await operator.retireEquipment(ann.userId, old);
  const dates = { beginDate: "2024-01-01", endDate: "2024-04-21", numWeeks: 16 };
  await operator.addTrainingPlan(ann.userId, { name: `To the ${long}`, ...dates, attributes: { private: true } });
  const files = readdirSync(WATCH).filter((name) => name.endsWith(".fit"));
  const imported: string[] = [];
  for (const name of files) imported.push(await ann.save(`${WORKOUTS}/fit`, readFileSync(join(WATCH, name))));
  const saved = await ann.save(WORKOUTS, {
    activityID: 10,
    workoutID: 6,
    date: "2018-11-03",
    time: "09:00:00",
    notes: `${long}\n${long} ${long}`,
    course: { id: course },
    equipment: [{ id: piece }],
    details: { distance: { unit: "mi", value: 13.1 }, duration: 5999.99 },
    health: { avgHR: 150, maxHR: 171, restHR: 50, weight: { unit: "lb", value: 150 } },
    intervalSet: { name: long, intervals: [{ distance: { unit: "m", value: 400 }, duration: 80, type: long }] },
    raceStats: { fieldPlacement: 3, fieldSize: 99, groupMinAge: 35, groupMaxAge: 39 },
    ratings: { effort: 9, quality: 8 },
    weather: { conditions: { clear: true }, temperature: { unit: "F", value: 40 } },
  });
  const ask = new URLSearchParams({ response_type: "code", client_id: application.clientId, redirect_uri: OOB });
  return {
    "the log": "/",
    "the log by time": "/?by=time",
    "a year": "/log/2018",
    "an empty year": "/log/1999",
    "a month": "/log/2018-11",
    "an imported workout": `/workouts/${imported[0]}`,
    "a saved workout": `/workouts/${saved}`,
    courses: "/courses",
    "a course": `/courses/${course}`,
    equipment: "/equipment",
    "a piece of equipment": `/equipment/${piece}`,
    plans: "/plans",
    preference: "/preference",
    "the interface": "/docs",
    "connected applications": "/connected",
    account: "/account",
    "sign-out": "/sign-out",
    consent: `/oauth2/authorize?${ask}`,
  };
}

/** A window that records its problems. */
interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Complaints of the console and the network, and every request for another machine. */
  readonly problems: string[];
}

async function open(look: Parameters<Browser["newContext"]>[0] = SCREENS.desk): Promise<Window> {
  const context = await browser.newContext(look);
  const problems: string[] = [];
  await context.route("**/*", async (route) => {
    const { origin } = new URL(route.request().url());
    if (origin === log.url || origin === new URL(localhost).origin) return route.continue();
    problems.push(`asked ${route.request().url()}`);
    return route.abort();
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    // A status that a test provokes isn't a complaint. A missing resource would still be in `problems` by its request.
    if (message.type() !== "log" && !message.text().includes("the server responded with a status of")) {
      problems.push(`console ${message.type()}: ${message.text()}`);
    }
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("response", (response) => {
    const isPage = response.request().resourceType() === "document";
    if (!isPage && response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return { context, page, problems };
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${log.url}/sign-in`);
  await page.getByLabel("Login").fill(ann.login);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${log.url}/`);
}

const LOOKS = Object.entries(SCREENS).flatMap(([screen, options]) =>
  (["light", "dark"] as const).map(
    (colorScheme) => [`on a ${screen} screen, ${colorScheme}`, { ...options, colorScheme }] as const,
  ),
);

describe.each(firstOf(1, LOOKS))("%s", (_name, look) => {
  // Rules about elements are the same in light and dark, so they run once.
  const rules = look.colorScheme === "light" ? "every rule" : "colours";

  test("every page is whole: no complaint, no other machine, nothing to scroll sideways, nothing serious for who can't see it", async () => {
    const { context, page, problems } = await open(look);
    await page.goto(`${log.url}/sign-in`);
    const wrong: unknown[] = (await violationsOf(page)).map((text) => ["sign-in", text]);
    await signIn(page);
    for (const [name, address] of Object.entries(pages)) {
      const answer = await page.goto(log.url + address);
      if (answer?.status() !== 200) wrong.push([name, answer?.status()]);
      const over = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      if (over !== 0) wrong.push([name, `is ${over} px too wide`]);
      const headings = await page.evaluate("document.querySelectorAll('h1').length");
      if (headings !== 1) wrong.push([name, `has ${headings} h1`]);
      for (const text of await violationsOf(page, rules)) wrong.push([name, text]);
    }
    expect(wrong).toEqual([]);
    expect(problems).toEqual([]);
    await context.close();
  });
});

test("the keyboard reaches whatever can be pressed or filled in, on every page, and one sees where it is", async () => {
  const { context, page } = await open(SCREENS.phone);
  await signIn(page);
  const wrong: unknown[] = [];
  // In the first tier the pages that have most kinds of stops: links and charts, and a form.
  const tried = chosenRows(Object.entries(pages), ([name]) => ["a saved workout", "preference"].includes(name));
  for (const [name, address] of tried) {
    await page.goto(log.url + address);
    const wanted = (await page.evaluate(
      `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary, [tabindex='0']")]
        .filter((element) => element.checkVisibility()).map((element, index) => { element.dataset.stop = index; return index; })`,
    )) as number[];
    const reached = new Set<number>();
    for (let presses = 0; presses < wanted.length + 3; presses++) {
      await page.keyboard.press("Tab");
      const { stop, style, width } = (await page.evaluate(
        `(() => {
          const element = document.activeElement ?? document.body;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          return { stop: element.dataset.stop, style: outlineStyle, width: parseFloat(outlineWidth) };
        })()`,
      )) as { stop?: string; style: string; width: number };
      if (stop === undefined) continue;
      reached.add(Number(stop));
      if (style === "none" || width < 2) wrong.push([name, `nobody sees that stop ${stop} has the focus`]);
    }
    if (reached.size !== wanted.length) wrong.push([name, `reached ${reached.size} of ${wanted.length}`]);
  }
  expect(wrong).toEqual([]);
  await context.close();
});

longTest("the first stop of the keyboard skips the menu", async () => {
  const { context, page } = await open();
  await signIn(page);
  await page.goto(`${log.url}/courses`);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.activeElement.id")).toBe("main");
  await context.close();
});

longTest("a page is printed without the menu", async () => {
  const { context, page } = await open();
  await signIn(page);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("nav").first().isVisible()).toBe(false);
  expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  await context.close();
});

test("O9 a script in every text field runs on no page", async () => {
  const script = `"'></title></svg><script>alert(1)</script><img src=x onerror=alert(2)>`;
  const mal = await reader(log, { screenName: "mal", units: "kilometres" });
  const course = await mal.save("/rest/logs/me/courses", { name: script, notes: script });
  const piece = await mal.save("/rest/logs/me/equipment", { activityID: 10, brandName: script, notes: script });
  const body = {
    activityID: 10,
    date: "2024-05-05",
    notes: script,
    course: { id: course },
    equipment: [{ id: piece }],
  };
  const workout = await mal.save(WORKOUTS, body);
  await log.operator.addTrainingPlan(mal.userId, { name: script });
  const other = await log.operator.addApplication({ name: script, redirectURIs: [OOB] });
  await log.operator.addToken(mal.userId, { application: other.clientId });
  const { context, page, problems } = await open();
  const [[name = "", value = ""] = []] = mal.visitor.cookies;
  await context.addCookies([{ name, value, url: log.url }]);
  const ask = new URLSearchParams({ response_type: "code", client_id: other.clientId, redirect_uri: OOB });
  const addresses = ["/", "/log/2024", "/log/2024-05", "/courses", "/equipment", "/plans", "/connected"];
  const ids = [`/workouts/${workout}`, `/courses/${course}`, `/equipment/${piece}`, `/oauth2/authorize?${ask}`];
  for (const address of [...addresses, ...ids]) {
    await page.goto(log.url + address);
    expect([address, await page.evaluate("document.querySelectorAll('script, img, iframe, object').length")]).toEqual([
      address,
      0,
    ]);
  }
  expect(problems).toEqual([]);
  await context.close();
});

describe("somebody", () => {
  test("with a wrong password is told so, and with the right one gets to the page that was asked for", async () => {
    const { context, page, problems } = await open(SCREENS.phone);
    await page.goto(`${log.url}/equipment`);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    await page.getByLabel("Login").fill(ann.login);
    await page.getByLabel("Password").fill("wrong horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("don't fit together");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${log.url}/equipment`);
    await page.getByRole("button", { name: "Sign out" }).first().click();
    await page.waitForURL("**/sign-in*");
    await page.goto(`${log.url}/equipment`);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    expect(problems).toEqual([]);
    await context.close();
  });

  longTest("saves the preference and sees the log in other units", async () => {
    const kim = await reader(log, { screenName: "kim", units: "kilometres" });
    await kim.save(WORKOUTS, {
      activityID: 10,
      date: "2024-05-05",
      details: { distance: { unit: "km", value: 16.09344 } },
    });
    const { context, page, problems } = await open();
    const [[name = "", value = ""] = []] = kim.visitor.cookies;
    await context.addCookies([{ name, value, url: log.url }]);
    await page.goto(`${log.url}/preference`);
    await page.getByLabel("Distance").selectOption({ label: "miles" });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").waitFor();
    await page.goto(`${log.url}/log/2024-05`);
    expect(await page.getByRole("table").textContent()).toContain("10.00 mi");
    expect(problems).toEqual([]);
    await context.close();
  });

  test("follows the log from the years to a month to a workout, and from there to the next", async () => {
    const { context, page, problems } = await open(SCREENS.phone);
    await signIn(page);
    await page.getByRole("link", { name: "2018" }).click();
    await page.getByRole("link", { name: "November" }).click();
    await page.getByRole("table").getByRole("link").first().click();
    const first = page.url();
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
    await page.getByRole("link", { name: /^After/ }).click();
    await page.getByRole("link", { name: /^Before/ }).click();
    expect(page.url()).toBe(first);
    expect(problems).toEqual([]);
    await context.close();
  });
});

longDescribe("an application", () => {
  const ask = (more: Readonly<Record<string, string>>) => {
    const query = { response_type: "code", client_id: application.clientId, redirect_uri: localhost, ...more };
    return `${log.url}/oauth2/authorize?${new URLSearchParams(query)}`;
  };

  longTest(
    "is allowed by somebody who signs in on the way, gets its code, and loses its token when revoked",
    async () => {
      const { context, page, problems } = await open(SCREENS.phone);
      await page.goto(ask({ state: "a b&c" }));
      await page.getByLabel("Login").fill(ann.login);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("button", { name: "Allow" }).waitFor();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Split Times");
      await page.getByRole("checkbox").check();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${localhost}**`);
      const answer = answers.at(-1)?.searchParams;
      expect(answer?.get("state")).toBe("a b&c");
      const given = await exchange(log.url, application, { code: answer?.get("code") ?? "", redirect_uri: localhost });
      const query = { access_token: given.json.access_token };
      expect((await send(log.url, "GET", "/rest/users/me", { query })).status).toBe(200);
      await page.goto(`${log.url}/connected`);
      await page.getByRole("button", { name: "Revoke Split Times" }).click();
      await page.getByText("No application can use your log").waitFor();
      expect((await send(log.url, "GET", "/rest/users/me", { query })).status).toBe(401);
      expect(problems).toEqual([]);
      await context.close();
    },
  );

  longTest("is refused, and told so with its state", async () => {
    const { context, page, problems } = await open();
    await signIn(page);
    await page.goto(ask({ state: "s" }));
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.waitForURL(`${localhost}**`);
    expect(answers.at(-1)?.searchParams.get("error")).toBe("access_denied");
    expect(answers.at(-1)?.searchParams.get("state")).toBe("s");
    expect(problems).toEqual([]);
    await context.close();
  });

  longTest("without an address has its code shown: the page's title is the code", async () => {
    const { context, page, problems } = await open(SCREENS.phone);
    await signIn(page);
    await page.goto(ask({ redirect_uri: OOB }));
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Access granted" }).waitFor();
    const code = await page.title();
    expect(await page.locator("output").textContent()).toBe(code);
    expect(await violationsOf(page)).toEqual([]);
    const given = await exchange(log.url, application, { code, redirect_uri: OOB });
    expect(given.json.token_type).toBe("bearer");
    expect(problems).toEqual([]);
    await context.close();
  });

  longTest("without an address finds its error in the page, form-encoded and nothing else", async () => {
    const { context, page } = await open();
    await signIn(page);
    await page.goto(ask({ redirect_uri: OOB, state: "s" }));
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByText("error_description").waitFor();
    const said = new URLSearchParams(((await page.evaluate("document.body.innerText")) as string).trim());
    expect([...said.keys()]).toEqual(["error", "error_description", "state"]);
    expect(said.get("error")).toBe("access_denied");
    await context.close();
  });

  longTest(
    "that asks for an unknown scope is sent back with the error, and one with an address nobody registered is not",
    async () => {
      const { context, page } = await open();
      await page.goto(ask({ response_type: "token", state: "s" }));
      expect(answers.at(-1)?.searchParams.get("error")).toBe("unsupported_response_type");
      const count = answers.length;
      const answer = await page.goto(ask({ redirect_uri: `${localhost}/` }));
      expect(answer?.status()).toBe(400);
      expect(new URL(page.url()).origin).toBe(log.url);
      expect(answers).toHaveLength(count);
      expect(await violationsOf(page)).toEqual([]);
      await context.close();
    },
  );
});
