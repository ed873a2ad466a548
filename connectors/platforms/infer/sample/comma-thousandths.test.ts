import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

async function propose(text: string, answers: Readonly<Record<string, string>> = {}) {
  const given = new Map(Object.entries({ "defaults.activity": "run", ...answers }));
  const proposal = await proposalFor(text, given);
  return {
    open: proposal.choices.filter(isOpen).map(({ place }) => place),
    columns: Object.fromEntries(proposal.draft.columns),
    file: proposal.draft.file,
  };
}

test.each([
  ["below an hour", "13.03.2022;9,9;0,889\n15.03.2022;12,3;1,131\n18.03.2022;12,1;1,104\n"],
  ["of an hour and more", "13.03.2022;9,9;1,089\n15.03.2022;12,3;1,131\n18.03.2022;12,1;1,104\n"],
])("hours with three decimals behind a comma are hours, %s", async (_, rows) => {
  const { open, columns, file } = await propose(`Datum;km;Stunden\n${rows}`);
  expect(open).toEqual([]);
  expect(columns.Stunden).toEqual({ field: "duration", format: ["hours"] });
  expect(file).toEqual({ decimal: "," });
});

test("thousands behind a comma stay thousands", async () => {
  const { columns } = await propose(
    'Date,Distance,Time,Steps\n2022-03-13,6.2,0:52:10,"9,889"\n2022-03-15,5.1,0:41:00,"8,131"\n2022-03-18,7.5,1:01:00,"11,104"\n',
    { "columns.Distance.unit": "mi" },
  );
  expect(columns.Steps).toMatchObject({ field: "unsupported" });
});

test("hours that nobody can read keep the old account open, also where somebody says that they are unsupported", async () => {
  const { columns } = await propose("Datum;km;Stunden\n13.03.2022;9,9;etwa eine\n15.03.2022;12,3;mehr\n", {
    "columns.Stunden.field": "unsupported",
  });
  expect(columns.Stunden).toMatchObject({ field: "unsupported", proposed: true });
});
