/**
 * Makes the pictures of the README: `npm run pictures`. It carries the demo archives into a log of their own with the commands of
 * `npm start`, and takes a picture of the report and of the log with the browser of the tests.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { startBrowser } from "../service/test/browser.ts";

const ROOT = join(import.meta.dirname, "..");
const CLI = join(ROOT, "bin", "logferry.js");
const IMAGES = join(import.meta.dirname, "images");
const SOURCES = ["export_24680135.zip", "watch", "log-2012-2015.csv"].map((name) =>
  join(ROOT, "fixtures", "demo", name),
);

interface DemoLog {
  readonly url: string;
  readonly token: string;
  readonly login: string;
  readonly password: string;
  readonly activityIDs: Readonly<Record<string, number>>;
  stop(): void;
}

const folder = await mkdtemp(join(tmpdir(), "logferry-pictures-"));
const log = await startLog();
const browser = await startBrowser();
try {
  const report = join(folder, "report.html");
  const activities = Object.entries(log.activityIDs).flatMap(([name, id]) => ["--activity", `${name}=${id}`]);
  await logferry("import", ...SOURCES, "--zone", "Europe/Vienna", ...activities);
  await logferry("verify", "--report", report);
  const page = await browser.newPage({ viewport: { width: 860, height: 640 }, colorScheme: "light" });
  await page.goto(pathToFileURL(report).href);
  await takePicture(page, "report.png");
  await page.goto(`${log.url}/sign-in`);
  await page.getByLabel("Login").fill(log.login);
  await page.getByLabel("Password").fill(log.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${log.url}/`);
  await takePicture(page, "log.png");
} finally {
  await browser.close();
  log.stop();
  await rm(folder, { recursive: true, force: true });
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(IMAGES, name), animations: "disabled" });
}

/** Runs a command. Exit code 3 is as it should be: some records of the demo cannot be loaded. */
async function logferry(...words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...words], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      // The activity numbers that an import remembers stay out of your own configuration.
      XDG_CONFIG_HOME: folder,
      LOGFERRY_URL: log.url,
      LOGFERRY_TOKEN: log.token,
      LOGFERRY_JOURNAL: join(folder, "journal.db"),
      LOGFERRY_RATE: "0",
    },
  });
  const [code] = await once(child, "exit");
  if (code !== 0 && code !== 3) throw new Error(`logferry ${words[0]} ended with ${code}`);
}

async function startLog(): Promise<DemoLog> {
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    process.execPath,
    [CLI, "serve", "--json", "--port", "0", "--demo-user", "--database", join(folder, "log.db")],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let url = "";
  for await (const line of createInterface({ input: child.stdout })) {
    const message = JSON.parse(line) as { type: string; url: string } & Omit<DemoLog, "stop">;
    if (message.type === "listening") url = message.url;
    if (message.type === "demo-user") return { ...message, url, stop: () => child.kill("SIGTERM") };
  }
  throw new Error("Cannot start the training log service: it ended before it listened");
}
