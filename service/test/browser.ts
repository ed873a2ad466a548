/** A real browser without a window, one for a test file. It gets no further than the service under test. */
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
    executablePath: await chromium.executablePath(),
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

/** A phone held upright, and a desk. */
export const SCREENS = {
  phone: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  desk: { viewport: { width: 1280, height: 900 } },
} as const satisfies Record<string, BrowserContextOptions>;
