/** A coach's batch as a coach has it: the real command, the real service, a log and a token for each athlete. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { jsonLines } from "./support/cli.ts";
import { deleteWorkout } from "./support/delete-workout.ts";
import { type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { addMember, daysOf, durationsOf, type Member, rowOf, typedRun, writeRoster } from "./support/team.ts";
import { longDescribe, longTest, test } from "./support/tier-tests.ts";
import { typeWorkout } from "./support/typed-workout.ts";

// One service for all. Each test has athletes of its own, and so journals of its own.
let rehearsal: Rehearsal;
let athletes = 0;
beforeAll(async () => {
  rehearsal = await rehearse();
});
afterAll(() => rehearsal.close());

const inLog = ({ token }: Pick<Member, "token">) => ({ url: rehearsal.service.url, token });
const logOf = (member: Pick<Member, "token">) => daysOf(inLog(member));

/** New athletes, by names of their own where some are given. */
async function team(count: number, { names = [], runs = 2 }: { names?: readonly string[]; runs?: number } = {}) {
  const made: Member[] = [];
  for (let index = 0; index < count; index++) {
    const name = names[index];
    const folder = join(rehearsal.folder, "team");
    made.push(await addMember(rehearsal.service, folder, ++athletes, { runs, ...(name !== undefined && { name }) }));
  }
  return made;
}

/** The athlete revokes the permission. */
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
    expect(ofType(again.out, "batch")).toMatchObject([{ athletes: 3, statuses: { verified: 3 }, requests: 0 }]);
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
    const ran = await rehearsal.run(["batch", roster]);
    expect(ran.code).toBe(2);
    for (const said of [
      'line 1, sinse: there is no such column; did you mean "since"?',
      "line 3, zone: expected a name such as Europe/Vienna",
      "line 3, archives: cannot read",
      "line 4, since: expected 2023, 2023-07 or 2023-07-15",
    ])
      expect(ran.err).toContain(said);
  });
});

