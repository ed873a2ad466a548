import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { blocksOf } from "../../test/support/blocks.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { WorkoutItem } from "../../transforms/model/item.ts";
import type { AccountRef } from "../journal/remote-record.ts";
import type { Suspect } from "./block.ts";
import { createEvidenceCollector, type OwnerEvidence } from "./evidence.ts";
import { readMemory, remember } from "./memory.ts";

// What is known of an athlete next month: archives that came before, and what a coach said is all right.

const folder = temporaryFolder();

const account = (name: string, baseUrl = "log.example"): AccountRef => ({ baseUrl, userHash: `hash of ${name}`, name });

/** Workouts `from` to `to` of somebody, recorded by a watch, with a weight and a place. */
function archive(
  whose: string,
  from: number,
  to: number,
  { serial, kg, home = 0, email }: { serial?: string; kg?: number; home?: number; email?: string } = {},
): OwnerEvidence {
  const collector = createEvidenceCollector();
  collector.open(0, `${whose}.zip`);
  for (let number = from; number <= to; number++) {
    const item: WorkoutItem = {
      kind: "workout",
      key: `${whose} ${number}`,
      origin: { connector: "made", archive: "made", entry: "made" },
      value: {
        start: { instant: Date.UTC(2024, 0, number), position: { lat: 48.2 + home, lon: 16.4 } },
        ...(kg !== undefined && { health: { weight: { unit: "kg", value: kg } } }),
      },
    };
    collector.addReading(0, item);
    if (serial !== undefined) collector.addFile(0, { entry: `${number}.fit`, device: { serial, maker: "garmin" } });
  }
  if (email !== undefined) collector.addFile(0, { entry: "profile.csv", person: { email } });
  return collector.evidence();
}

function suspect(athlete: string, evidence: OwnerEvidence, whose = account(athlete)): Suspect {
  return { athlete, expects: { screenName: athlete }, owner: { screenName: athlete }, account: whose, evidence };
}

const held = async (...suspects: Suspect[]) =>
  (await blocksOf(suspects, await readMemory(folder))).map(({ athlete, rule, with: other }) =>
    [athlete, rule, ...(other === undefined ? [] : [other])].join(" "),
  );

test("a folder that isn't there holds nothing, and a file that is none of ours is an error that names it", async () => {
  expect(await readMemory(join(folder, "none"))).toEqual([]);
  writeFileSync(join(folder, "notes.txt"), "x");
  expect(await readMemory(folder)).toEqual([]);
  const path = join(folder, `${"0".repeat(32)}.json`);
  await remember(folder, {
    athlete: "Ana",
    account: account("Ana"),
    evidence: archive("ana", 1, 3, { serial: "7", kg: 55 }),
  });
  const [own = ""] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const sound = JSON.parse(readFileSync(join(folder, own), "utf8"));
  for (const text of [
    "{",
    '{"version":1,"athlete":"Ana"}',
    ...[
      { version: 2 },
      { trusted: [7] },
      { trace: { ...sound.trace, devices: [null] } },
      { trace: { ...sound.trace, sample: {} } },
      { trace: { ...sound.trace, areas: [{}] } },
      { trace: { ...sound.trace, weight: 55 } },
    ].map((wrong) => JSON.stringify({ ...sound, ...wrong })),
  ]) {
    writeFileSync(path, text);
    await expect(readMemory(folder), text).rejects.toMatchObject({
      code: "identity/memory",
      message: expect.stringContaining(`Cannot use ${path}: `),
    });
  }
  writeFileSync(path, JSON.stringify(sound));
  expect(await readMemory(folder)).toHaveLength(2);
});

test("next month the watch, the archive, the address, the weight and the home of last month are known", async () => {
  const anas = { serial: "3925550146", kg: 55, email: "ana@example.org" };
  await remember(folder, { athlete: "Ana", account: account("Ana"), evidence: archive("ana", 1, 40, anas) });
  await remember(folder, {
    athlete: "Ben",
    account: account("Ben"),
    evidence: archive("ben", 1, 40, { serial: "3421117702", kg: 85, home: 1 }),
  });
  const swapped = suspect("Ben", archive("ana", 41, 60, anas));
  expect(await held(swapped)).toEqual(["Ben other-person Ana", "Ben shared-device Ana", "Ben weight", "Ben home Ana"]);
  // Whose they were keeps them, also where both are in one roster.
  expect(await held(suspect("Ana", archive("ana", 41, 60, anas)))).toEqual([]);
  expect(await held(suspect("Ana", archive("ana", 61, 80, anas)), swapped)).toEqual([
    "Ben other-person Ana",
    "Ben shared-device Ana",
    "Ben weight",
    "Ben home Ana",
  ]);
  // The export of all years has last month's in it.
  expect(await held(suspect("Ben", archive("ana", 1, 60)))).toEqual(["Ben same-workouts Ana", "Ben home Ana"]);
  expect(await held(suspect("Ben", archive("ana", 1, 40)))).toEqual(["Ben same-archive Ana", "Ben home Ana"]);
  expect(await held(suspect("Ana", archive("ana", 1, 60)))).toEqual([]);
});

