/** Ctrl-C while an answer of the log drips, or while a run waits out its pause. By the real command line, against a server that does so. */
import { copyFileSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { type Ran, type Rehearsal, rehearse } from "./support/rehearsal.ts";
import { someRuns, writeSheet } from "./support/small-sources.ts";
import { writeRoster } from "./support/team.ts";
import { longTest, rowTest, test } from "./support/tier-tests.ts";
import { chosenRows } from "./support/tiers.ts";

/** The fault of an answer. Only its first bytes come, or no bytes at all. Or the service is busy, with a time to wait or without. */
type Fault = "drip" | "none" | "busy for half an hour" | "busy";

/** The requests that are hit, such as `GET /rest/logs/me/workouts`. Without it every request is hit. */
interface Trap {
  readonly fault: Fault;
  readonly isHit: (request: string) => boolean;
  /** Called each time, once the answer, or enough of it, was sent. */
  readonly onHit: () => void;
}

const RUNS = someRuns(6);
const LISTING = "GET /rest/logs/me/workouts";
const SAVE = "POST /rest/logs/me/workouts";

let rehearsal: Rehearsal;
let server: Server;
let trap: Trap | undefined;
let environment: Readonly<Record<string, string>>;
/** A run that was loaded once for all tests: its sheet, and its journal. */
let sheet: string;
let loadedJournal: string;
let count = 0;

beforeAll(async () => {
  rehearsal = await rehearse();
  server = createServer(async (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const caught = trap;
    if (caught?.isHit(`${method} ${url.split("?")[0]}`) === true) {
      spoil(response, caught);
      return;
    }
    const answer = await fetch(`${rehearsal.service.url}${url}`, {
      method,
      headers: { "content-type": headers["content-type"] ?? "text/plain" },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  environment = { LOGFERRY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  sheet = writeSheet(join(rehearsal.folder, "sheet"), RUNS);
  loadedJournal = join(rehearsal.folder, "loaded.db");
  const ran = await rehearsal.run(["import", sheet], { journal: loadedJournal, env: environment });
  expect(ran.code, ran.err).toBe(0);
});
afterEach(() => {
  trap = undefined;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rehearsal.close();
});

/** After this many drops of an answer its beginning has surely arrived. */
const DROPS = 5;

function spoil(response: ServerResponse, { fault, onHit }: Trap): void {
  if (fault === "drip") {
    let drops = 0;
    response.writeHead(200, { "content-type": "application/json" });
    const drip = setInterval(() => {
      response.write(" ");
      if (++drops === DROPS) onHit();
    }, 20);
    response.on("close", () => clearInterval(drip));
    return;
  }
  if (fault === "none") {
    response.destroy();
    onHit();
    return;
  }
  const retryAfter = fault === "busy" ? {} : { "retry-after": "1800" };
  response.writeHead(429, { "content-type": "application/json", ...retryAfter });
  response.end("{}", onHit);
}

/** A journal of its own with the loaded run, and the run's sheet. */
function loaded(): { readonly journal: string; readonly sheet: string } {
  const journal = join(rehearsal.folder, `stopped-${++count}.db`);
  copyFileSync(loadedJournal, journal);
  return { journal, sheet };
}

/** Starts a command and presses Ctrl-C once a request met the fault. */
async function stop(
  words: readonly string[],
  { fault, at, journal }: { fault: Fault; at: string | Trap["isHit"]; journal: string },
): Promise<Ran & { readonly askedAfterwards: number }> {
  let hits = 0;
  let isStopped = false;
  let askedAfterwards = 0;
  const { promise: hit, resolve: met } = Promise.withResolvers<void>();
  trap = {
    fault,
    isHit: typeof at === "string" ? (request) => request === at : at,
    onHit: () => {
      if (isStopped) askedAfterwards++;
      hits++;
      met();
    },
  };
  const { child, ended } = rehearsal.start(words, { journal, env: environment });
  await Promise.race([hit, ended]);
  expect(hits, "requests that met the fault").toBeGreaterThan(0);
  isStopped = true;
  child.kill("SIGINT");
  return { ...(await ended), askedAfterwards };
}

/** The first lines after Ctrl-C. */
const PLANNING = "Stopping: reading ends here, and no plan is made. Your log is unchanged.";
const CHECKING = "Stopping: reading ends here. No log was changed.";

/** Every command, with its first message when it is stopped while it reads, and its last one. */
const COMMANDS: readonly (readonly [
  command: string,
  words: (sheet: string, out: string) => string[],
  first: string,
  says: string,
])[] = [
  ["import", (sheet) => ["import", sheet], PLANNING, "Stopped before anything was changed."],
  ["plan", (sheet) => ["plan", sheet], PLANNING, "Stopped before anything was changed."],
  ["export", (_, out) => ["export", "--out", out], "Stopping: what is read already is kept.", "Stopped early: "],
  [
    "backup",
    (_, out) => ["backup", "--repository", out],
    "Stopping: no snapshot is made. The same command goes on from here.",
    "Stopped: no snapshot was made. The same command goes on from there.",
  ],
  ["verify", () => ["verify"], "Stopping: reading ends here.", "Stopped: not everything was compared."],
  ["retry", () => ["retry", "--restore-missing"], PLANNING, "Stopped before anything was changed."],
  ["batch", rosterOf, CHECKING, "Stopped before anything was changed."],
];

/** A batch with the one athlete of the rehearsal. */
function rosterOf(sheet: string, out: string): string[] {
  const token = `${out}.token`;
  writeFileSync(token, rehearsal.token, { mode: 0o600 });
  const athlete = { athlete: "Ana", "screen-name": "demo", "token-file": token, archives: sheet };
  return ["batch", writeRoster(`${out}.csv`, [athlete])];
}

const FAULTS: readonly Fault[] = ["drip", "busy for half an hour", "busy"];

/** Every command with every fault. */
const STOPS = COMMANDS.flatMap(([command, words, first, says]) =>
  FAULTS.map((fault) => ({ command, words, first, says, fault })),
);

/** One command of each kind, each with another fault. */
const IN_FIRST_TIER: readonly string[] = ["backup busy", "batch busy for half an hour"];

rowTest.each(chosenRows(STOPS, ({ command, fault }) => IN_FIRST_TIER.includes(`${command} ${fault}`)))(
  "$command is stopped by Ctrl-C while a listing meets: $fault",
  async ({ words, first, says, fault }) => {
    const { journal, sheet } = loaded();
    const out = join(rehearsal.folder, `out-${count}`);
    const ran = await stop(words(sheet, out), { fault, at: LISTING, journal });
    expect(ran.err).not.toMatch(/Cannot|bug/);
    expect(ran.code, ran.err).toBe(130);
    expect(ran.err).toContain(`${first} Once more ends at once.\n`);
    expect(ran.out).toContain(says);
    // Without a time to wait, one may be on its way when the signal comes.
    if (fault !== "busy") expect(ran.askedAfterwards).toBe(0);
  },
);

longTest.each(COMMANDS)(
  "%s is stopped by Ctrl-C while the first answer of all drips",
  async (command, words, _first, says) => {
    const { journal, sheet } = loaded();
    const out = join(rehearsal.folder, `out-${count}`);
    const ran = await stop(words(sheet, out), { fault: "drip", at: "GET /rest/users/me", journal });
    expect(ran.err).not.toMatch(/Cannot|bug/);
    expect(ran.code, ran.err).toBe(130);
    expect(ran.out).toContain(command === "export" ? "Stopped before anything was read: nothing is written." : says);
    if (command === "export") expect(existsSync(out)).toBe(false);
  },
);

longTest.each(FAULTS)(
  "an import that is stopped while its saves meet: %s, says what is left and goes on later",
  async (fault) => {
    const journal = join(rehearsal.folder, `stopped-${++count}.db`);
    const sheet = writeSheet(join(rehearsal.folder, `sheet-${count}`), someRuns(6, `${1970 + count}-01-01`));
    const ran = await stop(["import", sheet], { fault, at: SAVE, journal });
    expect(ran.err).not.toMatch(/Cannot|bug/);
    expect(ran.code, ran.err).toBe(130);
    expect(ran.out).toMatch(/Stopped early/);
    trap = undefined;
    const again = await rehearsal.run(["import", sheet, "--settle", "1"], { journal, env: environment });
    expect(again.code, again.err).toBe(0);
  },
);

test("an import that is stopped before it looked up a lost answer is not done, and goes on later", async () => {
  const journal = join(rehearsal.folder, `stopped-${++count}.db`);
  const sheet = writeSheet(join(rehearsal.folder, `sheet-${count}`), someRuns(6, `${1970 + count}-01-01`));
  let saves = 0;
  const at = (request: string) => request === SAVE && ++saves === 6;
  const ran = await stop(["import", sheet, "--settle", "600"], { fault: "none", at, journal });
  expect(ran.code, ran.err).toBe(130);
  expect(ran.out).toContain("Stopped early. 5 of 6 records are in your log");
  expect(ran.out).toMatch(/1 is in doubt\. Resume with: logferry apply/);
  trap = undefined;
  const words = ["apply", "--settle", "1"];
  const again = await rehearsal.run(words, { journal, env: environment });
  expect(again.code, again.err).toBe(0);
  expect(again.out).toContain("6 of 6 records are in your log, each once");
});

longTest("an export that is stopped before it read a record writes nothing, and says so", async () => {
  const { journal } = loaded();
  const out = join(rehearsal.folder, `export-${count}`);
  const ran = await stop(["export", "--out", out, "--kind", "workouts"], { fault: "drip", at: LISTING, journal });
  expect(ran.code, ran.err).toBe(130);
  expect(ran.out).toContain("Stopped before anything was read: nothing is written.");
  expect(readdirSync(rehearsal.folder).filter((name) => name.startsWith(`export-${count}`))).toEqual([]);
});

longTest("an export that is stopped after some records keeps them, and says where", async () => {
  const { journal } = loaded();
  const out = join(rehearsal.folder, `export-${count}`);
  const ran = await stop(["export", "--out", out], { fault: "drip", at: LISTING, journal });
  expect(ran.code, ran.err).toBe(130);
  const kept = readdirSync(rehearsal.folder).filter((name) => name.startsWith(`export-${count}`));
  expect(kept).toHaveLength(1);
  expect(ran.out).toContain(`Stopped early: ${join(rehearsal.folder, kept[0] ?? "")} holds a part of the log.`);
});

longTest("an import that is stopped in its last look at the log says what was done", async () => {
  const journal = join(rehearsal.folder, `stopped-${++count}.db`);
  const sheet = writeSheet(join(rehearsal.folder, `sheet-${count}`), someRuns(6, `${1970 + count}-01-01`));
  let saves = 0;
  const ran = await stop(["import", sheet], {
    fault: "drip",
    at: (request) => {
      if (request === SAVE) saves++;
      return request === LISTING && saves === 6;
    },
    journal,
  });
  // Everything was done. The message names what could not be looked at any more.
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toContain("6 of 6 records are in your log");
  expect(ran.out).not.toContain("Stopped before anything was changed");
});
