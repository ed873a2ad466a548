import { expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { failureOf } from "./athlete.ts";

test("an athlete whose claim another worker took over is tried again, as one whose journal is held", () => {
  const lost = new FatalError("journal/claim-lost", "journal", "another worker has taken it over");
  expect(failureOf(lost, false)).toMatchObject({ status: "locked" });
  expect(failureOf(new FatalError("journal/locked", "locked", "another worker holds it"), false).status).toBe("locked");
});
