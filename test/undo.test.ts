import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { NUMBERED_ROWS } from "./support/small-sources.ts";

// A person undoes a run, by the command line, against a log over HTTP. An independent client makes the edits and reads the log.

type Json = Record<string, unknown>;

let rehearsal: Rehearsal;
let sheet: string;

beforeAll(async () => {
  rehearsal = await rehearse();
  sheet = join(rehearsal.folder, "log.csv");
  writeFileSync(join(rehearsal.folder, "log.map.yaml"), NUMBERED_ROWS);
});
afterAll(() => rehearsal.close());

function write(word: string, rows: number): void {
  const lines = Array.from({ length: rows }, (_, at) => `${at + 1},2019-05-0${at + 1},run,10,${word} ${at + 1}`);
  writeFileSync(sheet, ["No,Day,Sport,Distance,Notes", ...lines].join("\n"));
}

async function workouts(): Promise<Json[]> {
  const listed = await rehearsal.listed("/rest/logs/me/workouts");
  const read = await Promise.all(listed.map(({ id }) => rehearsal.get(`/rest/logs/me/workouts/${id}`)));
  return read.map(({ workout }) => workout as Json).sort((a, b) => String(a.date).localeCompare(String(b.date)));
}

async function notes(): Promise<unknown[]> {
  return (await workouts()).map((workout) => workout.notes);
}

/** A change that a person makes on the log's own page. */
async function edit(id: unknown, change: Json): Promise<void> {
  const { workout } = await rehearsal.get(`/rest/logs/me/workouts/${id}`);
  const { id: _id, ...body } = { ...(workout as Json), ...change };
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts/${id}?access_token=${rehearsal.token}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
}

function ledgerOf(ran: Ran): Json {
  return jsonLines(ran.out).findLast(({ type }) => type === "summary")?.ledger as Json;
}

test("what a run wrote over is put back where nobody edited it since, what it made is listed, and later imports leave it so", async () => {
  write("first", 3);
  expect((await rehearsal.run(["import", sheet, "--quiet"])).code).toBe(0);
  write("second", 4);
  expect(ledgerOf(await rehearsal.run(["import", sheet, "--json"]))).toMatchObject({ updated: 3, created: 1 });
  const [, two, , four] = await workouts();
  await edit(two?.id, { notes: "second 2, and it rained" });

  const dry = await rehearsal.run(["undo", "2", "--dry-run"]);
  expect(dry.code).toBe(3);
  expect(dry.out).toMatch(/Would be put back as they were:\n.*log\.csv line 2: notes "second 1" -> "first 1"/);
  expect(dry.out).toMatch(
    /Edited in the log since: will be left alone:\n.*line 3: notes "second 2" -> "second 2, and it rained"/,
  );
  expect(dry.out).toContain(`2019-05-04  workout  ${rehearsal.service.url}/workouts/${four?.id}`);
  expect(dry.out).toMatch(/Dry run: nothing was changed\. 2 would be put back; 1 left alone/);
  expect(await notes()).toEqual(["second 1", "second 2, and it rained", "second 3", "second 4"]);

  // The address is that of a page.
  const page = await fetch(`${rehearsal.service.url}/workouts/${four?.id}`, { redirect: "manual" });
  const none = await fetch(`${rehearsal.service.url}/no-such-page/${four?.id}`, { redirect: "manual" });
  expect([page.status, none.status]).toEqual([302, 404]);

  const undone = await rehearsal.run(["undo", "2", "--json"]);
  expect(undone.code).toBe(3);
  const lines = jsonLines(undone.out);
  expect(lines.filter(({ type }) => type === "undone").map(({ verdict }) => verdict)).toEqual([
    "put back",
    "edited",
    "put back",
  ]);
  expect(lines.filter(({ type }) => type === "created")).toMatchObject([
    { kind: "workout", id: four?.id, date: "2019-05-04" },
  ]);
  expect(await notes()).toEqual(["first 1", "second 2, and it rained", "first 3", "second 4"]);

  const again = await rehearsal.run(["undo", "2"]);
  expect(again.out).toMatch(/Run 2 is undone\. 0 put back; 2 as before already; 1 left alone/);
  expect(await notes()).toEqual(["first 1", "second 2, and it rained", "first 3", "second 4"]);

  const later = await rehearsal.run(["import", sheet, "--json"]);
  expect(ledgerOf(later)).toMatchObject({ read: 4, skipped: 2, unchanged: 2, updated: 0, created: 0 });
  expect(later.out).not.toContain(rehearsal.token);
  const asked = await rehearsal.run(["import", sheet, "--again", "--json"]);
  expect(ledgerOf(asked)).toMatchObject({ updated: 2, unchanged: 2 });
  expect(await notes()).toEqual(["second 1", "second 2, and it rained", "second 3", "second 4"]);
});

