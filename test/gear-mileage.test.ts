import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";

// The log adds up the mileage of a shoe from its own workouts. When it differs from the source's mileage, verify says why.

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse("kilometres", { database: ":memory:" });
});
afterEach(() => rehearsal.close());

const IMPORT = ["--json", "--settle", "0.3", "--zone", "UTC"];

const shoe = (
  said: string,
) => `<Equipment id="s1"><Name make="Saucony" model="Kinvara" retired="false">Saucony Kinvara</Name>
<Activity type="10">Run</Activity><PurchaseInfo date="2015-01-01"/>${said}</Equipment>`;
const run = (id: number, km: number, seconds = km * 300) =>
  `<Event type="10" typeName="Run" id="e${id}" time="2015-05-0${id}T06:00:00Z"><Distance unit="km">${km}</Distance><Duration seconds="${seconds}">x</Duration><Equipment id="s1">Saucony Kinvara</Equipment></Event>`;

/** A log of RunningAHEAD with a shoe, and the platform's mileage for it. */
function exported(said: string, ...runs: readonly string[]): string {
  const folder = join(rehearsal.folder, "export");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "log.xml"),
    `<?xml version="1.0"?><RunningAHEADLog version="2.2"><EquipmentCollection>${shoe(said)}</EquipmentCollection>
<EventCollection>${runs.join("\n")}</EventCollection></RunningAHEADLog>`,
  );
  return folder;
}

async function verified() {
  const said = await rehearsal.run(["verify"]);
  const ran = await rehearsal.run(["verify", "--json"]);
  const found = jsonLines(ran.out).find(({ type }) => type === "verification") as { gear: readonly object[] };
  return { text: said.out, code: said.code, gear: found.gear };
}

test("a shoe with the same mileage in both is not spoken of", async () => {
  await rehearsal.run(["import", exported('<Distance unit="km">15</Distance>', run(1, 5), run(2, 10)), ...IMPORT]);
  const { text, code, gear } = await verified();
  expect(code, text).toBe(0);
  expect(gear).toEqual([]);
  expect(text).not.toContain("Mileage");
});

test("what the source counts more than the workouts have that can be loaded makes the difference", async () => {
  // The third run is faster than any person can run, so the plan holds it back.
  const folder = exported('<Distance unit="mile">100</Distance>', run(1, 5), run(2, 10), run(3, 20, 600));
  await rehearsal.run(["import", folder, ...IMPORT]);
  const { text, gear } = await verified();
  expect(gear).toMatchObject([
    {
      name: "Saucony Kinvara",
      source: 160_934,
      log: 15_000,
      workouts: { count: 2 },
      left: { count: 0 },
    },
  ]);
  expect(text).toContain(
    "Mileage of Saucony Kinvara: 160.9 km at the source, 15.0 km in the log. The source counts 145.9 km more than the workouts of it that can be loaded (2).",
  );
});

test("workouts that somebody typed into the log make the difference", async () => {
  await rehearsal.run(["import", exported("", run(1, 5), run(2, 10)), ...IMPORT]);
  const [{ id } = {}] = await rehearsal.listed("/rest/logs/me/equipment");
  const body = {
    activityID: 10,
    date: "2020-01-01",
    equipment: [{ id }],
    details: { distance: { unit: "km", value: 42.2 }, duration: 14_000 },
  };
  const address = `${rehearsal.service.url}/rest/logs/me/workouts?access_token=${rehearsal.token}`;
  const headers = { "content-type": "application/json" };
  await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  expect((await verified()).text).toContain(
    "Mileage of Saucony Kinvara: 15.0 km at the source, 57.2 km in the log. The log counts 42.2 km of other workouts.",
  );
});

test("a shoe of two exports has the figure of each beside the log's, and the workouts of both count once", async () => {
  const first = exported('<Distance unit="km">20</Distance>', run(1, 5), run(2, 10));
  const second = join(rehearsal.folder, "second");
  mkdirSync(second, { recursive: true });
  writeFileSync(
    join(second, "log.xml"),
    `<?xml version="1.0"?><RunningAHEADLog version="2.2"><EquipmentCollection>${shoe('<Distance unit="km">30</Distance>')}</EquipmentCollection>
<EventCollection>${[run(2, 10), run(3, 12)].join("\n").replaceAll('id="e', 'id="f')}</EventCollection></RunningAHEADLog>`,
  );
  const ran = await rehearsal.run(["import", first, second, ...IMPORT]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  const { text, gear } = await verified();
  expect(gear).toMatchObject([
    { log: 27_000, source: 30_000, sources: [{ metres: 30_000 }, { metres: 20_000 }], workouts: { count: 3 } },
  ]);
  expect(text).toContain("Mileage of Saucony Kinvara: 30.0 km in second, 20.0 km in export, 27.0 km in the log.");
  expect(text).toContain("second counts 3.0 km more than the workouts of it that can be loaded (3).");
});

test("a shoe of which the log has another one instead is named with it", async () => {
  // One workout of both sources is too little proof that the two names are one shoe.
  const first = exported("", run(1, 5), run(2, 10));
  const second = join(rehearsal.folder, "second");
  mkdirSync(second, { recursive: true });
  const text = readFileSync(join(first, "log.xml"), "utf8");
  writeFileSync(
    join(second, "log.xml"),
    text
      .replaceAll("Kinvara", "Blue")
      .replaceAll("Saucony", "")
      .replaceAll('id="', 'id="x')
      .replaceAll('type="x10"', 'type="10"'),
  );
  // The newer of two exports has the word, so both are of one moment.
  for (const folder of [first, second]) utimesSync(join(folder, "log.xml"), 1_700_000_000, 1_700_000_000);
  const ran = await rehearsal.run(["import", first, second, ...IMPORT]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  const { text: said, gear } = await verified();
  expect(gear).toMatchObject([{ second: { count: 2 }, instead: ["Saucony Kinvara"] }]);
  expect(said).toContain("2 of its workouts (15.0 km) have Saucony Kinvara too, and a log takes one.");
});

test("after a retry, the workouts that came before it and with it count together", async () => {
  const folder = exported('<Distance unit="km">15</Distance>', run(1, 5), run(2, 10, 100));
  expect((await rehearsal.run(["import", folder, ...IMPORT])).code).toBe(3);
  const before = await verified();
  expect(before.text).toContain("15.0 km at the source, 5.0 km in the log.");
  await rehearsal.run(["quarantine", "retry", "--allow", "implausible", "--settle", "0.3"]);
  for (const words of [["verify"], ["verify", "--run", "1"]]) {
    const { out, code } = await rehearsal.run(words);
    expect([code, out]).toEqual([0, expect.not.stringContaining("Mileage")]);
  }
});
