/** A coach's batch as a coach has it: the real command, the real service, a log and a token for each athlete. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, type Member, rowOf, writeRoster } from "./support/team.ts";

let rehearsal: Rehearsal;
beforeEach(async () => {
  rehearsal = await rehearse();
});
afterEach(() => rehearsal.close());

/** What an athlete's log holds, read by plain HTTP: days and metres, the first day first. */
async function logOf({ token }: Pick<Member, "token">) {
  const answer = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?limit=100&access_token=${token}`);
  const { data } = (await answer.json()) as {
    data: { entries: { date: string; details: { distance: { value: number } } }[] };
  };
  return data.entries
    .map(({ date, details }) => ({ date, metres: Math.round(details.distance.value * 1000) }))
    .toSorted((a, b) => a.date.localeCompare(b.date));
}

async function team(count: number): Promise<Member[]> {
  const members: Member[] = [];
  for (let number = 1; number <= count; number++)
    members.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), number));
  return members;
}

/** The athlete takes back what they allowed. */
async function revoke({ userId }: Member): Promise<void> {
  expect(await rehearsal.service.operator.revoke(userId, "")).toBe(1);
}

const ofType = (out: string, type: string) => jsonLines(out).filter((line) => line.type === type);

describe("a batch", () => {
  test("carries each athlete's runs into their own log, reads them back, and asks nothing the second time", async () => {
    const members = await team(3);
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf), ";");
    const dry = await rehearsal.run(["batch", roster, "-n"]);
    expect(dry.code, dry.err).toBe(0);
    expect(dry.out).toContain("Dry run: nothing was changed");
    for (const member of members) expect(await logOf(member)).toEqual([]);

    const ran = await rehearsal.run(["batch", roster, "--parallel", "2"]);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toContain("Done. 3 of 3 athletes are done and verified");
    for (const member of members) expect(await logOf(member)).toEqual(member.runs);

    const again = await rehearsal.run(["batch", roster, "--json"]);
    expect(again.code, again.err).toBe(0);
    expect(ofType(again.out, "batch")).toMatchObject([{ athletes: 3, standings: { verified: 3 }, requests: 0 }]);
    for (const member of members) expect(await logOf(member)).toEqual(member.runs);
    const status = await rehearsal.run(["batch", "status", roster]);
    expect(status.out).toContain("3 athletes: 3 verified.");
  });

  test("tells everything that is wrong with a roster at once, with line and column, before any log is asked", async () => {
    const [ana, ben] = (await team(2)) as [Member, Member];
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [
      { ...rowOf(ana), zone: "Europe/Vienna", sinse: "2020" },
      { ...rowOf(ben), zone: "Europe/Nowhere", archives: "gone.zip" },
      { ...rowOf(ana), zone: "", since: "last year" },
    ]);
    await rehearsal.service.close();
    const ran = await rehearsal.run(["batch", roster]);
    expect(ran.code).toBe(2);
    for (const said of [
      'line 1, sinse: there is no such column; did you mean "since"?',
      "line 3, zone: expected a name such as Europe/Vienna",
      "line 3, archives: cannot read",
      "line 4, since: expected 2023, 2023-07 or 2023-07-15",
    ])
      expect(ran.err).toContain(said);
    const twice = writeRoster(join(rehearsal.folder, "twice.csv"), [rowOf(ana), rowOf(ana)]);
    const doubled = await rehearsal.run(["batch", twice]);
    expect(doubled.code).toBe(2);
    for (const field of ["athlete", "screen-name", "token-file", "archives"])
      expect(doubled.err).toContain(`line 3, ${field}: `);
    expect(doubled.err).toContain("is in line 2 already");
  });

  test("never prints a token that somebody put into a roster", async () => {
    const [ana] = (await team(1)) as [Member];
    const roster = join(rehearsal.folder, "secret.csv");
    writeFileSync(
      roster,
      `athlete,token,token-file,archives\nAna,${ana.token},${ana.token},x\n"unclosed,${ana.token}\n`,
    );
    const ran = await rehearsal.run(["batch", roster, "--verbose"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("a token must not stand in a roster");
    expect(ran.out + ran.err).not.toContain(ana.token);
  });
});

describe("reports of a batch", () => {
  test("are an overview for the coach, and for each athlete a folder with what is theirs alone, whatever their name is", async () => {
    const names = ["../../<script>alert(1)</script>", "Åse", "ase", "李雷", '"Éve" & Co\u202e'];
    const members: Member[] = [];
    for (const [index, name] of names.entries())
      members.push(await addMember(rehearsal.service, join(rehearsal.folder, "team"), index + 1, { name }));
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
    const [, gone] = members as [Member, Member];
    await revoke(gone);
    const folder = join(rehearsal.folder, "letters");
    const ran = await rehearsal.run(["batch", roster, "--report", folder]);
    expect(ran.code, ran.err).toBe(3);

    expect(readdirSync(folder).toSorted()).toEqual(["athletes", "overview.html", "overview.json"]);
    const overview = JSON.parse(readFileSync(join(folder, "overview.json"), "utf8"));
    expect(overview.athletes.map((one: { athlete: string; standing: string }) => [one.athlete, one.standing])).toEqual(
      names.map((name) => [name, name === gone.name ? "login" : "verified"]),
    );
    const page = readFileSync(join(folder, "overview.html"), "utf8");
    expect(page).not.toContain("<script");
    expect(page).toContain("&lt;script&gt;");
    const folders = readdirSync(join(folder, "athletes"));
    expect(folders).toHaveLength(names.length);
    for (const name of folders) expect(name).toMatch(/^[a-z0-9-]{3,60}$/);

    for (const [index, { files }] of (overview.athletes as { files: { letter: string } }[]).entries()) {
      const own = join(folder, files.letter, "..");
      const letter = readFileSync(join(own, "letter.txt"), "utf8");
      const isGone = members[index] === gone;
      expect(readdirSync(own).toSorted()).toEqual(
        isGone ? ["letter.html", "letter.txt"] : ["letter.html", "letter.txt", "report.html", "report.json"],
      );
      if (isGone) {
        expect(letter).toContain("no longer accepts the access");
        expect(letter).toContain(rehearsal.service.url);
      } else {
        const kilometres = (members[index]?.runs ?? []).reduce((sum, { metres }) => sum + metres, 0) / 1000;
        expect(letter).toContain(`2 workouts, ${kilometres.toFixed(1)} km`);
        expect(letter).toMatch(/compared,\s+field\s+by\s+field/);
      }
      for (const name of readdirSync(own)) {
        const text = readFileSync(join(own, name), "utf8");
        expect(statSync(join(own, name)).mode & 0o777).toBe(0o600);
        expect(text).not.toContain("\u202e");
        for (const other of members) {
          expect(text).not.toContain(other.token);
          if (other !== members[index]) expect(text).not.toContain(other.screenName);
        }
      }
    }
    expect(ran.err).toContain(`Log in again: logferry login --url ${rehearsal.service.url}`);
    for (const { token } of members) expect(ran.out + ran.err + page).not.toContain(token);
  });

  test("go into no folder that something else is in", async () => {
    const [ana] = (await team(1)) as [Member];
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [rowOf(ana)]);
    const ran = await rehearsal.run(["batch", roster, "--report", join(rehearsal.folder, "team")]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("something is in it that is no batch's");
    expect(existsSync(join(rehearsal.folder, "team", "overview.html"))).toBe(false);
    expect(await logOf(ana)).toEqual([]);
  });
});
