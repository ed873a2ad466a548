/** What the service does over HTTP it does on PostgreSQL too: the same tests once more. */
import { describe } from "vitest";
import { keepLogsIn } from "./client.ts";

keepLogsIn("PostgreSQL");

for (const name of ["interface", "refusals"]) {
  describe(name, async () => {
    await import(`./${name}.test.ts`);
  });
}
