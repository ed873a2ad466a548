import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { FatalError } from "../../connectors/errors.ts";
import { fileNameOf } from "../../pipelines/batch/names.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { CommandContext } from "../arguments/command.ts";
import { parseConfig } from "../arguments/config-file.ts";
import type { UsageError } from "../errors/exit-codes.ts";
import { failureOf, toAthleteContext, withoutOwnToken } from "./athlete.ts";
import { chosen, isAmong, readRoster } from "./roster.ts";
import { TEMPLATE } from "./template.ts";

const folder = temporaryFolder("file");
beforeAll(() => {
  for (const name of ["a.zip", "b.zip", "c d.csv", "token.txt", "x.map.yaml"]) writeFileSync(join(folder, name), name);
});

const { tables } = parseConfig("", "none");
const context = { options: { url: "https://log.example" }, tables };

async function read(text: string | Uint8Array, name = "roster.csv") {
  const path = join(folder, name);
  writeFileSync(path, text);
  return readRoster(path, context);
}

/** What is told of a roster, a line each. */
async function problemsOf(text: string | Uint8Array, name?: string): Promise<readonly string[]> {
  const error = await read(text, name).then(
    () => undefined,
    (thrown: UsageError) => thrown,
  );
  return error?.more ?? [];
}

const ROWS = [
  ["athlete", "Screen name", "profile", "archives", "no-tracks", "max-requests", "sport"],
  ["Ana; Bé", "ana_l", "ana", "a.zip|c d.csv", "yes", "500", "Nordic Walking=walk|=run"],
];

