import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import type { MissingWords } from "../../pipelines/sources/missing-words.ts";
import { emptyHome } from "../../test/support/cli.ts";
import { parseWords } from "../parser.ts";
import { Stopped } from "./asking.ts";
import { type GuideParts, guide } from "./guide.ts";
import type { Next, Standing } from "./standing.ts";
import { type Step, typed } from "./steps.ts";
import { questionsOn } from "./terminal-questions.ts";

const KEYS = { enter: "\r", down: "\u001b[B", escape: "\u001b", ctrlC: "\u0003", ctrlD: "\u0004" };

/** What a person does at a question: keys, or a text and Enter. */
type Answer = readonly [question: string, ...keys: (keyof typeof KEYS | { readonly text: string })[]];

const FRESH: Standing = { next: undefined, hasJournal: false, isLoggedIn: false, repository: undefined };
const next = (kind: "promote" | "apply" | "verify" | "certify"): Next => ({ kind, of: "export_1.zip" });

/** The guide at a made-up terminal, where commands are noted and not run. */
class Person {
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  readonly #stop = new AbortController();
  #answers: Answer[] = [];
  #shown = "";
  #at = 0;
  readonly steps: Step[] = [];
  readonly home: string;
  /** Where the person stands, before any step and after each one. The last one stays. */
  standings: Standing[] = [FRESH];
  /** The exit codes of the steps. Default 0. */
  codes: number[] = [];
  found: string[] = [];
  /** What the sources don't say, at one look after the other. */
  missing: MissingWords[] = [];
  zone = "Europe/Vienna";

  constructor(home: string) {
    this.home = home;
    Object.assign(this.#output, { columns: 80, rows: 40 });
    this.#output.on("data", (chunk) => {
      this.#shown += stripVTControlCharacters(String(chunk));
      void this.#answer();
    });
  }

  /** What the terminal showed, in one line. */
  get shown(): string {
    return this.#shown.replaceAll(/[\s│◆◇■●○└]+/g, " ");
  }

  get commands(): string[] {
    return this.steps.map((step) => typed(step, this.home));
  }

  run(...answers: Answer[]): Promise<number> {
    this.#answers = answers;
    return guide(this.#parts());
  }

  stop(): void {
    this.#stop.abort();
  }

  #parts(): GuideParts {
    return {
      ask: questionsOn({ input: this.#input, output: this.#output }, this.#stop.signal),
      run: async (step) => {
        this.steps.push(step);
        if (step.into !== undefined) writeFileSync(step.into, "athlete\n");
        if (this.standings.length > 1) this.standings.shift();
        return this.codes.shift() ?? 0;
      },
      standing: async () => this.standings[0] ?? FRESH,
      look: async () => ({
        found: this.found.map((path) => ({ path, title: "Strava bulk export", changedAt: Date.UTC(2026, 4, 3) })),
        unseen: 0,
      }),
      missing: async () => this.missing.shift() ?? { unit: false, order: false },
      zone: this.zone,
      linkFolder: this.home,
      home: this.home,
      folder: this.home,
    };
  }

  async #answer(): Promise<void> {
    const [answer] = this.#answers;
    const fresh = this.#shown.slice(this.#at).replaceAll(/[\s│]+/g, " ");
    if (answer === undefined || !fresh.includes(answer[0])) return;
    this.#answers.shift();
    this.#at = this.#shown.length;
    const [, ...keys] = answer;
    for (const key of keys) {
      await new Promise((resolve) => setImmediate(resolve));
      if (typeof key === "string") this.#input.write(KEYS[key]);
      else this.#input.write(`${key.text}\r`);
    }
  }
}

/** Runs a person's way in a home of its own. */
async function walk(
  set: Partial<Pick<Person, "standings" | "codes" | "found" | "missing">>,
  ...answers: Answer[]
): Promise<Person & { code: number }> {
  const home = emptyHome();
  homes.push(home);
  const person = Object.assign(new Person(home.path), set);
  if (set.found !== undefined) person.found = set.found.map((name) => join(home.path, "Downloads", name));
  const code = await person.run(...answers);
  await expectParsed(person.steps);
  return Object.assign(person, { code });
}

const homes: Disposable[] = [];

afterAll(() => {
  for (const home of homes) home[Symbol.dispose]();
});

/** Every command that the guide shows is one that the parser accepts. */
async function expectParsed(steps: readonly Step[]): Promise<void> {
  for (const { words } of steps) expect((await parseWords(words))?.command.name).toBe(words[0]);
}

