/** Checks that need a real browser: a frame that stays blank, forms that may lead where they should, and no cookie for a script. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { longTest, rowTest, test } from "../../test/support/tier-tests.ts";
import { firstOf } from "../../test/support/tiers.ts";
import type { Service } from "../server.ts";
import { asking, exchange, OOB, PASSWORD, type Scene, scene } from "./authorization.ts";
import { service } from "./client.ts";
import { shareBrowser } from "./shared-browser.ts";

let log: Service;
let ann: Scene;
let browser: Browser;
let application: Server;
let back: string;
/** The requests that the application got. */
const received: URL[] = [];

beforeAll(async () => {
  log = await service();
  application = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname === "/back") received.push(new URL(request.url ?? "", "http://localhost"));
    response.setHeader("content-type", "text/html");
    // The application's own page. It frames any address.
    const framed = searchParams.get("frame");
    response.end(framed === null ? "<title>Application</title>" : `<iframe src="${framed}"></iframe>`);
  });
  await new Promise<void>((resolve) => application.listen(0, "localhost", resolve));
  back = `http://localhost:${(application.address() as AddressInfo).port}/back`;
  ann = await scene(log, [back, OOB]);
  browser = await shareBrowser();
});
afterAll(async () => {
  await browser?.close();
  application?.close();
  await log?.close();
});

const addressOf = (more: Record<string, string>) =>
  log.url + asking(ann.application.clientId, { redirect_uri: back, ...more });

/** A signed-in page that has reached the consent page, with the errors of its console. */
async function asked(more: Record<string, string> = {}): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(String(error)));
  await page.goto(addressOf(more));
  await page.getByLabel("Login").fill(ann.login);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Let Split Times use your log?" }).waitFor();
  return { page, complaints };
}

describe("O11 in a frame of somebody else's page", () => {
  rowTest.each(firstOf(1, ["the consent page", "the sign-in page", "the page of connected applications"]))(
    "%s stays blank",
    async (what) => {
      const { page } = await asked();
      const paths: Record<string, string> = {
        "the consent page": asking(ann.application.clientId, { redirect_uri: back }),
        "the sign-in page": "/sign-in",
        "the page of connected applications": "/connected",
      };
      const address = log.url + paths[what];
      // Outside a frame this browser does show it.
      await page.goto(address);
      expect(await page.getByRole("heading").count()).toBeGreaterThan(0);
      const refusals: string[] = [];
      page.on("console", (message) => void refusals.push(message.text()));
      await page.goto(`${new URL(back).origin}/page?frame=${encodeURIComponent(address)}`);
      const frame = page.frames().find((one) => one !== page.mainFrame());
      expect(await frame?.locator("form, h1, button").count()).toBe(0);
      expect(refusals.join()).toMatch(/frame-ancestors|X-Frame-Options/i);
      await page.context().close();
    },
  );
});

test("a yes leads to the application, a no does too, and the browser complains of nothing", async () => {
  const { page, complaints } = await asked({ state: "s" });
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/back\?code=/);
  const code = received.at(-1)?.searchParams.get("code") ?? "";
  expect(received.at(-1)?.searchParams.get("state")).toBe("s");
  expect((await exchange(log.url, ann.application, { code, redirect_uri: back })).status).toBe(200);
  await page.goto(addressOf({ state: "t" }));
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.waitForURL(/\/back\?error=access_denied/);
  expect(received.at(-1)?.searchParams.get("state")).toBe("t");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("with oob the window's title is the code; an error is all there is to read", async () => {
  const { page, complaints } = await asked({ redirect_uri: OOB });
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("heading", { name: "Access granted" }).waitFor();
  const code = await page.title();
  expect(code).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(await page.getByText(code, { exact: true }).count()).toBe(1);
  expect((await exchange(log.url, ann.application, { code, redirect_uri: OOB })).status).toBe(200);
  await page.goto(addressOf({ redirect_uri: OOB, scope: "x", state: "<b>" }));
  expect(await page.evaluate("document.body.innerText")).toMatch(
    /^error=invalid_scope&error_description=[^<&]+&state=%3Cb%3E$/,
  );
  expect(complaints).toEqual([]);
  await page.context().close();
});

longTest("no script on a page could read the cookie, and revoking is one press of a button", async () => {
  const { page } = await asked();
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(/\/back\?code=/);
  const code = received.at(-1)?.searchParams.get("code") ?? "";
  await exchange(log.url, ann.application, { code, redirect_uri: back });
  await page.goto(`${log.url}/connected`);
  expect(await page.evaluate("document.cookie")).toBe("");
  await page.getByRole("button", { name: "Revoke Split Times" }).click();
  await page.getByText("No application can use your log.").waitFor();
  expect(await log.accounts.grants(ann.userId)).toEqual([]);
  await page.context().close();
});
