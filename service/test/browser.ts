/** A real browser without a window. Whoever opens a page decides which addresses it may reach. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserContextOptions,
  type BrowserServer,
  type Page,
  chromium as playwright,
} from "playwright-core";

/** Arguments for a cloud function. In a single process, closing a page may end the browser. The rules that protect users must hold here too. */
const UNWANTED = new Set([
  "--single-process",
  "--no-zygote",
  "--disable-web-security",
  "--allow-running-insecure-content",
]);

const UNPACK = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';

/** Starts a browser of one's own. */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch(await options());
}

/** Starts a browser that several processes use, each by its address. Only with the address can anybody speak to it. */
export async function startBrowserServer(): Promise<BrowserServer> {
  return playwright.launchServer({ ...(await options()), host: "127.0.0.1" });
}

/** Joins a browser that was started for several processes. Closing it here closes the pages of this one alone. */
export async function joinBrowser(address: string): Promise<Browser> {
  return playwright.connect(address);
}

async function options() {
  return {
    executablePath: await unpacked(),
    // Switches off the requests that a browser sends to its maker's servers by itself. So a test sees every request, and all are ours.
    args: [
      ...chromium.args.filter((arg) => !UNWANTED.has(arg)),
      "--disable-background-networking",
      "--no-first-run",
      "--disable-component-update",
      "--disable-sync",
    ],
    headless: true,
  };
}

/**
 * The path of the browser's program. The package unpacks it into the system's temporary folder, and treats any file of its name there as
 * complete. Test files start at the same time. So each unpacks it into a folder of its own, and then moves it to its place in one step.
 */
async function unpacked(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
  const home = join(tmpdir(), `logferry-chromium-${manifest.devDependencies["@sparticuz/chromium"]}`);
  if (!existsSync(home)) {
    const made = await mkdtemp(join(tmpdir(), "chromium-"));
    // A process of its own has its own temporary folder: the one of the tests stays as it is.
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: made },
    });
    // Another test file may have been faster.
    await rename(made, home).catch(() => rm(made, { recursive: true, force: true }));
  }
  return join(home, "chromium");
}

/** A phone held upright, and a desk. */
export const SCREENS = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desk: { viewport: { width: 1280, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical violations of accessibility, as `rule: elements`: of every rule, or only of the colours. The page must not forbid scripts. */
export async function violationsOf(
  page: Page,
  rules: "every rule" | "colours" = "every rule",
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const only = rules === "colours" ? "runOnly: ['color-contrast']," : "";
  const found = (await page.evaluate(
    `axe.run(document, { ${only} resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map((node) => node.html.slice(0, 200)) })))`,
  )) as { id: string; impact: string; nodes: string[] }[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.join(" ")}`);
}
