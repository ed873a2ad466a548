import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ACCESS } from "./matrix/access.ts";
import { ANSWERS } from "./matrix/answers.ts";
import { CONNECTION } from "./matrix/connection.ts";
import { CRASHES } from "./matrix/crashes.ts";
import { EQUALS } from "./matrix/equals.ts";
import { IMPORT_ROWS } from "./matrix/imports.ts";
import { JOURNAL } from "./matrix/journal.ts";
import { LIMITS } from "./matrix/limits.ts";
import { PROCESSES } from "./matrix/processes.ts";
import { ROOT } from "./support/rehearsal.ts";

// The rows themselves are played in test/matrix/, a file a topic. This test checks that all sixty are there.

const ROWS = [CRASHES, CONNECTION, ANSWERS, LIMITS, ACCESS, IMPORT_ROWS, EQUALS, JOURNAL, PROCESSES].flat();

test("every row of the fault matrix is played, each once", () => {
  const numbers = ROWS.map(({ number }) => number).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

test("every row says what goes wrong, with what it is brought about, and what must come of it", () => {
  for (const { number, fault, injected, expected } of ROWS) {
    expect(
      [fault, injected, expected].every((text) => text.length > 5),
      `row ${number}`,
    ).toBe(true);
  }
});

test("each table is played by a file of its own", () => {
  for (const name of [
    "access",
    "answers",
    "connection",
    "crashes",
    "equals",
    "imports",
    "journal",
    "limits",
    "processes",
  ]) {
    expect(readFileSync(join(ROOT, "test", "matrix", `${name}.test.ts`), "utf8")).toMatch(/^rehearseRows\(\w+\);$/m);
  }
});