test("a row may fill what is blank in the log of its athlete alone", async () => {
  const members = await team(2, { runs: 1 });
  for (const { runs, token } of members)
    for (const { date, metres } of runs)
      await typeWorkout({ service: rehearsal.service, token }, typedRun(date, metres));
  const rows = members.map((member, index) => ({ ...rowOf(member), enrich: index === 0 ? "yes" : "" }));
  const ran = await rehearsal.run(["batch", writeRoster(join(rehearsal.folder, "filled.csv"), rows)]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(await Promise.all(members.map((member) => durationsOf(inLog(member))))).toEqual([[1_800], [undefined]]);
});

test("a number that the logs don't have is refused once for the whole team, and in a row for that athlete alone", async () => {
  const members = (await team(2, { runs: 1 })) as [Member, Member];
  const roster = writeRoster(join(rehearsal.folder, "numbers.csv"), members.map(rowOf));
  const ran = await rehearsal.run(["batch", roster, "--activity", "run=999"]);
  expect(ran.code, ran.out).toBe(2);
  const refused = `the number 999 was given for run. The log of ${members[0].name}, ${members[1].name} has no such activity. It has: 10 Run,`;
  expect(ran.err.split(refused)).toHaveLength(2);
  expect(await Promise.all(members.map(logOf))).toEqual([[], []]);

  const rows = members.map((member, index) => ({ ...rowOf(member), activity: index === 0 ? "run=998" : "" }));
  const own = await rehearsal.run(["batch", writeRoster(roster, rows)]);
  expect(own.code, own.err).toBe(3);
  const reason = `${members[0].name}: Cannot import: the number 998 was given for run.`;
  expect((own.out + own.err).split(reason)).toHaveLength(2);
  expect(await Promise.all(members.map(logOf))).toEqual([[], members[1].runs]);
});

test("a dry run names whose local times are assumed, and ends with 3 where a plan has records to look at", async () => {
  const [member] = (await team(1)) as [Member];
  const sheet = join(rehearsal.folder, "placeless");
  mkdirSync(sheet);
  const point = (time: string, km: number) =>
    `<Trackpoint><Time>2024-05-01T${time}Z</Time><DistanceMeters>${km * 1_000}</DistanceMeters></Trackpoint>`;
  const points = [point("08:00:00", 0), point("08:25:00", 5)].join("");
  const tcx = (sport: string, id: string) =>
    `<?xml version="1.0"?><TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="${sport}"><Id>${id}</Id><Lap StartTime="2024-05-01T08:00:00Z"><TotalTimeSeconds>1500</TotalTimeSeconds><DistanceMeters>5000</DistanceMeters><Intensity>Active</Intensity><TriggerMethod>Manual</TriggerMethod><Track>${points}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`;
  writeFileSync(join(sheet, "run.tcx"), tcx("Running", "2024-05-01T08:00:00Z"));
  const rows = [{ ...rowOf(member), archives: sheet }];
  const roster = writeRoster(join(rehearsal.folder, "placeless.csv"), rows);
  const ran = await rehearsal.run(["batch", roster, "-n"]);
  expect(ran.code, ran.out + ran.err).toBe(0);
  expect(ran.err).toContain(`whose local times use the log's offset, UTC+1: ${member.name} (1).`);
  writeFileSync(join(sheet, "what.tcx"), tcx("Kegeln", "2024-05-02T08:00:00Z").replaceAll("2024-05-01", "2024-05-02"));
  const open = await rehearsal.run(["batch", roster, "-n"]);
  expect(open.code, open.out + open.err).toBe(3);
});

describe("whose token it is", () => {
  test("a command, a variable or a file gives each athlete theirs, each asked once; what the coach has is nobody's", async () => {
    const [ana, ben, chloe, dmitri] = (await team(4)) as [Member, Member, Member, Member];
    const calls = join(rehearsal.folder, "calls.txt");
    const script = join(rehearsal.folder, "secret.sh");
    writeFileSync(script, `#!/bin/sh\necho "$1" >> "${calls}"\ncat "$1"\n`, { mode: 0o755 });
    const roster = join(rehearsal.folder, "roster.yaml");
    writeFileSync(
      roster,
      `\ufeffdefaults:
  no-tracks: true
athletes:
  - { athlete: Ana, screen-name: ${ana.screenName.toUpperCase()}, token-command: "${script} ${ana.tokenFile}", archives: ["${ana.archive}"] }
  - athlete: Ben
    email: ${ben.email}
    token-variable: BENS_TOKEN
    archives: ${ben.archive}
  - { athlete: Chloe, screen-name: ${chloe.screenName}, token-variable: NOBODYS_TOKEN, archives: ["${chloe.archive}"] }
  - { athlete: Dmitri, screen-name: ${dmitri.screenName}, profile: dmitri, archives: ["${dmitri.archive}"] }
`,
    );
    // The rehearsal's environment holds somebody else's token, as a coach's may.
    const ran = await rehearsal.run(["batch", roster, "--json"], { env: { BENS_TOKEN: ben.token } });
    expect(ran.code, ran.err).toBe(3);
    expect(
      ofType(ran.out, "athlete").flatMap((line) => (line.phase === "result" ? [[line.athlete, line.status]] : [])),
    ).toEqual([
      ["Ana", "verified"],
      ["Ben", "verified"],
      ["Chloe", "login"],
      ["Dmitri", "login"],
    ]);
    const [planned, carried] = ofType(ran.out, "athlete").filter(({ athlete }) => athlete === "Ana") as {
      requests: number;
      cost: { requests: number };
    }[];
    expect(carried?.requests, "what it was said to cost").toBe(
      (planned?.requests ?? 0) + (planned?.cost.requests ?? 0),
    );
    expect(await logOf(ana)).toEqual(ana.runs);
    expect(await logOf(ben)).toEqual(ben.runs);
    expect(await logOf(chloe)).toEqual([]);
    expect(await logOf(rehearsal)).toEqual([]);
    expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([ana.tokenFile]);
    for (const { token } of [ana, ben, chloe, rehearsal]) expect(ran.out + ran.err).not.toContain(token);
    const whyNot = String(ofType(ran.out, "athlete").find(({ athlete }) => athlete === "Dmitri")?.why);
    const text = (await rehearsal.run(["batch", roster, "--only", "Dmitri"])).err;
    expect(text.split("logferry login").length - 1, `said once: ${whyNot}`).toBe(1);
  });

  test("a token that is another athlete's writes nothing, binds no journal, and is done once it is put right", async () => {
    const [ana, ben] = (await team(2)) as [Member, Member];
    const rows = [rowOf(ana), rowOf(ben)] as [Record<string, string>, Record<string, string>];
    const mixed = [
      { ...rows[0], "token-file": ben.tokenFile },
      { ...rows[1], "token-file": ana.tokenFile },
    ];
    const path = join(rehearsal.folder, "roster.csv");
    const held = await rehearsal.run(["batch", writeRoster(path, mixed), "--trust", ana.name]);
    expect(held.code, held.err).toBe(3);
    expect(held.err).toContain(`${ana.name}: held: the token opens the log of "${ben.screenName}"`);
    for (const member of [ana, ben]) expect(await logOf(member)).toEqual([]);
    const right = await rehearsal.run(["batch", writeRoster(path, rows)]);
    expect(right.code, right.err).toBe(0);
    for (const member of [ana, ben]) expect(await logOf(member)).toEqual(member.runs);
  });
});

/** Starts a batch, and ends it when the first athlete has two workouts. */
async function endedInTheMiddle(words: readonly string[], [first]: readonly Member[], signal: NodeJS.Signals) {
  const { child, ended } = rehearsal.start([...words, "--rate", "10"]);
  // Each look is a listing. One athlete's listing is enough to know that the loading has begun.
  while ((await logOf(first as Member)).length < 2) await new Promise((resolve) => setTimeout(resolve, 150));
  child.kill(signal);
  return ended;
}

describe("a batch that is stopped", () => {
  longTest(
    "by Ctrl-C finishes what is under way, ends with 130, and the same command does the rest, each workout once",
    async () => {
      const members = await team(3, { runs: 6 });
      const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
      const stopped = await endedInTheMiddle(["batch", roster, "--parallel", "2"], members, "SIGINT");
      expect(stopped.code, stopped.err).toBe(130);
      expect(stopped.err).toContain(
        "Stopping: what is under way is finished, for every athlete. Once more ends at once.",
      );
      expect(stopped.out).toContain("Stopped early.");
      const before = await Promise.all(members.map(async (one) => (await logOf(one)).length));
      expect(Math.min(...before)).toBeLessThan(6);
      const again = await rehearsal.run(["batch", roster]);
      expect(again.code, again.err).toBe(0);
      for (const member of members) expect(await logOf(member)).toEqual(member.runs);
    },
  );

  test("by a kill is told of as stopped, not as never begun, and --retry-failed does the rest, each workout once", async () => {
    const members = await team(3, { runs: 6 });
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
    await endedInTheMiddle(["batch", roster, "--parallel", "1"], members, "SIGKILL");
    const status = await rehearsal.run(["batch", "status", roster, "--json"]);
    expect(ofType(status.out, "athlete").map(({ status }) => status)).toEqual(["stopped", "ready", "ready"]);
    const [first] = members as [Member];
    expect((await rehearsal.run(["batch", "status", roster])).out).toContain(
      `${first.name}: ended while it was carried`,
    );
    const again = await rehearsal.run(["batch", roster, "--retry-failed", "--settle", "2"]);
    expect(again.code, again.err).toBe(0);
    for (const member of members) expect(await logOf(member)).toEqual(member.runs);
  });

  test("by an athlete's own --max-requests ends with 75 where nothing else is wrong, and goes on", async () => {
    const [ana, ben, chloe] = (await team(3)) as [Member, Member, Member];
    // Chloe's are enough to load, and too few to read back.
    const rows = [{ ...rowOf(ana), "max-requests": "11" }, rowOf(ben), { ...rowOf(chloe), "max-requests": "16" }];
    const path = join(rehearsal.folder, "roster.csv");
    const ran = await rehearsal.run(["batch", writeRoster(path, rows)]);
    expect(ran.code, ran.err).toBe(75);
    expect(ran.err).toContain(`${ana.name}: the 11 requests of --max-requests are used up`);
    const unread = "all is in the log; stopped before it was read back: the 16 requests of --max-requests are used up";
    expect(ran.err).toContain(`${chloe.name}: ${unread}`);
    expect([await logOf(ben), await logOf(chloe)]).toEqual([ben.runs, chloe.runs]);
    const again = await rehearsal.run(["batch", writeRoster(path, [ana, ben, chloe].map(rowOf))]);
    expect(again.code, again.err).toBe(0);
    expect(await logOf(ana)).toEqual(ana.runs);
  });
});

describe("who is taken", () => {
  test("only those who are named, only those who failed; a journal that can't be used stops its athlete alone", async () => {
    const [ana, ben, chloe] = (await team(3)) as [Member, Member, Member];
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [ana, ben, chloe].map(rowOf));
    const dry = await rehearsal.run(["batch", roster, "--only", ben.name.toUpperCase(), "-n", "--json"]);
    const looked = ofType(dry.out, "athlete");
    expect(looked.map(({ athlete }) => athlete)).toEqual([ben.name]);
    // Ben's journal is somebody else's file.
    const bens = String(looked[0]?.journal);
    const folder = dirname(bens);
    const sound = readFileSync(bens);
    for (const name of readdirSync(folder)) if (join(folder, name).startsWith(bens)) rmSync(join(folder, name));
    writeFileSync(bens, "not a journal, and longer than the head of a database is, so that it is looked at".repeat(20));
    const both = await rehearsal.run(["batch", roster, "--json"]);
    expect(both.code, both.err).toBe(3);
    for (const one of [ana, chloe]) expect(await logOf(one)).toEqual(one.runs);
    expect(await logOf(ben)).toEqual([]);
    writeFileSync(bens, sound);

    const retried = await rehearsal.run(["batch", roster, "--retry-failed", "--json"]);
    expect(retried.code, retried.err).toBe(0);
    expect(ofType(retried.out, "batch")).toMatchObject([{ athletes: 1, statuses: { verified: 1 } }]);
    expect(await logOf(ben)).toEqual(ben.runs);
  });
});