describe("data to carry over", () => {
  test("Enter alone leads from the newest export through a rehearsal to the certificate, each command shown before it runs", async () => {
    const leadsTo = (step: Next | undefined): Standing => ({
      ...FRESH,
      isLoggedIn: true,
      hasJournal: true,
      next: step,
    });
    const { commands, shown, code } = await walk(
      {
        found: ["export_1.zip"],
        // After: the beginning, inspect, rehearse, promote, verify, certify.
        standings: [
          FRESH,
          FRESH,
          leadsTo(next("promote")),
          leadsTo(next("verify")),
          leadsTo(next("certify")),
          leadsTo(undefined),
        ],
        codes: [3, 3],
      },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ["Where were you then?", "enter"],
      ["Where should it go first?", "enter"],
      ["Is everything as it should be?", "enter"],
      ["Read everything back", "enter"],
      ["Write a certificate", "enter"],
    );
    expect(commands).toEqual([
      "logferry inspect ~/Downloads/export_1.zip",
      "logferry rehearse ~/Downloads/export_1.zip --zone Europe/Vienna",
      "logferry promote",
      "logferry verify",
      "logferry certify ~/logferry-certificate.json",
    ]);
    expect(code).toBe(0);
    for (const command of commands) expect(shown).toContain(`This is: ${command} `);
  });

  test("into the real log: login, plan, and only then what was planned", async () => {
    const { commands } = await walk(
      {
        found: ["export_1.zip"],
        standings: [FRESH, FRESH, FRESH, { ...FRESH, isLoggedIn: true, next: next("apply") }],
      },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ["Where were you then?", "down", "enter"],
      ["Which time zone?", { text: "Lisbon" }],
      ['did you mean "Europe/Lisbon"', "escape"],
      ["Where were you then?", "down", "down", "enter"],
      ["Where should it go first?", "down", "enter"],
      ["address of your log", { text: "https://log.example" }],
      ["How do you get in?", "down", "enter"],
      ["Which key", { text: "4fd2" }],
      ["Carry it into your real log now?", "down", "enter"],
    );
    expect(commands).toEqual([
      "logferry inspect ~/Downloads/export_1.zip",
      "logferry login --url https://log.example --client-id 4fd2",
      "logferry plan ~/Downloads/export_1.zip",
    ]);
  });

  test("a typed folder and a link belong together; a link with a key in it is in no command", async () => {
    const home = emptyHome();
    homes.push(home);
    mkdirSync(join(home.path, "my watch's"));
    mkdirSync(join(home.path, "empty"));
    writeFileSync(join(home.path, "my watch's", "1.fit"), "x");
    const person = new Person(home.path);
    person.codes = [5];
    const code = await person.run(
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["Which file or folder?", { text: "~/nowhere" }],
      ["There is no", { text: "" }, "escape"],
      ["Where is your data?", "enter"],
      ["Which file or folder?", { text: "~/empty" }],
      ["There is nothing in", { text: "" }, "escape"],
      ["Where is your data?", "enter"],
      ["Which file or folder?", { text: "~/my watch's" }],
      ["What else", "down", "down", "enter"],
      ["Which link?", { text: "http://files.example/export.zip?key=s3cret" }],
      ["Expected a link that begins with https://", { text: "" }, "escape"],
      ["What else", "down", "down", "enter"],
      ["Which link?", { text: "https://files.example/export.zip?key=s3cret" }],
      ["2 chosen", "enter"],
    );
    // The source can't be read, and inspect said why.
    expect(code).toBe(5);
    const [file = ""] = person.steps[0]?.words.slice(2) ?? [];
    expect(person.steps[0]?.words).toEqual(["inspect", join(home.path, "my watch's"), file]);
    expect(file).toMatch(/^@.*link-[0-9a-f]{8}\.txt$/);
    expect(readFileSync(file.slice(1), "utf8")).toBe("https://files.example/export.zip?key=s3cret\n");
    expect(statSync(file.slice(1)).mode & 0o077).toBe(0);
    await expectParsed(person.steps);
  });

  test("a spreadsheet that can't be read gets its mapping file first", async () => {
    const { commands } = await walk(
      { found: ["log.csv"], codes: [5, 0, 5] },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ["A spreadsheet needs a mapping file", "enter"],
    );
    expect(commands).toEqual([
      "logferry inspect ~/Downloads/log.csv",
      "logferry map infer ~/Downloads/log.csv",
      "logferry inspect ~/Downloads/log.csv",
    ]);
  });

  test.each([
    {
      missing: [{ unit: true, order: false }],
      answers: [["the unit of its distances", "enter"]],
      options: "--distance-unit km",
    },
    {
      missing: [
        { unit: true, order: true },
        { unit: true, order: false },
      ],
      answers: [
        ["the unit of its distances", "down", "enter"],
        ["its swims", "enter"],
        ["Which number is the day?", "down", "enter"],
      ],
      options: "--distance-unit mi --distance-unit yd --date-order dmy",
    },
  ] as const)("what a table doesn't say is asked, and stands in each command: $options", async (one) => {
    const { commands } = await walk(
      { found: ["list.csv"], codes: [5, 0, 5], missing: [...one.missing] },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ...one.answers.map((answer): Answer => [...answer]),
      ["Where were you then?", "enter"],
      ["Where should it go first?", "enter"],
    );
    expect(commands).toEqual([
      "logferry inspect ~/Downloads/list.csv",
      `logferry inspect ~/Downloads/list.csv ${one.options}`,
      `logferry rehearse ~/Downloads/list.csv ${one.options} --zone Europe/Vienna`,
    ]);
  });

  test("Escape at what a table doesn't say leads back to the sources, and who doesn't know goes on without it", async () => {
    const { commands } = await walk(
      {
        found: ["list.csv"],
        codes: [3, 3, 5],
        missing: [
          { unit: true, order: false },
          { unit: true, order: true },
        ],
      },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ["the unit of its distances", "escape"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ["the unit of its distances", "down", "down", "enter"],
      ["Which number is the day?", "down", "down", "enter"],
      ["Where were you then?", "enter"],
      ["Where should it go first?", "enter"],
    );
    expect(commands).toEqual([
      "logferry inspect ~/Downloads/list.csv",
      "logferry inspect ~/Downloads/list.csv",
      "logferry rehearse ~/Downloads/list.csv --zone Europe/Vienna",
    ]);
  });

  test("a command that fails ends the guide with its exit code", async () => {
    const { code, commands } = await walk(
      { found: ["export_1.zip"], codes: [0, 6] },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "enter"],
      ["Where were you then?", "enter"],
      ["Where should it go first?", "enter"],
    );
    expect([code, commands.length]).toEqual([6, 2]);
  });
});

