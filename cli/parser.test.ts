import { expect, test } from "vitest";
import { startService } from "../service/server.ts";
import { plan } from "./commands/plan.ts";
import { UsageError } from "./errors/exit-codes.ts";
import { parseWords } from "./parser.ts";

async function refused(...words: readonly string[]): Promise<string> {
  try {
    await parseWords(words);
  } catch (error) {
    if (error instanceof UsageError) return [error.message, ...error.more].join("\n");
    throw error;
  }
  throw new Error(`logferry ${words.join(" ")} was not refused`);
}

test("words are a command, its sources and the options that stand there, no defaults", async () => {
  const parsed = await parseWords([
    "import",
    "export_123.zip",
    "~/watch",
    "-n",
    "--no-tracks",
    "--rate",
    "0",
    "log 1.csv",
  ]);
  expect(parsed?.command.name).toBe("import");
  expect(parsed?.arguments).toEqual(["export_123.zip", "~/watch", "log 1.csv"]);
  expect(parsed?.given).toEqual({ dryRun: true, noTracks: true, rate: 0 });
});

test("the long texts of a command's help cost a command nothing", async () => {
  const { details } = plan;
  let times = 0;
  const join = (between: string) => {
    times++;
    return details.join(between);
  };
  try {
    Object.assign(plan, { details: Object.assign([...details], { join }) });
    await parseWords(["plan", "a.zip", "--json"]);
  } finally {
    Object.assign(plan, { details });
  }
  expect(times).toBe(0);
});

test("options may stand before the command", async () => {
  const parsed = await parseWords(["--json", "--profile", "ana", "plan", "a.zip"]);
  expect(parsed?.command.name).toBe("plan");
  expect(parsed?.given).toEqual({ json: true, profile: "ana" });
});

test("sources that look like numbers or options keep their names", async () => {
  expect((await parseWords(["inspect", "0123", "1e3", "--", "-x.zip", "--json"]))?.arguments).toEqual([
    "0123",
    "1e3",
    "-x.zip",
    "--json",
  ]);
});

test("a name that begins with a dash may be the only source, after --", async () => {
  expect((await parseWords(["inspect", "--", "-x.zip"]))?.arguments).toEqual(["-x.zip"]);
  expect(await refused("inspect", "--")).toMatch(/^Cannot inspect: say which source /);
  expect(await refused("whoami", "--", "x")).toBe('Cannot whoami: it has no use for "x"');
});

test("--sport takes one pair at a time, so that a source may follow", async () => {
  const parsed = await parseWords(["plan", "--sport", "Golf=other", "a.zip", "--sport", "Nordic Walking=walk"]);
  expect(parsed?.arguments).toEqual(["a.zip"]);
  expect(parsed?.given.sport).toEqual(["Golf=other", "Nordic Walking=walk"]);
});

