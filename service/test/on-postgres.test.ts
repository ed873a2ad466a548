/** Repeats the HTTP tests on PostgreSQL. */
import { describe } from "vitest";
import { firstOf } from "../../test/support/tiers.ts";
import { keepLogsIn } from "./client.ts";

keepLogsIn("PostgreSQL");

/** The tests that ask the store for most stand first. */
const AGAIN: readonly (readonly [name: string, load: () => Promise<unknown>])[] = [
  ["conformance", () => import("./conformance/conformance.test.ts")],
  ["listings", () => import("./listings.test.ts")],
  ["gaps", () => import("./gaps.test.ts")],
  ["revocation", () => import("./oauth-revoke.test.ts")],
  ["token endpoint", () => import("./oauth-token.test.ts")],
  ["authorization endpoint", () => import("./oauth-authorize.test.ts")],
  ["pages", () => import("./pages.test.ts")],
  ["refusals", () => import("./refusals.test.ts")],
];

for (const [name, load] of firstOf(1, AGAIN)) {
  describe(name, async () => {
    await load();
  });
}