describe("going on where a person stopped", () => {
  const logged = { ...FRESH, isLoggedIn: true, hasJournal: true };

  test.each(["promote", "apply", "verify", "certify"] as const)(
    "%s is offered first, and Enter takes it",
    async (kind) => {
      const { commands } = await walk(
        { standings: [{ ...logged, next: next(kind) }, logged] },
        ["Go on", "enter"],
        ["export_1.zip", "enter"],
      );
      expect(commands).toEqual([
        kind === "certify" ? `logferry certify ~/logferry-certificate.json` : `logferry ${kind}`,
      ]);
    },
  );

  test("a rehearsal that stopped is done again with its own sources and options", async () => {
    const words = ["rehearse", "/data/export_1.zip", "--sport", "Nordic Walking=walk", "--sport", "=run"];
    const { commands, shown } = await walk(
      { standings: [{ ...FRESH, next: { kind: "rehearse", words, of: "export_1.zip", why: "It stopped." } }, FRESH] },
      ["Go on with the rehearsal of export_1.zip", "enter"],
    );
    expect(commands).toEqual(["logferry rehearse /data/export_1.zip --sport 'Nordic Walking=walk' --sport '=run'"]);
    expect(shown).toContain("It stopped.");
  });

  test("a rehearsal with something to look at leads to its pages once more, to another one after decisions, and then to the real log", async () => {
    const words = ["rehearse", "/data/export_1.zip"];
    const open: Standing = { ...logged, next: { kind: "promote", of: "export_1.zip", again: words } };
    const decided: Standing = {
      ...logged,
      next: { kind: "rehearse", words, of: "export_1.zip", why: "You decided.", isDecided: true },
    };
    const { commands, code } = await walk(
      // After: the beginning, the second rehearsal, the third, the promotion (which asks for the login before).
      { standings: [open, decided, open, open, logged], codes: [3, 3, 0] },
      ["Go on", "enter"],
      ["Some records need a look", "enter"],
      ["Rehearse once more now?", "enter"],
      ["Some records need a look", "down", "enter"],
    );
    expect(commands).toEqual([
      "logferry rehearse /data/export_1.zip",
      "logferry rehearse /data/export_1.zip",
      "logferry promote",
    ]);
    expect(code).toBe(0);
  });

  test("a promotion that the person declined is not checked", async () => {
    const { commands, shown } = await walk(
      { standings: [{ ...logged, next: next("promote") }] },
      ["Go on", "enter"],
      ["Is everything as it should be?", "enter"],
    );
    expect(commands).toEqual(["logferry promote"]);
    expect(shown).toContain("Type logferry to go on from here.");
  });
});

