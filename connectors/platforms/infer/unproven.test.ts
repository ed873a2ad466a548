import { expect, test } from "vitest";
import { memoryArchive } from "../../containers/memory.ts";
import { inferMapping, isOpen } from "./infer.ts";

async function choicesOf(lines: readonly string[]) {
  const archive = memoryArchive("log", { "log.csv": `${lines.join("\n")}\n` });
  const [table] = archive.entries();
  if (table === undefined) throw new Error("no table");
  const proposal = await inferMapping(archive, table, new Map(), "2026-03-01");
  if ("problem" in proposal) throw new Error(proposal.problem);
  return new Map(proposal.choices.map((choice) => [choice.place, choice]));
}

test("pounds and degrees behind the numbers of other columns prove miles", async () => {
  const days = ["03/05", "03/09", "03/13", "03/16", "03/21", "03/24"];
  const lines = days.map((day, at) => `${day}/2014,${5 + at},0:${45 + 2 * at}:00,165 lbs,55F`);
  const unit = (await choicesOf(["Date,Dist,Time,Weight,Temp", ...lines])).get("columns.Dist.unit");
  expect(unit).toMatchObject({ value: "mi", why: expect.stringContaining('the column "Weight"') });
});

test("an order of dates that nothing shows has no usual answer", async () => {
  const lines = ["04/11", "01/05", "06/07", "02/08"].map((day) => `${day}/2014,10,0:55:00`);
  const order = (await choicesOf(["Date,Run km,Time", ...lines])).get("dates.order");
  expect(order && isOpen(order) && order.isUnproven).toBe(true);
});
