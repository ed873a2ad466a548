/** Repeats the HTTP tests on PostgreSQL. */
import { describe } from "vitest";
import { keepLogsIn } from "./client.ts";

keepLogsIn("PostgreSQL");

const AGAIN = {
  conformance: () => import("./conformance/conformance.test.ts"),
  gaps: () => import("./gaps.test.ts"),
  listings: () => import("./listings.test.ts"),
  "authorization endpoint": () => import("./oauth-authorize.test.ts"),
  revocation: () => import("./oauth-revoke.test.ts"),
  "token endpoint": () => import("./oauth-token.test.ts"),
  pages: () => import("./pages.test.ts"),
  refusals: () => import("./refusals.test.ts"),
};

for (const [name, load] of Object.entries(AGAIN)) {
  describe(name, async () => {
    await load();
  });
}
