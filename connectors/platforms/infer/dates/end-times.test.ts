import { expect, test } from "vitest";
import { readAll } from "../../../../test/suites/fixture-cases.ts";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { memoryArchive } from "../../../containers/memory.ts";
import { csv } from "../../csv/connector.ts";
import { isOpen, writeMapping } from "../infer.ts";

test.each([[[]], [[["columns.End.field", "end"]]]] as const)(
  "the end of a workout may have a day before it, as its start has, or be said: %j",
  async (answers) => {
    const rows = [
      "2023-03-03 18:30,12.7,2023-03-03 19:36:16",
      "2023-03-06 23:40,10.5,2023-03-07 00:37:33",
      "2023-03-09 18:30,8.2,2023-03-09 19:16:55",
    ];
    const table = ["Start,Km,End", ...rows].join("\n");
    const proposal = await proposalFor(table, new Map([["defaults.activity", "run"], ...answers]));
    expect(proposal.choices.filter(isOpen)).toEqual([]);
    const files = { "log.csv": table, "log.map.yaml": writeMapping(proposal, "log.csv") };
    const { readings } = await readAll(csv, memoryArchive("log", files));
    const durations = readings.flatMap((one) =>
      one.kind === "workout" ? [[one.value.start.date, one.value.duration]] : [],
    );
    expect(durations).toEqual([["2023-03-03", 3976], ["2023-03-06", 3453], ["2023-03-09", 2815]]); // biome-ignore format: a table
  },
);

test("the end that a person names is the end, where nothing else says it", async () => {
  const table = ["Date,Start,Km,Back home", "2023-03-03,18:30,12.7,19:36", "2023-03-06,18:40,10.5,19:37"].join("\n");
  const answers = new Map([["defaults.activity", "run"], ["columns.Back home.field", "end"]]); // biome-ignore format: a table
  const proposal = await proposalFor(table, answers);
  expect(proposal.draft.columns.get("Back home")).toEqual({ field: "end" });
});
