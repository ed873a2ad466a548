/** A coach mixes up the archives of the second month. Only the first month's import can show it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { zipBytes } from "../fixtures/make/zip.ts";
import { jsonLines } from "./support/cli.ts";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, type Member, madeRun, rowOf, writeRoster, writeSomeonesExport } from "./support/team.ts";

let rehearsal: Rehearsal;
const team: Member[] = [];
beforeAll(async () => {
  rehearsal = await rehearse();
  for (let number = 1; number <= 6; number++)
    team.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number));
});
afterAll(() => rehearsal.close());

/** Days of the workouts in a log, read by plain HTTP. */
async function daysOf({ token }: Member): Promise<readonly string[]> {
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?limit=100&access_token=${token}`);
  const { data } = (await answer.json()) as { data: { entries: { date: string }[] } };
  return data.entries.map(({ date }) => date).toSorted();
}

/** A zip of runs of an athlete's watch, packed in an order and under names of its own. */
function zipOf(name: string, number: number, indexes: readonly number[]): { path: string; days: string[] } {
  const path = join(rehearsal.folder, name);
  const runs = indexes.map((index) => madeRun(number, index));
  writeFileSync(path, zipBytes(runs.map(({ bytes }, index) => ({ name: `${name} ${index}.fit`, bytes }))));
  return { path, days: runs.map(({ date }) => date).toSorted() };
}

/** The status of each athlete after a batch, with the reason. */
function statuses({ out }: Ran): readonly (readonly [status: unknown, why: string])[] {
  return jsonLines(out)
    .filter(({ type, phase }) => type === "athlete" && phase === "result")
    .map(({ status, why }) => [status, String(why ?? "")] as const);
}

test("archives of the second month that are mixed up are held, all of them and nobody else; no flag gives one archive to two", async () => {
  const [ana, ben, eva, ida, udo, zoe] = team as [Member, Member, Member, Member, Member, Member];
  const roster = join(rehearsal.folder, "roster.csv");
  const batch = (rows: readonly Record<string, string>[], ...words: string[]) =>
    rehearsal.run(["batch", writeRoster(roster, rows), "--json", "--parallel", "6", ...words]);
  const first = await batch(team.map(rowOf));
  expect(first.code, first.err).toBe(0);
  const before = new Map(team.map((member) => [member, member.runs.map(({ date }) => date)]));

  const may = team.map((_, index) => zipOf(`may-${index + 1}.zip`, index + 1, [8, 9, 10]));
  const [anas, bens, evas, , , zoes] = may as [(typeof may)[0], ...typeof may];
  const again = zipOf("eva again.zip", 3, [10, 8, 9]);
  const rows = [
    // Ana's and Ben's are swapped, Ida is given Eva's once more, Udo's row has Zoe's token as well.
    { ...rowOf(ana), archives: bens?.path ?? "" },
    { ...rowOf(ben), archives: anas.path },
    { ...rowOf(eva), archives: evas?.path ?? "" },
    { ...rowOf(ida), archives: again.path },
    { ...rowOf(udo), "token-file": zoe.tokenFile, archives: may[4]?.path ?? "" },
    { ...rowOf(zoe), profile: "", "token-file": join(rehearsal.folder, "zoes token"), archives: zoes?.path ?? "" },
  ];
  writeFileSync(join(rehearsal.folder, "zoes token"), zoe.token, { mode: 0o600 });
  const mixed = await batch(rows, "--trust", "Athlete 3,Athlete 4,Athlete 5");
  expect(mixed.code, mixed.err).toBe(3);
  expect(statuses(mixed)).toEqual([
    [
      "held",
      expect.stringMatching(
        /serial 3000000002.* of "Athlete 2".*\(shared-device\).*: logferry batch \S+ --trust 'Athlete 1'/s,
      ),
    ],
    ["held", expect.stringMatching(/serial 3000000001.* of "Athlete 1".*\(shared-device\)/s)],
    ["held", expect.stringMatching(/the same 3 workouts.*"Athlete 4".*\(same-archive\)/s)],
    ["held", expect.stringMatching(/the same 3 workouts.*"Athlete 3".*\(same-archive\)/s)],
    ["held", expect.stringMatching(/opens the log of "runner_6"/)],
    ["verified", ""],
  ]);
  before.set(zoe, [...(before.get(zoe) ?? []), ...(zoes?.days ?? [])]);
  for (const member of team) expect(await daysOf(member), member.name).toEqual(before.get(member));
  for (const { token } of team) expect(mixed.out + mixed.err).not.toContain(token);

  // Ben ran with Ana's watch in May, and `--trust` says so for this batch alone. Each of the others gets their own archive.
  const sorted = [
    { ...rowOf(ben), archives: anas.path },
    { ...rowOf(eva), archives: evas?.path ?? "" },
  ];
  const mended = await batch(sorted, "--trust", "Athlete 2");
  expect(mended.code, mended.err).toBe(0);
  expect(await daysOf(ben)).toEqual([...(before.get(ben) ?? []), ...anas.days]);
  expect(await daysOf(eva)).toEqual([...(before.get(eva) ?? []), ...(evas?.days ?? [])]);
  // He bought the watch, and `--remember` says so for good.
  const june = { ...rowOf(ben), archives: zipOf("june.zip", 1, [14]).path };
  expect(statuses(await batch([june]))).toEqual([["held", expect.stringContaining("(shared-device)")]]);
  expect((await batch([june], "--trust", "Athlete 2", "--remember")).code).toBe(0);
  expect((await batch([{ ...june, archives: zipOf("july.zip", 1, [20]).path }])).code).toBe(0);
  expect(await daysOf(ana)).toEqual(before.get(ana));
});

test("of two who are given the same export only the one is held whose profile isn't in it", async () => {
  const owner = await addMember(rehearsal.service, join(rehearsal.folder, "team"), 11, { name: "Ina Eigner" });
  const other = await addMember(rehearsal.service, join(rehearsal.folder, "team"), 12);
  const first = writeSomeonesExport(join(rehearsal.folder, "ina.zip"), owner);
  const second = writeSomeonesExport(join(rehearsal.folder, "copy.zip"), owner);
  const roster = writeRoster(join(rehearsal.folder, "two.csv"), [
    { ...rowOf(owner), email: owner.email, archives: first },
    // This athlete also has an archive of their own, which proves nothing about the other one.
    { ...rowOf(other), archives: `${other.archive}|${second}` },
  ]);
  const ran = await rehearsal.run(["batch", roster, "--json", "--parallel", "2"]);
  expect(ran.code, ran.err).toBe(3);
  expect(statuses(ran)).toEqual([
    ["verified", ""],
    [
      "held",
      expect.stringMatching(/copy\.zip holds the same 2 workouts as an archive .*"Ina Eigner".*\(same-archive\)/s),
    ],
  ]);
  expect(await daysOf(owner)).toHaveLength(2);
  expect(await daysOf(other)).toEqual([]);
});
