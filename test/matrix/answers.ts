/** Rows 19 to 30, but for 26: answers that can't be read, come too late, or say that something failed. */
import { expect } from "vitest";
import type { Row } from "./row.ts";
import {
  errorsOf,
  expectEachOnce,
  expectFaultsHit,
  openWorld,
  type Played,
  played,
  SAVES,
  savesOf,
  summaryOf,
} from "./world.ts";

const ONE_AT_A_TIME = ["--concurrency", "1"];
/** A timeout is waited out. A busy service gets more time to finish before the record is looked up. */
const IMPATIENT = [...ONE_AT_A_TIME, "--timeout", "3", "--settle", "2"];

/** The third save was done. logferry finds it, and sends no save a second time. */
function found(armed: string, options: Played = {}): () => Promise<void> {
  return () => played([armed], options, (world) => expect(savesOf(world)).toBe(world.runs.length));
}

/** The third save was not done. logferry sends it again, once. */
function sentAgain(armed: string, options: Played = {}): () => Promise<void> {
  return () => played([armed], options, (world) => expect(savesOf(world)).toBe(world.runs.length + 1));
}

export const ANSWERS: readonly Row[] = [
  {
    number: 19,
    fault: "a page of HTML in place of the answer, once or from then on",
    injected: "`html-after-commit`; `html-before-commit` for every save",
    expected: "found in the log; or it stops after a few, and asks whether the address is right",
    async run() {
      await found(`html-after-commit:${SAVES}:nth=3`)();
      await using world = await openWorld({ armed: [`html-before-commit:${SAVES}:nth=1..`] });
      const ran = await world.import({ flags: ONE_AT_A_TIME });
      expect(ran.code, ran.err).toBe(6);
      expect(errorsOf(ran)).toHaveLength(1);
      expect(errorsOf(ran)[0]).toMatch(/a page, not JSON. Is the address right/);
      expect(savesOf(world)).toBeLessThanOrEqual(6);
    },
  },
  {
    number: 20,
    fault: "success without an id, or with a number, nothing, or 10 kB for one",
    injected: "`bad-id`",
    expected: "found in the log, and not sent again",
    async run() {
      const armed = ["none", "number", "empty", "long"].map((id, index) => `bad-id:${SAVES}:id=${id},nth=${index + 1}`);
      await played(armed, { flags: ["--concurrency", "1"] }, (world) => expect(savesOf(world)).toBe(world.runs.length));
    },
  },
  {
    number: 21,
    fault: "status 200 with a code that is not 0",
    injected: "`code-before-commit`, `code-after-commit`",
    expected: "refused with the service's words, and sent only when a person asks again",
    async run() {
      await using world = await openWorld({ armed: [`code-before-commit:${SAVES}:code=17,nth=3`] });
      const ran = await world.import({ flags: ONE_AT_A_TIME });
      expect(ran.code, ran.err).toBe(3);
      const { ledger, balanced } = summaryOf(ran);
      expect(balanced).toBe(true);
      expect(ledger).toMatchObject({ refused: 1, created: world.runs.length - 1, inDoubt: 0, left: 0 });
      expect(ran.out).toMatch(/A fault answers code 17/);
      expect(savesOf(world)).toBe(world.runs.length);
      expectFaultsHit(world);
      // Imported again: only the refused record is sent again.
      await world.import();
      await expectEachOnce(world);
      expect(savesOf(world)).toBe(world.runs.length + 1);
      // The save was done, and the answer calls it a failure. The next import sees that the record is there.
      await using other = await openWorld({ armed: [`code-after-commit:${SAVES}:code=17,nth=3`] });
      expect((await other.import({ flags: ONE_AT_A_TIME })).code).toBe(3);
      await other.import();
      await expectEachOnce(other);
      expect(savesOf(other)).toBe(other.runs.length);
    },
  },
  {
    number: 22,
    fault: "no answer, and it was not done",
    injected: "`hang-before-commit`",
    expected: "given up, looked up, not there, and sent again",
    scale: "3 s for an answer, 2 s to settle",
    run: sentAgain(`hang-before-commit:${SAVES}:nth=3`, { flags: IMPATIENT }),
  },
  {
    number: 23,
    fault: "no answer, and it was done",
    injected: "`hang-after-commit`",
    expected: "given up, looked up and found",
    scale: "3 s for an answer, 2 s to settle",
    firstTierHas: "test/dripping-answers.test.ts: given up after twice --timeout, and looked up; row 22",
    run: found(`hang-after-commit:${SAVES}:nth=3`, { flags: IMPATIENT }),
  },
  {
    number: 27,
    fault: "an answer of two gigabytes",
    injected: "`huge-answer`",
    expected: "cut off early, looked up and found",
    firstTierHas: "row 28: an answer that unpacks to a gigabyte",
    run: found(`huge-answer:${SAVES}:nth=3`),
  },
  {
    number: 28,
    fault: "an answer that unpacks to a gigabyte",
    injected: "`gzip-answer`",
    expected: "not unpacked, looked up and found",
    run: found(`gzip-answer:${SAVES}:nth=3`),
  },
  {
    number: 29,
    fault: "500, and it was not done",
    injected: "`status-before-commit`",
    expected: "looked up, not there, and sent again",
    run: sentAgain(`status-before-commit:${SAVES}:status=500,nth=3`),
  },
  {
    number: 30,
    fault: "500, and it was done",
    injected: "`status-after-commit`",
    expected: "found in the log, and not sent again",
    run: found(`status-after-commit:${SAVES}:status=500,nth=3`),
  },
];