describe("a roster", () => {
  test.each([
    ["commas", ROWS.map((row) => row.map((cell) => `"${cell}"`).join(",")).join("\n")],
    [
      "semicolons and a byte order mark",
      `\ufeff${ROWS.map((row) => row.map((cell) => `"${cell}"`).join(";")).join("\r\n")}\r\n;;;;;;\r\n`,
    ],
    ["tabs", ROWS.map((row) => row.join("\t")).join("\n")],
  ])("with %s is read the same", async (_what, text) => {
    const [ana, ...others] = await read(text);
    expect(others).toEqual([]);
    expect(ana).toMatchObject({
      name: "Ana; Bé",
      expects: { screenName: "ana_l" },
      token: { from: "profile", is: "ana" },
      archives: [join(folder, "a.zip"), join(folder, "c d.csv")],
      options: { noTracks: true, maxRequests: 500, sport: ["Nordic Walking=walk", "=run"] },
    });
  });

  test("in UTF-16, as a spreadsheet writes it, is read too", async () => {
    const text = `\ufeffathlete\temail\ttoken-file\tarchives\nÅse\ta@example.org\ttoken.txt\ta.zip\n`;
    expect(await read(Buffer.from(text, "utf16le"))).toMatchObject([
      { name: "Åse", expects: { email: "a@example.org" } },
    ]);
  });

  test("in YAML has defaults, lists and numbers; each athlete's own word wins", async () => {
    const [ana, ben] = await read(
      `defaults: { zone: Europe/Vienna, since: 2019 }
athletes:
  - athlete: Ana
    screen-name: 4711
    token-command: pass show log/ana
    archives: [a.zip, c d.csv]
    sport: ["Golf=walk"]
  - { athlete: Ben, email: b@example.org, token-variable: BEN, archive: b.zip, since: "2020-05", map: x.map.yaml }
`,
      "roster.yaml",
    );
    expect(ana).toMatchObject({
      expects: { screenName: "4711" },
      options: { zone: "Europe/Vienna", since: "2019", sport: ["Golf=walk"] },
    });
    expect(ben).toMatchObject({
      options: { since: "2020-05", map: join(folder, "x.map.yaml") },
      token: { from: "token-variable", is: "BEN" },
    });
  });

  test.each([
    [
      "a misspelt column, once and not for each row",
      "athlete,screen-name,profile,archives,zoen\nA,a,a,a.zip,\nB,b,b,b.zip,\n",
      ['  line 1, zoen: there is no such column; did you mean "zone"?'],
    ],
    [
      "the same in every row, once",
      `athlete,screen-name,profile,archives\n${["A", "B", "C", "D", "E", "F"].map((name) => `${name},${name},${name},\n`).join("")}`,
      ["  lines 2, 3, 4 and 3 more, archives: say what to import"],
    ],
    [
      "rows of what is no roster, in a few lines",
      `\u0001${"x".repeat(500)}\n${Array.from({ length: 200 }, (_, index) => `,cell ${index}\n`).join("")}`,
      expect.objectContaining({ length: 6 }),
    ],
    [
      "a column that is there twice",
      "athlete,athlete,screen-name,profile,archives\nA,A,a,a,a.zip\n",
      ["  line 1, athlete: this column is there twice"],
    ],
    [
      "no token",
      "athlete,screen-name,archives\nA,a,a.zip\n",
      ["  line 2, profile: say where the token is: under profile, token-file, token-command, token-variable"],
    ],
    [
      "two tokens",
      "athlete,screen-name,profile,token-file,archives\nA,a,a,token.txt,a.zip\n",
      ["  line 2, token-file: the token is named twice: under profile and token-file"],
    ],
    [
      "nobody it must belong to",
      "athlete,profile,archives\nA,a,a.zip\n",
      ["  line 2, screen-name: say whose the token must be, here or under email"],
    ],
    [
      "values that no option takes",
      "athlete,screen-name,profile,archives,no-tracks,rate,sport\nA,a,a,a.zip,perhaps,fast,Golf=golf\n",
      [
        '  line 2, no-tracks: expected true or false, found "perhaps"',
        '  line 2, rate: expected a number, found "fast"',
        expect.stringContaining("  line 2, sport: Cannot use --sport"),
      ],
    ],
    [
      "an address that is none",
      "athlete,screen-name,profile,archives,url\nA,a,a,a.zip,log.example\n",
      [
        "  line 2, url: Cannot use the address of the service: expected an address such as https://log.example; did you mean https://log.example?",
      ],
    ],
    [
      "an athlete twice, however the name is written",
      "athlete,screen-name,profile,archives\nJosé  Ruiz,a,a,a.zip\njosé ruiz,b,b,b.zip\n",
      ['  line 3, athlete: "josé ruiz" is in line 2 already'],
    ],
    [
      "an archive of two, by another way to it",
      "athlete,screen-name,profile,archives\nA,a,a,a.zip\nB,b,b,./x/../a.zip\n",
      [expect.stringContaining("  line 3, archives: the archive")],
    ],
    ["nothing but a header", "athlete,screen-name,profile,archives\n", ["  line 1: there is no athlete in it"]],
    ["nothing at all", "", ["  line 1: there is no row with the names of the columns"]],
    [
      "a profile that leads elsewhere",
      "athlete,screen-name,profile,archives\nA,a,../../x,a.zip\n",
      ['  line 2, profile: expected letters, digits, "-", "_" and "."'],
    ],
  ])("with %s is refused, and told where", async (_what, text, told) => {
    expect(await problemsOf(text)).toEqual(told);
  });

  test.each([
    ["another shape", "just a text", ["  line 1: expected a list of athletes"]],
    [
      "a key that means nothing",
      "athletes: []\nrooster: 1\n",
      ['  line 2, rooster: expected "athletes" with a list, and perhaps "defaults" with keys and values'],
    ],
    ["broken YAML", "athletes: [\n", [expect.stringMatching(/^ {2}line \d/)]],
    ["an athlete that is no map", "- Ana\n", ["  line 1: expected an athlete's keys and values"]],
    [
      "an alias to nothing",
      "- athlete: *nobody\n  screen-name: a\n  profile: a\n  archives: a.zip\n",
      [expect.stringContaining("  line 1")],
    ],
  ])("in YAML with %s is refused, and told where", async (_what, text, told) => {
    const problems = await problemsOf(text, "roster.yml");
    expect(problems.slice(0, told.length)).toEqual(told);
  });

  test("never tells a token that somebody put into it, in whichever column", async () => {
    const token = "4ga1MLXHyp4WL0shQQYH5weBdkdXfM5R";
    const problems = await problemsOf(
      `athlete,token,token-file,token-variable,archives\nAna,${token},${token},,x\nBen,,,${token}!,a.zip\n"unclosed,${token}\n`,
    );
    expect(problems).toContain(
      "  line 1, token: a token must not stand in a roster, where whoever gets it can read it: name a profile, a token-file or a token-command",
    );
    expect(problems.join("\n")).not.toContain(token);
  });

  test("its template is a roster but for the archives that aren't there yet", async () => {
    for (const problem of await problemsOf(TEMPLATE))
      expect(problem).toMatch(/archives: cannot read|token-file: cannot read|map: cannot read/);
  });

  test("of whom somebody is named is told by the name, whatever its case and blanks; a name with a comma is one", async () => {
    const all = await read('athlete,screen-name,profile,archives\n"Ruiz, José",a,a,a.zip\nBen,b,b,b.zip\n');
    expect(chosen(all, "only", ["ruiz,  JOSÉ"]).map(({ name }) => name)).toEqual(["Ruiz, José"]);
    expect(chosen(all, "only", ["ben"]).map(({ name }) => name)).toEqual(["Ben"]);
    expect(all.map((one) => isAmong(one, ["Ruiz, José", "Ben"]))).toEqual([true, true]);
    expect(() => chosen(all, "trust", ["Bne"])).toThrow('did you mean "Ben"?');
  });
});