test.each([
  [[], "Say what to do\nTry: logferry --help"],
  [["improt", "a.zip"], 'There is no command "improt"; did you mean "import"?\nTry: logferry --help'],
  [["frobnicate"], 'There is no command "frobnicate"\nTry: logferry --help'],
  [
    ["plan"],
    "Cannot plan: say which source (an export zip, its https:// address or @FILE with the address, a folder of exports or watch files, a spreadsheet with its mapping file)\nTry: logferry plan --help",
  ],
  [
    ["plan", "a.zip", "--sinse", "2023"],
    'Cannot plan: it has no option --sinse; did you mean "--since"?\nTry: logferry plan --help',
  ],
  // The option there isn't takes the source for its value.
  [
    ["import", "--dryrun", "a.zip"],
    'Cannot import: it has no option --dryrun; did you mean "--dry-run"?\nTry: logferry import --help',
  ],
  [["inspect", "--frobnicate", "a.zip"], "Cannot inspect: it has no option --frobnicate\nTry: logferry inspect --help"],
  [["plan", "a.zip", "--frobnicate=1"], "Cannot plan: it has no option --frobnicate\nTry: logferry plan --help"],
  [["whoami", "--since", "2023"], "Cannot whoami: it has no option --since\nTry: logferry whoami --help"],
  // S4 of the security table.
  [
    ["login", "--token", "abc"],
    "Cannot login: a secret is never taken from the command line, where other users of the machine and the shell's history can see it. Use --token-file, or --token-stdin with login\nTry: logferry login --help",
  ],
  [
    ["login", "--client-secret=abc"],
    "Cannot login: a secret is never taken from the command line, where other users of the machine and the shell's history can see it. Use login with --client-secret-file, or LOGFERRY_CLIENT_SECRET\nTry: logferry login --help",
  ],
  [["whoami", "ana"], 'Cannot whoami: it has no use for "ana"\nTry: logferry whoami --help'],
  [["plan", "a.zip", "--zone"], "Cannot use --zone: it needs a value\nTry: logferry plan --help"],
  [
    ["serve", "--units", "furlongs"],
    'Cannot use --units: expected one of "metric", "imperial", found "furlongs"\nTry: logferry serve --help',
  ],
  [["plan", "a.zip", "--since", "2023", "--since", "2024"], "Cannot use --since twice"],
  [
    ["plan", "a.zip", "--since", "2023-13"],
    'Cannot use --since: expected 2023, 2023-07 or 2023-07-15, found "2023-13"',
  ],
  [
    ["plan", "a.zip", "--zone", "Vienna"],
    'Cannot use --zone: expected a name such as Europe/Vienna, found "Vienna"; did you mean "Europe/Vienna"?',
  ],
  [
    ["plan", "a.zip", "--zone", "new york"],
    'Cannot use --zone: expected a name such as Europe/Vienna, found "new york"; did you mean "America/New_York"?',
  ],
  [
    ["plan", "a.zip", "--zone", "Europe/Lisbn"],
    'Cannot use --zone: expected a name such as Europe/Vienna, found "Europe/Lisbn"; did you mean "Europe/Lisbon"?',
  ],
  [
    ["plan", "a.zip", "--zone", "Middle-earth"],
    'Cannot use --zone: expected a name such as Europe/Vienna, found "Middle-earth"',
  ],
  [["whoami", "--rate", "fast"], "Cannot use --rate: expected a number"],
  [["whoami", "--rate", "-1"], "Cannot use --rate: expected a number that is not below 0, found -1"],
  [["whoami", "--concurrency", "0"], "Cannot use --concurrency: expected a whole number from 1 to 64, found 0"],
  [["status", "--run", "1.5"], "Cannot use --run: expected a whole number, 1 or more, found 1.5"],
  [["serve", "--port", "65536"], "Cannot use --port: expected a whole number from 0 to 65535, found 65536"],
])("logferry %j is refused with one line that says why, and where to look", async (words, message) => {
  expect(await refused(...words)).toBe(message);
});

test.each(["balancer", "10.0.0.0/99", "10.0.0.0/0", "10.0.0.1 10.0.0.2", "10.0.0.1,", "*", "true", ""])(
  "a proxy that isn't an address is refused with what is accepted: %j",
  async (value) => {
    expect(await refused("serve", "--trust-proxy", value)).toBe(
      `Cannot use --trust-proxy: expected IP addresses or ranges, several with commas: 10.0.0.1,10.1.0.0/16, found ${JSON.stringify(value)}`,
    );
  },
);

test.each(["10.0.0.1", "10.0.0.0/8, ::1", "fd00::/8,192.168.0.1/32", "loopback,uniquelocal"])(
  "proxies may be given as %s, and the service takes it",
  async (value) => {
    expect((await parseWords(["serve", "--trust-proxy", value]))?.given.trustProxy).toBe(value);
    const service = await startService({ database: ":memory:", trustProxy: value });
    await service.close();
  },
);
