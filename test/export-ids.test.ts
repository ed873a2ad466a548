import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { emptyHome, runCli } from "./support/cli.ts";
import { type Received, type Reply, startServer } from "./support/http-server.ts";

// Ids are there to be joined by. A spreadsheet takes some of them for numbers or days. They must still be the same in every format.

const LOG = "/rest/logs/me";
/** Digits alone, with an `e` or an `a` among them, or with zeros in front. A service may give any of these ids. */
const IDS = ["12e5", "007", "1234567890123456789", "00019aa0e1", "2024-05-01", "1a", "12:30", "true"];
/** No known service gives such an id. A spreadsheet would run it. */
const FORMULA = "=1+1";

test("an id is the same in CSV, JSON and Parquet, of the record and of whatever names it; only a formula is guarded in CSV", async () => {
  const ids = [...IDS, FORMULA];
  const list = (entries: readonly object[]) => ({ json: { code: 0, data: { entries, numEntries: entries.length } } });
  const server = await startServer(({ path }: Received): Reply => {
    if (path === "/rest/users/me") return { json: { code: 0, data: { screenName: "runner" } } };
    if (path === "/rest/users/me/preference")
      return {
        json: { code: 0, data: { preference: { distanceUnit: "km", weightUnit: "kg", temperatureUnit: "C" } } },
      };
    if (path === `${LOG}/equipment`) return list(ids.map((id) => ({ id, activityID: 10 })));
    if (path === `${LOG}/workouts`) return list(ids.map((id) => ({ id })));
    const id = decodeURIComponent(path.split("/").at(-1) ?? "");
    return path.startsWith(`${LOG}/workouts/`)
      ? { json: { code: 0, data: { workout: { id, date: "2024-01-01", equipment: [{ id }] } } } }
      : list([]);
  });
  using home = emptyHome();
  try {
    const out = join(home.path, "log");
    const env = { LOGFERRY_URL: server.url, LOGFERRY_TOKEN: "a-token", LOGFERRY_RATE: "0" };
    const ran = await runCli(home.path, ["export", "--out", out, "--format", "csv,json,parquet"], { env });
    expect(ran).toMatchObject({ code: 0, err: "" });
    const json = JSON.parse(readFileSync(join(out, "log.json"), "utf8"));
    expect(json.workouts.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const [table, headers] of [
      ["workouts", ["id", "equipmentId"]],
      ["equipment", ["id"]],
    ] as const) {
      const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(out, `${table}.parquet`)) });
      const [head = "", ...lines] = readFileSync(join(out, `${table}.csv`), "utf8")
        .replace("\ufeff", "")
        .trimEnd()
        .split("\n");
      for (const header of headers) {
        const place = head.split(",").indexOf(header);
        expect(rows.map((row) => row[header])).toEqual(ids);
        expect(lines.map((line) => line.split(",")[place])).toEqual([...IDS, `'${FORMULA}`]);
      }
    }
  } finally {
    await server.close();
  }
});
