import { expect, test } from "vitest";
import type { Run } from "../journal/run.ts";
import { describeChanged, planAndLoad } from "./describe-changed.ts";

const NOTHING = { added: [], changed: [], gone: [], unreadable: [] };
const imported: Pick<Run, "sources" | "options"> = {
  sources: [{ path: "/home/ana/log.csv", name: "log.csv", connector: "csv", saw: "a mapping file" }],
  options: { activityIDs: {}, workoutIDs: {}, tracks: true },
};
const promotes = { folder: "/home/ana/my log", run: 1, createdAt: 0 };
const promoted = { ...imported, options: { ...imported.options, promotes } };
const rehearseAndPromote =
  "Rehearse once more: logferry rehearse --out '/home/ana/my log'. Then promote: logferry promote --out '/home/ana/my log'";

test("sources that changed since a plan are planned again, and those of a promotion rehearsed first", () => {
  const lastOf = (run: typeof imported, changes: object) =>
    describeChanged({ ...NOTHING, ...changes }, run).words.at(-1);
  const [changed, gone] = [{ changed: ["log.csv"] }, { gone: ["log.csv"] }];
  expect(lastOf(imported, changed)).toBe("Plan again: logferry plan /home/ana/log.csv");
  expect(lastOf(imported, gone)).toBe(
    "Put back what went away, or leave it out of this command. Plan again: logferry plan /home/ana/log.csv",
  );
  expect(lastOf(promoted, changed)).toBe(rehearseAndPromote);
  expect(lastOf(promoted, gone)).toBe(`Put back what went away. ${rehearseAndPromote}`);
  expect(planAndLoad(imported)).toBe("Plan again: logferry plan /home/ana/log.csv. Then load it: logferry apply");
  expect(planAndLoad(promoted)).toBe(rehearseAndPromote);
});
