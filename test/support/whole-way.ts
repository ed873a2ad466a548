/** The way of a nervous person: rehearse, look, decide, promote, verify, certify. The pages are looked at in a real browser, on a phone and on a desk. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { violationsOf } from "../../service/test/browser.ts";
import { shareBrowser } from "../../service/test/shared-browser.ts";
import { jsonOf, openWorld, type World } from "../matrix/world.ts";
import { runHere } from "./here.ts";
import { folderOf, promote, realLog, rehearsedLog, told } from "./promotions.ts";

/** A phone and a desk, as wide as the pictures are taken. */
const WIDTHS = [390, 1280] as const;

/** What the walk leaves for a closer look. */
export interface Walked {
  /** The ledger of the promotion. */
  readonly ledger: Readonly<Record<string, number>>;
  /** Whether the certificate says that the old account can be closed. */
  readonly certificate: Readonly<Record<string, unknown>>;
}

/**
 * Walks the whole way with some sources, and leaves out rejected records, if there are some, by the first button. Holds on the way: no page has a serious violation, a
 * console message, a request to another origin or a sideways scroll; the real log equals the rehearsed one; every class of the certificate adds up, and
 * `--check` finds nothing.
 *
 * @param pictures a folder for screenshots; none without one
 */
export async function walkTheWholeWay(sources: readonly string[], pictures?: string): Promise<Walked> {
  await using world = await openWorld();
  const words = ["rehearse", ...sources, "--zone", "Europe/Vienna", "--out", folderOf(world)];
  const { child, ended } = world.start([...words, "--json"]);
  const link = await linkOf(child.stdout as NodeJS.ReadableStream);
  try {
    await lookAround(link, pictures);
  } finally {
    child.kill("SIGINT");
  }
  expect([0, 3]).toContain((await ended).code);
  const again = await runHere(world, ["rehearse", "--out", folderOf(world), "--no-pages", "--json"]);
  expect([0, 3], told(again)).toContain(again.code);

  const promoted = await promote(world);
  expect([0, 3], told(promoted)).toContain(promoted.code);
  expect(await realLog(world)).toEqual(await rehearsedLog(folderOf(world)));
  const verified = await runHere(world, ["verify"]);
  expect([0, 3], told(verified)).toContain(verified.code);
  return {
    ledger: jsonOf(promoted.out).findLast(({ type }) => type === "summary")?.ledger as Walked["ledger"],
    certificate: await certifyIn(world, pictures),
  };
}

/** The address that a rehearsal prints when its pages are there. */
export async function linkOf(lines: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: lines })) {
    const { type, url } = JSON.parse(line) as { type: string; url: string };
    if (type === "listening") return url;
  }
  return expect.unreachable("the rehearsal ended before its pages were there");
}

/** Signs in by the link of a rehearsal, which works once. @returns the cookies for a header */
export async function cookieOf(link: string): Promise<string> {
  const signedIn = await fetch(link, { redirect: "manual" });
  return signedIn.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
}

/** Looks at the log, a workout, and the page of decisions. Leaves out rejected records by the first button. */
async function lookAround(link: string, pictures: string | undefined): Promise<void> {
  const { origin } = new URL(link);
  const browser = await shareBrowser();
  try {
    const page = await (await browser.newContext({ bypassCSP: true })).newPage();
    const problems = problemsOf(page, origin);
    await page.goto(link);
    await look(page, "log", pictures);
    await page.locator("a[href^='/workouts/']").first().click();
    await look(page, "workout", pictures);
    await page.getByRole("link", { name: "To decide" }).click();
    await look(page, "to-decide", pictures);
    const leave = page.getByRole("button", { name: /^Leave out.*quarantine drop/ });
    if ((await leave.count()) > 0) {
      await leave.first().focus();
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
      expect(await page.getByRole("status").textContent()).toMatch(/^\d+ decisions? since this rehearsal/);
      await look(page, "decided", pictures);
    }
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
}

function problemsOf(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => problems.push(message.text()));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) problems.push(request.url());
  });
  return problems;
}

async function look(page: Page, name: string, pictures: string | undefined): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsOf(page)).toEqual([]);
    const sideways = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(sideways), `${name} at ${width}`).toBe(0);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
  }
}

/** Certifies the promotion, looks at the page, and holds the certificate against the log. */
async function certifyIn(world: World, pictures: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  const path = join(world.folder, "certificate.json");
  const certified = await runHere(world, ["certify", path]);
  expect([0, 3], told(certified)).toContain(certified.code);
  const browser = await shareBrowser();
  try {
    const page = await (await browser.newContext()).newPage();
    const problems = problemsOf(page, "null");
    await page.goto(pathToFileURL(path.replace(/\.json$/, ".html")).href);
    await look(page, "certificate", pictures);
    expect(problems).toEqual([]);
  } finally {
    await browser.close();
  }
  const checked = await runHere(world, ["certify", "--check", path]);
  expect(checked.code, told(checked)).toBe(0);
  return JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
}