longDescribe("a roster that is edited between two runs", () => {
  longTest(
    "leaves each athlete their journal: with a name put right, an address added, rows moved, nothing taken out comes back",
    async () => {
      const [ana, ben] = (await team(2)) as [Member, Member];
      const path = join(rehearsal.folder, "roster.csv");
      const first = await rehearsal.run(["batch", writeRoster(path, [rowOf(ana), rowOf(ben)])]);
      expect(first.code, first.err).toBe(0);
      const listed = await fetch(`${rehearsal.service.url}/rest/logs/me/workouts?access_token=${ana.token}`);
      const { data } = (await listed.json()) as { data: { entries: { id: string; date: string }[] } };
      const gone = data.entries.find(({ date }) => date === ana.runs[0]?.date);
      deleteWorkout(join(rehearsal.folder, "service.db"), String(gone?.id));
      const rows = [
        { ...rowOf(ben), email: ben.email },
        { ...rowOf(ana), athlete: "Ana, as she is called", since: "2015" },
      ];
      const edited = await rehearsal.run(["batch", writeRoster(path, rows), "--json"]);
      expect(edited.code, edited.err).toBe(0);
      expect(await logOf(ana)).toEqual(ana.runs.slice(1));
      expect(ofType(edited.out, "batch")).toMatchObject([{ statuses: { verified: 2 } }]);
      // The status is read without an address, too.
      const status = await rehearsal.run(["batch", "status", path, "--json"], {
        through: ["/usr/bin/env", "-u", "LOGFERRY_URL"],
      });
      expect(status.code, status.err).toBe(0);
      expect(ofType(status.out, "athlete").map(({ status }) => status)).toEqual(["verified", "verified"]);
    },
  );
});

