import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { heldBy, openWorld, summaryOf } from "./matrix/world.ts";
import { rehearse } from "./support/rehearsal.ts";
import { startRepeatingProxy } from "./support/repeating-proxy.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";

// Something on the way repeats an import. The second record is never completed, so it keeps the start, activity and length that the service gave it.
// logferry recognises it by these at every look, since the first record looked the same.

const IMPORTS = "/rest/logs/me/workouts/";
const FILES = join(import.meta.dirname, "..", "fixtures", "device-files", "fit", "archive");
const SUMMER = "2019-05-04-07-10-05.fit";

/** A log behind a proxy that sends every import twice until it is told to stop. */
async function openTwice() {
  const world = await openWorld({ runs: [], utcOffset: 0 });
  let isTwice = true;
  const proxy = await startRepeatingProxy(world.service.url, (method, path) =>
    isTwice && method === "POST" && path.startsWith(IMPORTS) ? "twice" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  return {
    world,
    run: (words: readonly string[]) => world.run(words, { env }),
    import: (source: string) => world.import({ sources: [source], env }),
    async twice(source: string) {
      const ran = await world.import({ sources: [source], env });
      expect(ran.code, ran.out + ran.err).toBe(7);
      expect(await heldBy(world)).toHaveLength(2);
      isTwice = false;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test("a workout of the log that stands for two of a source is named with both", async () => {
  await using stack = new AsyncDisposableStack();
  const log = stack.adopt(await rehearse("kilometres", { database: ":memory:" }), (one) => one.close());
  const sheet = writeSheet(join(log.folder, "sheet"), someRuns(2));
  await log.run(["import", sheet]);
  const journal = join(log.folder, "journal.db");
  // The checksum beside it would show that somebody changed the journal.
  rmSync(`${journal}.seal`);
  const database = new DatabaseSync(journal);
  const id = database.prepare("SELECT remote_id FROM line ORDER BY seq").get()?.remote_id;
  database.prepare("UPDATE line SET remote_id = ?").run(String(id));
  database.close();
  const { code, err } = await log.run(["verify"]);
  expect(code).toBe(7);
  expect(err).toContain(
    `Workout ${id} of the log stands for 2 records: log.csv line 2 and log.csv line 3. The log has it once. To see why: logferry explain ${id}`,
  );
});

test("a device file that was imported twice is named by a verification and by each later import, hours from where it was planned", async () => {
  await using log = await openTwice();
  const file = join(FILES, SUMMER);
  await log.twice(file);

  const verified = await log.run(["verify"]);
  expect(verified.code, verified.out + verified.err).toBe(7);
  expect(verified.err).toMatch(/^Workout \S+ of the log looks the same as \S+\. It was sent twice, or typed by hand/m);
  expect(verified.out).toContain("1 that may be there twice");

  for (const which of ["second", "third"]) {
    const again = await log.import(file);
    expect(again.code, which + again.out + again.err).toBe(7);
    expect(summaryOf(again), which).toMatchObject({ look: { surplus: [{ count: 1 }] } });
  }
  const status = await log.run(["status"]);
  expect(status.out).toMatch(/closed\? Not yet: the log holds 1 record more than it should/);
});

test("a later import of more says it too", async () => {
  await using log = await openTwice();
  const folder = join(log.world.folder, "watch");
  cpSync(join(FILES, SUMMER), join(folder, SUMMER));
  await log.twice(folder);
  cpSync(join(FILES, "2019-05-06-18-00-00.fit"), join(folder, "another.fit"));
  const more = await log.import(folder);
  expect(more.code, more.out + more.err).toBe(7);
  expect(summaryOf(more)).toMatchObject({ look: { surplus: [{ count: 1 }] } });
  const verified = await log.run(["verify"]);
  expect(verified.code, verified.out + verified.err).toBe(7);
});

test.each([
  ["by the run that finds it out", 7, "60"],
  ["after a stop, when another run finishes it", 75, "10"],
])("a repeated import without an answer is named %s, and from then on", async (_, code, most) => {
  await using world = await openWorld({ runs: [], utcOffset: 0 });
  let lost = 0;
  await using proxy = await startRepeatingProxy(world.service.url, (method, path) =>
    method === "POST" && path.startsWith(IMPORTS) && lost++ === 0 ? "twice, unanswered" : "once",
  );
  const env = { LOGFERRY_URL: proxy.url };
  const sources = [join(FILES, SUMMER)];
  const first = await world.import({ sources, env, flags: ["--max-requests", most, "--settle", "0.1"] });
  expect(first.code, first.out + first.err).toBe(code);
  for (const which of ["second", "third"]) {
    const ran = await world.import({ sources, env });
    expect(ran.code, which + ran.out + ran.err).toBe(7);
    expect(summaryOf(ran), which).toMatchObject({ look: { surplus: [{ count: 1 }] } });
  }
  const verified = await world.run(["verify"], { env });
  expect(verified.code, verified.out + verified.err).toBe(7);
});

test("a run of the same length some whole hours later that somebody typed is nobody's second import", async () => {
  await using world = await openWorld({ runs: [], utcOffset: 0 });
  const file = join(FILES, SUMMER);
  const first = await world.import({ sources: [file] });
  expect(first.code, first.out + first.err).toBe(0);
  const [{ id: _, ...own } = { id: "" }] = await world.listed("/rest/logs/me/workouts");
  const later = String((Number(String(own.time).slice(0, 2)) + 9) % 24).padStart(2, "0") + String(own.time).slice(2);
  const url = `${world.service.url}/rest/logs/me/workouts?access_token=${world.token}`;
  const { activityID, date, details } = own as Record<string, unknown>;
  const body = JSON.stringify({ activityID, date, time: later, details });
  const typed = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(await typed.json()).toMatchObject({ code: 0 });
  const again = await world.import({ sources: [file] });
  expect(again.code, again.out + again.err).toBe(0);
  const verified = await world.run(["verify"]);
  expect(verified.code, verified.out + verified.err).toBe(0);
});