test("a backup every night: login for the night, a backup now, and the schedule", async () => {
  const { commands, code } = await walk(
    {},
    ["What do you want to do?", "down", "enter"],
    ["which folder?", "enter"],
    ["what time", { text: "25:00" }],
    ["Expected a time such as 02:30", "escape"],
    ["which folder?", "enter"],
    ["what time", "enter"],
    ["address of your log", { text: "https://log.example" }],
    ["How do you get in?", "enter"],
  );
  expect(commands).toEqual([
    "logferry login --url https://log.example --no-keyring",
    "logferry backup --repository ~/backups/log",
    "logferry schedule install --repository ~/backups/log --daily 02:30",
  ]);
  expect(code).toBe(0);
});

test("a coach gets a roster to fill in, and the second time all athletes are checked", async () => {
  const home = emptyHome();
  homes.push(home);
  const answers: Answer[] = [
    ["What do you want to do?", "down", "down", "enter"],
    ["Which roster?", "enter"],
  ];
  const first = new Person(home.path);
  expect(await first.run(...answers)).toBe(0);
  expect(first.commands).toEqual(["logferry batch --template > ~/roster.csv"]);
  const again = new Person(home.path);
  expect(await again.run(...answers)).toBe(0);
  expect(again.commands).toEqual(["logferry batch ~/roster.csv --dry-run"]);
  expect(again.shown).toContain("logferry batch ~/roster.csv --report results");
  await expectParsed([...first.steps, ...again.steps]);
});

test("where things stand is offered once there is a journal", async () => {
  const { commands, shown } = await walk({}, ["What do you want to do?", "escape"]);
  expect(commands).toEqual([]);
  expect(shown).not.toContain("See where things stand");
  const later = await walk({ standings: [{ ...FRESH, hasJournal: true }] }, [
    "where things stand",
    "down",
    "down",
    "down",
    "enter",
  ]);
  expect(later.commands).toEqual(["logferry status"]);
});

describe("the ways out", () => {
  test.each([["ctrlC"], ["ctrlD"]] as const)("%s ends it at any question", async (key) => {
    await expect(walk({}, ["What do you want to do?", key])).rejects.toThrow(Stopped);
    const inText: Answer[] = [
      ["What do you want to do?", "down", "enter"],
      ["which folder?", key],
    ];
    await expect(walk({}, ...inText)).rejects.toThrow(Stopped);
  });

  test("a signal ends it, and so does a command that was stopped by one", async () => {
    const home = emptyHome();
    homes.push(home);
    const person = new Person(home.path);
    const ended = person.run();
    setImmediate(() => person.stop());
    await expect(ended).rejects.toThrow(Stopped);
    const standings = [{ ...FRESH, isLoggedIn: true, next: next("verify") }];
    const stopped = walk({ standings, codes: [130] }, ["Go on", "enter"], ["Read everything back", "enter"]);
    await expect(stopped).rejects.toThrow(Stopped);
  });

  test("Escape goes back one question, and from the first one out", async () => {
    const { commands, code } = await walk(
      { found: ["export_1.zip"] },
      ["What do you want to do?", "enter"],
      ["Where is your data?", "enter"],
      ["What else", "escape"],
      ["Where is your data?", "escape"],
      ["What do you want to do?", "escape"],
    );
    expect([code, commands]).toEqual([0, []]);
  });
});

test("a shell reads the shown command as the words that run", async () => {
  using home = emptyHome();
  const odd = join(home.path, 'it\'s a "log" $HOME.csv');
  const step: Step = { words: ["inspect", odd, `@${odd}`, join(home.path, "plain.zip"), home.path] };
  const line = typed(step, home.path).replace(/^logferry /, "printf '%s\\n' ");
  const read = execFileSync("sh", ["-c", line], { env: { HOME: home.path }, encoding: "utf8" });
  expect(read.trimEnd().split("\n")).toEqual(step.words);
  expect(existsSync(odd)).toBe(false);
  expect(basename(odd)).toContain("'");
});