describe("where everybody stands", () => {
  test("is told of all but one whose journal is damaged, of whom that is told; archives that were put away don't matter", async () => {
    const members = await team(3);
    const [, ben] = members as [Member, Member];
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
    const ran = await rehearsal.run(["batch", roster, "--json"]);
    expect(ran.code, ran.err).toBe(0);
    const bens = String(ofType(ran.out, "athlete").find(({ athlete }) => athlete === ben.name)?.journal);
    writeFileSync(bens, "no journal".repeat(1000));
    for (const { archive } of members) rmSync(archive);
    const status = await rehearsal.run(["batch", "status", roster]);
    expect(status.code, status.err).toBe(3);
    expect(status.out).toContain("3 athletes: 2 verified, 1 unreadable.");
    expect(status.out).toMatch(new RegExp(`^  ${ben.name}: .*journal`, "m"));
  });
});

longTest(
  "all athletes together keep to --host-rate: a service that takes half as much again turns nobody away",
  async () => {
    const other = await rehearse("kilometres", { faults: { armed: ["rate-limit:* /rest/**:per-second=30"] } });
    try {
      const members: Member[] = [];
      for (let number = 1; number <= 6; number++)
        members.push(await addMember(other.service, join(other.folder, "team"), number));
      const roster = writeRoster(join(other.folder, "roster.csv"), members.map(rowOf));
      const ran = await other.run(["batch", roster, "--host-rate", "20", "--parallel", "6"]);
      expect(ran.code, ran.err).toBe(0);
      expect(other.service.faults?.hits().map(({ hits }) => hits)).toEqual([0]);
    } finally {
      await other.close();
    }
  },
);