test.each([
  ["http://files.example/ana?sig=s3cret", true, "expected an address that begins with https://, without"],
  ["https://ana:s3cret@files.example/ana", true, "expected an address that begins with https://, without"],
  ["https://files.example/ana?sig=s3cret", false, "only the workers of a fleet put reports: use --report FOLDER"],
  ["https://files.example/ana?sig=s3cret", true, undefined],
])("a report may go to %s in a fleet (%s), or the roster says no", async (to, isForFleet, says) => {
  const path = join(folder, "to.csv");
  writeFileSync(path, `athlete,screen-name,profile,archives,report-to\nA,a,a,a.zip,${to}\n`);
  const read = readRoster(path, { ...context, isForFleet }).then(
    ([athlete]) => athlete?.reportTo,
    ({ more: [line = ""] }: UsageError) => line,
  );
  if (says === undefined) return expect(await read).toBe(to);
  expect(await read).toContain(`line 2, report-to: ${says}`);
  expect(await read).not.toContain("s3cret");
});

test("names become names of files that lead nowhere, fit every disk, and are never the same for two", () => {
  const names = [
    "../../etc/passwd",
    "Zoë",
    "zoe",
    "李雷",
    "",
    ".",
    "con",
    "a".repeat(500),
    "Ana/Ben",
    "Ana\\Ben",
    "Ana\nBen",
    "🏃",
  ];
  const files = names.map((name) => fileNameOf(name));
  for (const file of files) expect(file).toMatch(/^[a-z0-9][a-z0-9-]{2,48}-[0-9a-f]{8}$/);
  expect(new Set(files).size).toBe(names.length);
  expect(fileNameOf("Zoe\u0308")).toBe(fileNameOf("zoë"));
  expect(fileNameOf("Ana", "ana_l")).not.toBe(fileNameOf("Ana", "ana_b"));
});

describe("an athlete's own context", () => {
  const output = {} as CommandContext["output"];
  const coach = {
    ...{
      output,
      signal: new AbortController().signal,
      arguments: ["roster.csv"],
      tables,
      input: process.stdin,
      now: () => 0,
    },
    options: {
      profile: "coach",
      tokenFile: "coachs.txt",
      tokenCommand: "pass coach",
      journal: "coachs.db",
      report: ["r"],
      zone: "Europe/Vienna",
    },
    environment: { LOGFERRY_TOKEN: "coachs", BEN: "bens" },
  } as Partial<CommandContext> as CommandContext;

  test("has nothing of the coach's own log, and the coach's settings for all", async () => {
    const [ana, ben, chloe] = await read(
      "athlete,screen-name,profile,token-variable,token-file,archives,zone\nAna,a,ana,,,a.zip,\nBen,b,,BEN,,b.zip,Asia/Tokyo\nChloe,c,,,token.txt,c d.csv,\n",
    );
    if (ana === undefined || ben === undefined || chloe === undefined) throw new Error("three athletes were written");
    const [anas, bens, chloes] = [ana, ben, chloe].map((one) => toAthleteContext(withoutOwnToken(coach), one, output));
    expect(anas?.options).toMatchObject({ profile: "ana", zone: "Europe/Vienna" });
    expect(anas?.options.tokenFile).toBeUndefined();
    expect(anas?.environment.LOGFERRY_TOKEN).toBeUndefined();
    expect(bens?.options.zone).toBe("Asia/Tokyo");
    expect(bens?.environment.LOGFERRY_TOKEN).toBe("bens");
    expect(chloes?.options.tokenFile).toBe(join(folder, "token.txt"));
    for (const one of [anas, bens, chloes]) {
      expect(one?.options.tokenCommand).toBeUndefined();
      expect(one?.options.report).toBeUndefined();
      expect(one?.options.journal).not.toBe("coachs.db");
    }
    expect(new Set([anas, bens, chloes].map((one) => one?.options.journal)).size).toBe(3);
  });

  test("a service that fails for long is no stop of the coach's", () => {
    const error = new FatalError("load/service-unwell", "service", "Stopped: the service answered 502.");
    expect(failureOf(error, false)).toEqual({ status: "service", why: "Stopped: the service answered 502." });
  });

  test("names what a batch can do about a journal of another log", () => {
    const error = new FatalError("journal/other-account", "journal", "Cannot use this journal: it is of another log. Name another with --journal, or log in to that account.");
    const { status, why } = failureOf(error, false);
    expect([status, why]).toEqual(["setup", expect.stringContaining("in a fleet: logferry batch forget ROSTER --yes")]);
    expect(why).not.toContain("--journal");
  }); // biome-ignore format: a long message

  test("a bug of ours is one athlete's, is told with its stack, and without a token", () => {
    const { status, why } = failureOf(
      new TypeError("no such thing at https://log.example/x?access_token=s3cret&a=1"),
      false,
    );
    expect(status).toBe("bug");
    expect(why).toContain("please report it");
    expect(why).toContain("roster.test.ts");
    expect(why).not.toContain("s3cret");
  });
});
