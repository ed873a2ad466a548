/** How well `logferry map infer` reads 500 made sheets: the share of columns that are right, asked about, left as notes or unsupported, and wrong. */
import { makeSheet } from "../fixtures/make/sheets/sheets.ts";
import { type Judgement, judgeSheet } from "../test/support/judge-sheets.ts";

const SHEETS = 500;

/** Seeds that nobody looked at while the inference was written. */
const FROM = 20_000;

/** The most wrong columns, as a share. */
const MOST_WRONG = 0.005;

/** Prints the shares. @returns the promises that are broken */
export async function benchSheets(): Promise<readonly string[]> {
  const counts: Record<Judgement, number> = { right: 0, asked: 0, left: 0, wrong: 0 };
  for (let seed = FROM; seed < FROM + SHEETS; seed++)
    for (const { judgement } of await judgeSheet(makeSheet(seed))) counts[judgement]++;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const share = (judgement: Judgement) => `${((100 * counts[judgement]) / all).toFixed(2)} % ${judgement}`;
  console.log(
    `Inferring ${all} columns of ${SHEETS} made sheets: ${(["right", "asked", "left", "wrong"] as const).map(share).join(", ")}\n`,
  );
  return counts.wrong <= all * MOST_WRONG
    ? []
    : [`at most ${100 * MOST_WRONG} % of the columns of made sheets are wrong`];
}