test("a run that was undone is verified as it was put back, and an undo that runs out of requests goes on with the same command", async () => {
  const own = await rehearse();
  try {
    const rows = (word: string) => {
      const lines = [1, 2, 3, 4].map((day) => `${day},2021-03-0${day},run,10,${word} ${day}`);
      writeFileSync(join(own.folder, "log.csv"), ["No,Day,Sport,Distance,Notes", ...lines].join("\n"));
    };
    writeFileSync(join(own.folder, "log.map.yaml"), NUMBERED_ROWS);
    const notesNow = async () => {
      const listed = await own.listed("/rest/logs/me/workouts");
      const read = await Promise.all(listed.map(({ id }) => own.get(`/rest/logs/me/workouts/${id}`)));
      return read.map(({ workout }) => String((workout as Json).notes)).sort();
    };
    rows("first");
    expect((await own.run(["import", join(own.folder, "log.csv"), "--quiet"])).code).toBe(0);
    rows("second");
    expect((await own.run(["import", join(own.folder, "log.csv"), "--quiet"])).code).toBe(0);

    // Opening takes five requests. Then a record is read, written and read.
    const short = await own.run(["undo", "2", "--max-requests", "12", "--concurrency", "1"]);
    expect(short.code, short.err).toBe(75);
    expect(short.out).toContain("Stopped: the 12 requests of --max-requests are used up. The same command goes on");
    const half = await notesNow();
    expect(half.filter((note) => note.startsWith("first")).length).toBeGreaterThan(0);
    expect(half.filter((note) => note.startsWith("second")).length).toBeGreaterThan(0);

    const rest = await own.run(["undo", "2"]);
    expect(rest.code, rest.err).toBe(0);
    expect(await notesNow()).toEqual(["first 1", "first 2", "first 3", "first 4"]);
    const verified = await own.run(["verify", "--run", "2"]);
    expect(verified.out + verified.err).toContain(
      "Verified: all 4 records of run 2 are in the log, every field as planned or, in 4 records, as before the run: logferry undo put them back.",
    );
    expect(verified.code).toBe(0);
    const told = await own.run(["verify", "--run", "2", "--json", "--report", join(own.folder, "report.html")]);
    expect(jsonLines(told.out).find(({ type }) => type === "verification")).toMatchObject({ differing: 0, putBack: 4 });
    const [status, page] = [
      await own.run(["status", "--run", "2"]),
      readFileSync(join(own.folder, "report.html"), "utf8"),
    ];
    expect(status.out).toContain("all fields as planned, but for 4 that logferry undo put back");
    expect(page).toContain("every field as planned, but for 4 that logferry undo put back");
  } finally {
    await own.close();
  }
});

test("a number that is no run's is a mistake in the command", async () => {
  expect(await rehearsal.run(["undo", "99"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no run 99"),
  });
  expect(await rehearsal.run(["undo", "last"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("the number of a run"),
  });
});

test("a run that wrote nothing has nothing to undo, and undo says so", async () => {
  write("planned", 5);
  const planned = await rehearsal.run(["plan", sheet, "--json"]);
  const run = jsonLines(planned.out).findLast(({ type }) => type === "plan")?.run;
  const undone = await rehearsal.run(["undo", String(run)]);
  expect(undone.out).toContain(`Run ${run} wrote nothing to your log, so there is nothing to undo.`);
  expect(undone.code).toBe(0);
});

test("a run that found everything as planned has no yes any more once the run before it is undone", async () => {
  const path = join(rehearsal.folder, "certificate.json");
  const answer = async () => {
    const certified = await rehearsal.run(["certify", path]);
    return certified.out + certified.err;
  };
  write("third", 2);
  await rehearsal.run(["import", sheet, "--again", "--quiet"]);
  write("fourth", 2);
  expect(ledgerOf(await rehearsal.run(["import", sheet, "--json"]))).toMatchObject({ updated: 2 });
  const same = await rehearsal.run(["import", sheet, "--json"]);
  expect(ledgerOf(same)).toMatchObject({ unchanged: 2 });
  const run = Number(jsonLines(same.out).find(({ type }) => type === "summary")?.run);
  await rehearsal.run(["verify"]);
  expect((await rehearsal.run(["undo", String(run - 1)])).code).toBe(0);
  expect(await answer()).toContain("Not yet: 2 records of the run were put back as before");
  const verified = await rehearsal.run(["verify"]);
  expect([verified.code, verified.out + verified.err]).toEqual([7, expect.stringContaining('planned "fourth 1"')]);
  expect(await answer()).toContain("Not yet");
});

test("values that a person gives after an undo go into the log", async () => {
  writeFileSync(sheet, "No,Day,Sport,Distance,Notes\n8,2019-05-08,run,10,good\n9,2019-05-41,run,10,late\n");
  const imported = async () =>
    jsonLines((await rehearsal.run(["import", sheet, "--again", "--json"])).out).findLast(
      ({ type }) => type === "summary",
    );
  const decide = async (...words: readonly string[]) => {
    const ran = await rehearsal.run(["quarantine", ...words]);
    expect(ran.code, ran.out + ran.err).toBe(0);
  };
  const say = (distance: string) => decide("fix", id, "--set", "date=2019-05-09", "--set", `distance=${distance}`);
  const inLog = async () =>
    (await workouts()).flatMap(({ notes: words, details }) =>
      words === "late" ? [(details as { distance: { value: number } }).distance.value] : [],
    );
  await imported();
  const listed = jsonLines((await rehearsal.run(["quarantine", "--json"])).out);
  const id = String(listed.find(({ type }) => type === "quarantined")?.id);
  await say("11 km");
  await imported();
  await decide("take-back", id);
  await imported();
  await say("12 km");
  const run = (await imported())?.run;
  expect(await inLog()).toEqual([12]);
  expect((await rehearsal.run(["undo", String(run)])).code).toBe(0);
  expect(await inLog()).toEqual([11]);
  const again = async () => ledgerOf(await rehearsal.run(["import", sheet, "--json"]));
  expect((await rehearsal.run(["plan", sheet])).out).toMatch(
    /1 record stays as you put it back with an undo: \S+ line \d+, expected the values of the sources\. To send them after all, type the same once more with --again \(plan\/stays-undone\)/,
  );
  expect(await again()).toMatchObject({ updated: 0, skipped: 1 });
  await decide("take-back", id);
  await again();
  await say("13 km");
  expect(await again()).toMatchObject({ updated: 1, skipped: 0 });
  expect(await inLog()).toEqual([13]);
});
