import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { jefit } from "./table.ts";

const BACKUP = [
  "### WORKOUT SESSIONS ###",
  "_id,mydate,starttime,total_time",
  "1,2020-09-14,1600100000,1800",
  "##########",
  "### EXERCISE LOGS ###",
  "_id,ename,logs,belongsession,mydate",
  "103,Running,0x0,1,2020-09-14",
  "##########",
  "### EXERCISE SET LOGS ###",
  "_id,exercise_log_id,set_index,weight_lbs,reps,distance_mi,speed_mph,duration",
  "7,103,0,0,0,3.1,6.2,1800",
  "##########",
  "",
].join("\n");

const read = (text: string) => readAll(jefit, memoryArchive("a", { "jefit.csv": text }));

test("a backup that is cut in its last table counts as a file that is not read to its end", async () => {
  const whole = await read(BACKUP);
  expect(whole.readings).toMatchObject([{ value: { activity: "run", distance: { unit: "mi", value: 3.1 } } }]);
  expect(whole.issues).toEqual([]);
  for (const end of ["weight_l", "speed_mph,duration\n", "6.2,1800\n"]) {
    const cut = await read(BACKUP.slice(0, BACKUP.indexOf(end) + end.length));
    expect(cut.readings, end).toContainEqual(
      expect.objectContaining({ as: "quarantined", issue: expect.objectContaining({ rule: "jefit/no-end" }) }),
    );
    expect(cut.issues, end).toContainEqual(
      expect.objectContaining({ rule: "jefit/other-files", severity: "warning", names: ["jefit.csv"] }),
    );
  }
});
