import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { Ledger } from "../journal/summary.ts";
import { countToLookAt, keepOutcome, readOutcome } from "./outcome.ts";

const folder = temporaryFolder();

const STORED = { athlete: "Ana", at: 5, requests: 7, mark: "m" };
const OUTCOME = { athlete: "Ana", at: 5, requests: 7, fingerprint: "m" };

test("an outcome of the first version is read, with no record gone", async () => {
  const ledger = { read: 3, created: 2 };
  writeFileSync(join(folder, "ana.json"), JSON.stringify({ ...STORED, standing: "partly", ledger }));
  expect(await readOutcome(folder, "ana")).toEqual({ ...OUTCOME, status: "partly", ledger: { ...ledger, gone: 0 } });
});

test("an outcome is written as the first version reads it", async () => {
  await keepOutcome(folder, "ana", { ...OUTCOME, status: "verified" });
  expect(JSON.parse(readFileSync(join(folder, "ana.json"), "utf8"))).toEqual({ ...STORED, standing: "verified" });
  expect(await readOutcome(folder, "ana")).toEqual({ ...OUTCOME, status: "verified" });
});

test("values that can't be read are among what a coach should look at", () => {
  const ledger = { quarantined: 2, refused: 0, failed: 0, inDoubt: 0, gone: 0 } as Ledger;
  expect(countToLookAt({ ledger, unreadValues: 3 })).toBe(5);
  expect(countToLookAt({ ledger })).toBe(2);
  expect(countToLookAt({})).toBeUndefined();
});
