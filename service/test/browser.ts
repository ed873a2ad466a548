/** A real browser without a window, one for a test file. What it may reach is the test's to say. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, chromium as playwright } from "playwright-core";

/** Made for a function in the cloud: in a single process closing a page may end the browser, and rules that hold for users must hold here. */
const UNWANTED = new Set([
  "--single-process",
  "--no-zygote",
  "--disable-web-security",
  "--allow-running-insecure-content",
]);

/** The browser, started. Close it in `afterAll`. */
export async function startBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await unpacked(),
    // What a browser asks of its maker's servers by itself is switched off: a test sees every request, and all are ours.
    args: [
      ...chromium.args.filter((arg) => !UNWANTED.has(arg)),
      "--disable-background-networking",
      "--no-first-run",
      "--disable-component-update",
      "--disable-sync",
    ],
    headless: true,
  });
}

/**
 * Where the browser's program is. The package unpacks it into the system's temporary folder and takes whatever is there under its name
 * for finished; test files start side by side, so here it is unpacked apart and then moved to its place at once.
 */
async function unpacked(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, "../../package.json"), "utf8"));
  const home = join(tmpdir(), `logferry-chromium-${manifest.devDependencies["@sparticuz/chromium"]}`);
  if (!existsSync(home)) {
    const { TMPDIR } = process.env;
    const made = await mkdtemp(join(tmpdir(), "chromium-"));
    process.env.TMPDIR = made;
    try {
      await chromium.executablePath();
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
    // Another test file may have been quicker.
    await rename(made, home).catch(() => rm(made, { recursive: true, force: true }));
  }
  return join(home, "chromium");
}

/** A phone held upright, and a desk. */
export const SCREENS = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desk: { viewport: { width: 1280, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>;
