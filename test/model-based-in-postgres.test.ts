/** Repeats the test against a model with the journal in PostgreSQL: each command is another worker, with an empty folder. */
import { describe, inject, vi } from "vitest";

vi.mock("../pipelines/journal/sqlite.ts", () => import("./support/journal-in-postgres-opened.ts"));

describe("with the journal in PostgreSQL", async () => {
  process.env.JOURNAL_DATABASE = await (await fetch(inject("newDatabases"))).text();
  // Half of what the file has: three of them are the typed ones, which meet every event.
  process.env.LOGFERRY_TEST_MODEL_RUNS ??= "6";
  await import("./model-based.test.ts");
});