test("an archive that names its athlete doesn't make another's watch of last month theirs", async () => {
  const watch = { serial: "3925550146" };
  await remember(folder, { athlete: "Ben", account: account("Ben"), evidence: archive("ben", 1, 40, watch) });
  const named = archive("ana", 1, 40, { ...watch, email: "ana@example.org" });
  const ana: Suspect = { ...suspect("Ana", named), expects: { email: "ana@example.org" } };
  expect(await held({ ...ana, owner: { email: "ana@example.org" } })).toEqual(["Ana shared-device Ben"]);
});

test("another service's athletes are others, and one who changed their name is not", async () => {
  const evidence = archive("ana", 1, 20, { serial: "3925550146" });
  await remember(folder, { athlete: "Ana", account: account("Ana"), evidence });
  expect(await held(suspect("Ben", evidence, account("Ben", "other.example")))).toEqual([]);
  const heavy = { athlete: "Ana", account: account("Ana"), evidence: archive("ana", 30, 40, { kg: 55 }) };
  await remember(folder, heavy);
  expect(await held(suspect("Ana", archive("ana", 41, 50, { kg: 90 }), account("Ana", "other.example")))).toEqual([]);
  expect(await held(suspect("Ana Maria", evidence, account("Ana")))).toEqual([]);
  await remember(folder, { athlete: "Ana Maria", account: account("Ana"), evidence });
  expect(readdirSync(folder)).toHaveLength(1);
});

test("an athlete whose archives went to another log is held, and what is remembered goes along once that is trusted", async () => {
  const evidence = archive("ana", 1, 20, { serial: "3925550146", kg: 55 });
  await remember(folder, { athlete: "Ana", account: account("Ana"), evidence });
  // A row that slipped: Ben's screen name and token beside Ana's name and archives.
  const slipped = suspect("Ana", archive("ana", 21, 40, { serial: "3925550146", kg: 55 }), account("Ben"));
  expect(await held(slipped)).toEqual(["Ana other-log"]);
  const renamed = account("Ana's new address");
  expect(await held(suspect("ANA", evidence, renamed))).toEqual(["ANA other-log"]);
  await remember(folder, { athlete: "ANA", account: renamed, evidence, trusted: ["other-log"] });
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await held(suspect("Ana", evidence, renamed))).toEqual([]);
  expect(await held(suspect("Ana", archive("ana", 21, 40, { kg: 90 }), renamed))).toEqual(["Ana weight"]);
});

test("in a fleet, two athletes of the same name are two where their rosters differ, and within a roster a row that slipped is held", async () => {
  const evidence = archive("ana", 1, 20, { kg: 55 });
  const member = { key: "ana-1", roster: "north" };
  await remember(folder, { athlete: "Ana", account: account("Ana"), evidence, member });
  const other = suspect("Ana", archive("other ana", 1, 20, { kg: 60 }), account("another Ana"));
  expect(await held({ ...other, member: { key: "ana-2", roster: "south" } })).toEqual([]);
  expect(await held({ ...other, member: { key: "ana-2", roster: "north" } })).toEqual(["Ana other-log"]);
  expect(await held({ ...other, member: { key: "ana-1", roster: "south" } })).toEqual(["Ana other-log"]);
  // An older logferry remembered the name alone.
  expect(await held(other)).toEqual(["Ana other-log"]);
});

test("what a coach said is all right is not asked again, and something else is", async () => {
  await remember(folder, { athlete: "Ana", account: account("Ana"), evidence: archive("ana", 1, 20, { kg: 55 }) });
  const heavier = suspect("Ana", archive("ana", 21, 40, { kg: 90 }));
  const [hold] = await blocksOf([heavier], await readMemory(folder));
  expect(hold?.says).toBe(
    "ana.zip is of somebody of 90.0 kg (the middle of 20), and the earlier ones were of somebody of 55.0 kg",
  );
  await remember(folder, {
    athlete: "Ana",
    account: account("Ana"),
    evidence: archive("ana", 1, 20, { kg: 55 }),
    trusted: [hold?.key ?? ""],
  });
  expect(await held(heavier)).toEqual([]);
  await remember(folder, {
    athlete: "Ben",
    account: account("Ben"),
    evidence: archive("ben", 1, 9, { serial: "3421117702" }),
  });
  expect(await held(suspect("Ana", archive("ana", 21, 40, { kg: 90, serial: "3421117702" })))).toEqual([
    "Ana shared-device Ben",
  ]);
});

test("a hundred archives of ten thousand workouts take no more than one", async () => {
  for (let year = 0; year < 12; year++) {
    const evidence = archive(`ana ${year}`, 1, 3000, { serial: `39255501${year + 10}` });
    await remember(folder, { athlete: "Ana", account: account("Ana"), evidence });
  }
  const [name = ""] = readdirSync(folder);
  expect(readFileSync(join(folder, name)).length).toBeLessThan(60_000);
  // Of 36,000 workouts 3,000 are enough to be known by.
  expect(await held(suspect("Ben", archive("ana 7", 1, 2000)))).toContain("Ben same-workouts Ana");
  expect(await held(suspect("Ben", archive("ben", 1, 2000)))).toEqual([]);
});