interface Certified {
  readonly canClose?: boolean;
  readonly says?: string;
  readonly certificate?: string;
}

describe("reports of a batch", () => {
  test("with --certify have a certificate of each athlete, and the coach sees who may close the old account, and why not", async () => {
    const [ana, ben, gone] = (await team(3)) as [Member, Member, Member];
    await revoke(gone);
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), [ana, ben, gone].map(rowOf));
    const refused = await rehearsal.run(["batch", roster, "--certify"]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("Cannot use --certify without --report")]);
    const folder = join(rehearsal.folder, "certified");
    const flags = ["batch", roster, "--report", folder, "--certify"];
    const ran = await rehearsal.run(flags);
    expect(ran.code, ran.err).toBe(3);
    const answers = () =>
      JSON.parse(readFileSync(join(folder, "overview.json"), "utf8")).athletes.map(
        ({ athlete, certificate, files }: { athlete: string; certificate?: Certified; files: Certified }) => [
          athlete,
          certificate?.canClose,
          certificate?.says ?? "",
          files.certificate,
        ],
      );
    const written = expect.stringMatching(/^athletes\/.*\/certificate\.html$/);
    const yes = expect.stringContaining("Can the old account be closed? Yes");
    expect(answers()).toEqual([
      [ana.name, true, yes, written],
      [ben.name, true, yes, written],
      [gone.name, undefined, "", undefined],
    ]);
    // Somebody deletes a workout in Ben's log. The same command says so, and sends nothing.
    const listing = `${rehearsal.service.url}/rest/logs/me/workouts?access_token=${ben.token}`;
    const { data } = (await (await fetch(listing)).json()) as { data: { entries: { id: string }[] } };
    deleteWorkout(join(rehearsal.folder, "service.db"), data.entries[0]?.id ?? "");
    await rehearsal.run(flags);
    const not = expect.stringContaining(
      "Can the old account be closed? Not yet: 1 record is not in the log as planned",
    );
    expect(answers().slice(0, 2)).toEqual([
      [ana.name, true, yes, written],
      [ben.name, false, not, written],
    ]);
    expect(readFileSync(join(folder, "overview.html"), "utf8")).toContain(
      "Yes for 1, not yet for 1, and no answer was asked for 1 athlete.",
    );
  });

  test("are an overview for the coach, and for each athlete a folder with what is theirs alone, whatever their name is", async () => {
    const names = ["../../<script>alert(1)</script>", "Åse", "ase", "李雷", '"Éve" & Co\u202e'];
    const members = await team(names.length, { names });
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
    const [, gone] = members as [Member, Member];
    await revoke(gone);
    const folder = join(rehearsal.folder, "results");
    const ran = await rehearsal.run(["batch", roster, "--report", folder]);
    expect(ran.code, ran.err).toBe(3);
    // An athlete who isn't done has their reason once, though others were loaded since it was found out.
    const again = await rehearsal.run(["batch", roster]);
    expect([ran, again].map(({ err }) => err.split(`${gone.name}: `).length - 1)).toEqual([1, 1]);

    expect(readdirSync(folder).toSorted()).toEqual(["athletes", "overview.html", "overview.json"]);
    const overview = JSON.parse(readFileSync(join(folder, "overview.json"), "utf8"));
    expect(overview.athletes.map((one: { athlete: string; status: string }) => [one.athlete, one.status])).toEqual(
      names.map((name) => [name, name === gone.name ? "login" : "verified"]),
    );
    const page = readFileSync(join(folder, "overview.html"), "utf8");
    expect(page).not.toContain("<script");
    expect(page).toContain("&lt;script&gt;");
    const folders = readdirSync(join(folder, "athletes"));
    expect(folders).toHaveLength(names.length);
    for (const name of folders) expect(name).toMatch(/^[a-z0-9-]{3,60}$/);

    for (const [index, { files }] of (overview.athletes as { files: { summary: string } }[]).entries()) {
      const own = join(folder, files.summary, "..");
      const summary = readFileSync(join(own, "summary.txt"), "utf8");
      const isGone = members[index] === gone;
      expect(readdirSync(own).toSorted()).toEqual(
        isGone ? ["summary.html", "summary.txt"] : ["report.html", "report.json", "summary.html", "summary.txt"],
      );
      if (isGone) {
        expect(summary).toContain("no longer accepts the access");
        expect(summary).toContain(rehearsal.service.url);
      } else {
        const kilometres = (members[index]?.runs ?? []).reduce((sum, { metres }) => sum + metres, 0) / 1000;
        expect(summary).toContain(`2 workouts, ${kilometres.toFixed(1)} km`);
        expect(summary).toMatch(/compared,\s+field\s+by\s+field/);
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
    expect(ran.err).toContain("Put a new token where the roster says (token-file)");
    for (const { token } of members) expect(ran.out + ran.err + page).not.toContain(token);
  });

  test("name everybody of the roster, also when only one is taken; nobody who isn't done is called done", async () => {
    const members = await team(3);
    const [ana, ben, chloe] = members as [Member, Member, Member];
    const roster = writeRoster(join(rehearsal.folder, "roster.csv"), members.map(rowOf));
    const folder = join(rehearsal.folder, "everybody");
    const statuses = () =>
      JSON.parse(readFileSync(join(folder, "overview.json"), "utf8")).athletes.map(
        ({ athlete, status, files }: { athlete: string; status: string; files: object }) => [
          athlete,
          status,
          Object.keys(files).length,
        ],
      );
    await rehearsal.run(["batch", roster, "--only", ana.name, "--report", folder]);
    expect(statuses()).toEqual([
      [ana.name, "verified", 2],
      [ben.name, "unbegun", 0],
      [chloe.name, "unbegun", 0],
    ]);
    expect(readFileSync(join(folder, "overview.html"), "utf8")).toContain("Not for all");
    await rehearsal.run(["batch", roster, "--only", ben.name, "--report", folder]);
    expect(statuses().slice(0, 2)).toEqual([
      [ana.name, "verified", 2],
      [ben.name, "verified", 2],
    ]);
    const [summary] = readdirSync(join(folder, "athletes"));
    expect(existsSync(join(folder, "athletes", String(summary), "summary.html"))).toBe(true);
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
