import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen, writeMapping } from "../infer.ts";

const LINES = [
  "Date,Sport,km,Time",
  "2021-01-03,Run,6.2,0:36:28",
  "2021-01-06,,9.5,0:52:43",
  "2021-01-08,,12.1,1:02:43",
  "2021-01-13,Bike,17.4,0:43:26",
  "2021-01-15,,23.1,0:51:29",
];

async function infer(answers: Record<string, string> = {}, lines: readonly string[] = LINES) {
  const proposal = await proposalFor(`${lines.join("\n")}\n`, new Map(Object.entries(answers)));
  const open = proposal.choices.filter(isOpen);
  return {
    open: open.map(({ place, options }) => [place, options.map(({ value }) => value).slice(0, 2)]),
    why: open[0]?.why,
    text: writeMapping(proposal, "log.csv"),
  };
}

test("empty cells below a sport are a question, and the first answer is the sport above", async () => {
  const { open, why, text } = await infer();
  expect(open).toEqual([["layout.asAbove.sport", ["Sport", "none"]]]);
  expect(why).toBe('3 of 5 rows name no sport, and stand below "Run", "Bike"');
  expect(text).toMatch(/asAbove: ASK {2}# CHECK: Sport \(it is the sport above\), or without the line/);
  const above = await infer({ "layout.asAbove.sport": "Sport" });
  expect(above.open).toEqual([]);
  expect(above.text).toContain("  asAbove: [Sport]  # Sport: your answer");
  const usual = await infer({ "layout.asAbove.sport": "none" });
  expect(usual.open.map(([place]) => place)).toEqual(["defaults.activity"]);
  expect(usual.text).not.toContain("asAbove");
});

test("dates and sports that both stand in the first row only are written on one line", async () => {
  const lines = [
    "Day,Sport,km,Time",
    ...LINES.slice(1, 3),
    ",,4,0:24:00",
    ...LINES.slice(3),
    ",,8,0:20:00",
    ",,9,0:21:00",
  ];
  const { text } = await infer({ "layout.asAbove": "Day", "layout.asAbove.sport": "Sport" }, lines);
  expect(text).toMatch(/^ {2}asAbove: \[Day, Sport\]/m);
});

test.each([
  ["few of many rows", ["2021-01-16,Run,8,0:41:00", "2021-01-17,Run,8,0:42:00", "2021-01-18,Run,8,0:43:00", "2021-01-19,Run,8,0:43:10", "2021-01-20,Run,8,0:43:20", "2021-01-21,Run,8,0:44:00"]],
])("without a sport in %s nothing is asked of those above", async (_, more) => {
  const { open } = await infer({}, [...LINES, ...more]);
  expect(open.map(([place]) => place)).not.toContain("layout.asAbove.sport");
}); // biome-ignore format: a table
