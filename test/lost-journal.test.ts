import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { heldBy, markOf, openWorld } from "./matrix/world.ts";
import { jsonLines } from "./support/cli.ts";
import { rehearse } from "./support/rehearsal.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";
import { someRuns } from "./support/small-sources.ts";
import { longTest, test } from "./support/tier-tests.ts";

// A person who lost the journal (a new computer, a folder cleared) imports the same sources once more. logferry recognises the records in the log,
// however little was noted about them.

const MAPPING = `version: 1
dates: { order: iso }
columns:
  Day: { field: date }
  At: { field: time }
  Sport: { field: activity }
  Km: { field: distance, unit: km }
  Took: { field: duration, format: h:mm:ss }
  Notes: { field: notes }
`;

const ROWS = [
  "2019-05-01,,run,10,,a day and a distance",
  "2019-05-02,,run,5,,the first of two alike",
  "2019-05-02,,run,5,,the second of two alike",
  "2019-05-03,,run,,0:50:00,a day and a duration",
  "2019-05-04,,run,8,0:40:00,a day and both",
  "2019-05-05,07:30,run,12,,a time and a distance",
  "2019-05-06,,run,,,a day alone",
];

longTest(
  "a journal deleted after a kill: the next one waits out what the killed run had under way, and sends nothing twice",
  async () => {
    await using world = await openWorld({ runs: someRuns(12) });
    let isHolding = true;
    await using proxy = await startRepeatingProxy(world.service.url, (method, path, index) =>
      isHolding && method === "POST" && path.endsWith("/workouts") && index >= 4 ? "held" : "once",
    );
    const env = { LOGFERRY_URL: proxy.url };
    const { child, ended } = world.start(world.importWords({ flags: ["--concurrency", "3"] }), { env });
    while (proxy.held() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGKILL");
    await ended;
    for (const file of readdirSync(world.folder).filter((name) => name.startsWith("journal.db")))
      rmSync(join(world.folder, file));
    isHolding = false;

    const words = ["import", world.sheet, "--zone", "Europe/Vienna", "--settle", "4"];
    const next = world.start(words, { env });
    let err = "";
    next.child.stderr?.on("data", (chunk) => {
      err += chunk;
    });
    while (!err.includes("waiting 4 s")) await new Promise((resolve) => setTimeout(resolve, 5));
    // A server carries out the request it was sent, even when its client no longer waits for the answer.
    await proxy.letGo();
    const ran = await next.ended;
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(ran.err).toMatch(
      /Another run on this log was cut off \(journal .*journal\.db, begun on .*\)\. Up to 3 of its requests/,
    );
    expect(ran.out).toMatch(/12 of 12 records are in your log, each once\./);
    expect((await heldBy(world)).toSorted()).toEqual(world.runs.map(markOf).toSorted());

    // The next command waits once. The run after it ended well, so the third does not wait.
    const third = await world.run(words, { env, journal: join(world.folder, "third.db") });
    expect(third.err).not.toContain("cut off");
    expect(third.code, third.out + third.err).toBe(0);
  },
);

test("a journal that is lost costs nothing: the same sheet is recognised in the log, row by row, and none is there twice", async () => {
  const rehearsal = await rehearse("kilometres", { database: ":memory:" });
  try {
    const sheet = join(rehearsal.folder, "log.csv");
    writeFileSync(join(rehearsal.folder, "log.map.yaml"), MAPPING);
    writeFileSync(sheet, ["Day,At,Sport,Km,Took,Notes", ...ROWS].join("\n"));
    const created = async (journal: string) => {
      const ran = await rehearsal.run(["import", sheet, "--json"], { journal: join(rehearsal.folder, journal) });
      expect(ran.code, ran.err + ran.out.slice(-500)).toBe(0);
      const { ledger } = jsonLines(ran.out).findLast(({ type }) => type === "summary") as {
        ledger: { created: number };
      };
      return ledger.created;
    };
    expect(await created("first.db")).toBe(ROWS.length);
    expect(await created("second.db")).toBe(0);
    expect(await rehearsal.listed("/rest/logs/me/workouts")).toHaveLength(ROWS.length);
  } finally {
    await rehearsal.close();
  }
});
