/** The browser that all test files share. */
import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { joinBrowser } from "./browser.ts";

/** Joins the browser of the run, which starts with the first file that asks. Close it in `afterAll`: that closes the pages of the file. */
export async function shareBrowser(): Promise<Browser> {
  const answer = await fetch(inject("browser"));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The browser of the tests does not start: ${text}`);
  return joinBrowser(text);
}
