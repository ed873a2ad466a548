/** Proposals for sheets that a generator made without knowing how logferry infers. `npm run bench` prints the shares for 500. */
import { expect, test } from "vitest";
import { makeSheet } from "../fixtures/make/sheets/sheets.ts";
import { type JudgedColumn, judgeSheet } from "./support/judge-sheets.ts";
import { inputs } from "./support/tiers.ts";

/** The most wrong columns in a hundred. */
const MOST_WRONG = 0.5;

test(`of the columns of made sheets, at most ${MOST_WRONG} % are taken for something else or read in a wrong way`, async () => {
  const judged: JudgedColumn[] = [];
  for (let seed = 0; seed < inputs({ first: 12, long: 500 }); seed++)
    judged.push(...(await judgeSheet(makeSheet(seed))));
  const wrong = judged.filter(({ judgement }) => judgement === "wrong");
  expect(wrong.length, wrong.map(({ header, says }) => `${header}: ${says}`).join("\n")).toBeLessThanOrEqual(
    (judged.length * MOST_WRONG) / 100,
  );
  expect(judged.filter(({ judgement }) => judgement === "right").length).toBeGreaterThan(judged.length * 0.8);
});
