/**
 * The rules of any load, whatever went wrong in it. Each of the fifteen rules is a function over the files and requests of the load. It names every
 * place where the rule is broken. The rules read the journal's file by SQLite and the service's own record, and share no code with the loader.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import type { Ran, Rehearsal } from "./rehearsal.ts";
import type { Asked } from "./request-log.ts";

type Row = Record<string, unknown>;

/** The content of a journal's file. */
export interface JournalRecord {
  readonly lines: readonly Row[];
  readonly events: readonly Row[];
  readonly runs: readonly Row[];
  readonly accounts: number;
  /** The faults that SQLite finds in the file itself. */
  readonly damage: readonly string[];
}

/** Reads a journal without touching it. It reads a copy, together with the write-ahead log. */
export function readJournal(path: string): JournalRecord {
  const folder = mkdtempSync(join(tmpdir(), "logferry-invariants-"));
  try {
    const copy = join(folder, basename(path));
    for (const end of ["", "-wal"]) if (existsSync(path + end)) copyFileSync(path + end, copy + end);
    const database = new DatabaseSync(copy);
    try {
      // When the file is damaged enough, nothing else of it can be read.
      const whole = soundness(database);
      if (whole !== undefined) return { lines: [], events: [], runs: [], accounts: 0, damage: [whole] };
      const all = (sql: string) => database.prepare(sql).all() as Row[];
      const orphans = all("PRAGMA foreign_key_check").map((row) => JSON.stringify(row));
      return {
        lines: all("SELECT * FROM line ORDER BY run, seq"),
        events: all('SELECT id, run, seq, at, "from", "to" FROM event ORDER BY id'),
        runs: all("SELECT id, state, read FROM run WHERE state <> 'planning' ORDER BY id"),
        accounts: all("SELECT * FROM account").length,
        damage: orphans,
      };
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The fault that SQLite finds in a file; undefined when nothing. */
function soundness(database: DatabaseSync): string | undefined {
  try {
    const found = database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(row.integrity_check));
    return found.join() === "ok" ? undefined : found.join("; ");
  } catch (error) {
    return String(error);
  }
}

/** Requests that make something: a save, an import, a map. */
function makes({ method, path }: Asked): boolean {
  return method === "POST" && path.startsWith("/rest/logs/");
}

/**
 * I1. Every request that makes something has an earlier intent in the journal. A request that was turned away (429) is repeated under the intent it
 * has. `sentUnwritten` checks the order between the disk and the socket.
 */
export function withoutIntent(journal: JournalRecord, asked: readonly Asked[]): string[] {
  const intents = journal.events.filter(({ to }) => to === "in-flight").map(({ at }) => Number(at));
  const times = intents.toSorted((a, b) => a - b);
  const made = asked.filter((one) => makes(one) && one.status !== 429).toSorted((a, b) => a.at - b.at);
  return made.flatMap(({ method, path, at }, index) => {
    const intent = times[index];
    return intent !== undefined && intent <= at ? [] : [`${method} ${path} came without an intent`];
  });
}

/**
 * I1, in the process itself. The input is the lines that `record-order.ts` wrote, of a load with one request under way. Between two requests that
 * make something, a commit must state the intent. Nothing may be uncommitted as a request leaves, and commits must be synced.
 */
export function sentUnwritten(order: readonly string[]): string[] {
  const wrong: string[] = [];
  let isIntended = false;
  for (const line of order) {
    if (!line.startsWith("sent ")) {
      isIntended ||= line.split(" ").includes("in-flight");
      continue;
    }
    const [, method = "", path = "", ...how] = line.split(" ");
    if (how.join(" ") !== "committed synced wal") wrong.push(`${method} ${path} left ${how.join(" ")}`);
    if (method !== "POST") continue;
    if (!isIntended) wrong.push(`${method} ${path} left before its intent`);
    isIntended = false;
  }
  return wrong;
}

/** The lines of a file that `record-order.ts` wrote. */
export function linesOf(path: string): string[] {
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}

/** I2. No record of the plan is in the log twice. The log holds no unplanned record, except the ones that the test put there itself. */
export function doubled(planned: readonly string[], held: readonly string[], others: readonly string[] = []): string[] {
  return lacking(held, [...planned, ...others]).map((one) => `in the log once too often: ${one}`);
}

/** I3. When a load says it is done, every record of the plan is in the log, as it was planned. */
export function lost(planned: readonly string[], held: readonly string[]): string[] {
  return lacking(planned, held).map((one) => `not in the log: ${one}`);
}

function lacking(wanted: readonly string[], found: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const one of found) left.set(one, (left.get(one) ?? 0) + 1);
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0;
    left.set(one, count - 1);
    return count <= 0;
  });
}

/** Members of a ledger that give details about records already counted in its columns. */
const NO_COLUMNS = new Set([
  "toUpdate",
  "leftThere",
  "refusedThere",
  "mergedAbsent",
  "dropped",
  "logChanged",
  "lostFiles",
]);

/** States in which a line needs an explanation. */
const EXPLAINED = new Set(["in-doubt", "refused", "failed", "skipped", "quarantined", "merged", "unchanged", "gone"]);

/**
 * I4. All records are accounted for. Every record that was read has a line, in the journal and in the last printed summary. Each record that was not
 * put into the log says why. Each merged record leads to one that stands.
 */
export function unbalanced(journal: JournalRecord, ran?: Pick<Ran, "out">): string[] {
  const run = journal.runs.at(-1);
  if (run === undefined) return [];
  const lines = journal.lines.filter((line) => line.run === run.id);
  const wrong: string[] = [];
  if (lines.length !== run.read) wrong.push(`run ${run.id} read ${run.read} records and has ${lines.length} lines`);
  for (const { seq, state, reason } of lines) {
    if (EXPLAINED.has(String(state)) && (reason === null || reason === ""))
      wrong.push(`line ${seq} is ${state} and doesn't say why`);
  }
  wrong.push(...standingForNone(lines));
  const printed = ran === undefined ? undefined : lastSummary(ran);
  if (printed === undefined) return wrong;
  const { read, ...columns } = printed.ledger;
  const sum = Object.entries(columns).reduce((total, [name, count]) => total + (NO_COLUMNS.has(name) ? 0 : count), 0);
  if (read !== sum || !printed.balanced) wrong.push(`printed: ${read} read, and ${sum} accounted for`);
  if (printed.run === run.id && read !== run.read)
    wrong.push(`printed: ${read} read, and the journal says ${run.read}`);
  return wrong;
}

/** The merged lines that lead to each other, or to a key that no line has. */
function standingForNone(lines: readonly Row[]): string[] {
  const stands = new Set(lines.filter(({ state }) => state !== "merged").map(({ key }) => key));
  const merged = new Map(lines.filter(({ state }) => state === "merged").map(({ key, twin }) => [key, twin]));
  return [...merged].flatMap(([key, twin]) => {
    let last = twin;
    for (const seen = new Set(); !stands.has(last) && merged.has(last) && !seen.has(last); ) {
      seen.add(last);
      last = merged.get(last);
    }
    return stands.has(last) ? [] : [`${key} is merged into ${twin}, and nothing stands for both`];
  });
}

interface Printed {
  readonly run?: unknown;
  readonly balanced: boolean;
  readonly ledger: Readonly<Record<string, number>>;
}

function lastSummary({ out }: Pick<Ran, "out">): Printed | undefined {
  const last = out.split("\n").findLast((line) => line.startsWith("{") && line.includes(`"type":"summary"`));
  return last === undefined ? undefined : (JSON.parse(last) as Printed);
}

/** I5, the table: typed from the protocol, not taken from the journal. A line under way may go into `in-flight` again. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  planned: ["in-flight", "in-doubt", "failed", "skipped", "unchanged", "merged", "quarantined", "gone"],
  done: ["gone", "in-doubt"],
  "in-flight": ["in-flight", "done", "planned", "in-doubt", "refused", "failed"],
  "in-doubt": ["in-doubt", "planned", "done", "in-flight"],
};

/** The states that a planned line can reach without a request, and so without an event. */
const UNSENT = new Set(["failed", "skipped", "unchanged", "merged", "quarantined", "gone"]);

/** I5. Lines changed their states only along the edges of the protocol, without a gap. They stand where the last event put them. */
export function wrongEdges({ events, lines }: JournalRecord): string[] {
  const wrong: string[] = [];
  const now = new Map<string, string>();
  for (const { run, seq, from, to } of events) {
    const name = `line ${seq} of run ${run}`;
    const was = now.get(name) ?? "planned";
    if (was !== from) wrong.push(`${name}: ${from} → ${to}, and it was ${was}`);
    if (EDGES[String(from)]?.includes(String(to)) !== true && !(from === "planned" && to === "planned"))
      wrong.push(`${name}: ${from} → ${to} is no edge`);
    now.set(name, String(to));
  }
  for (const { run, seq, state } of lines) {
    const name = `line ${seq} of run ${run}`;
    const last = now.get(name);
    if (last === undefined || last === state || (last === "planned" && UNSENT.has(String(state)))) continue;
    wrong.push(`${name} is ${state}, and its last event says ${last}`);
  }
  return wrong;
}

/** A change that a person made in the log while it was loaded. */
export interface Edit {
  readonly id: string;
  readonly field: string;
  readonly value: unknown;
}

/** I6. No edit of a person was written over. @param read gives a record of the log by its id */
export function writtenOver(
  edits: readonly Edit[],
  read: (id: string) => Readonly<Record<string, unknown>> | undefined,
): string[] {
  return edits.flatMap(({ id, field, value }) => {
    const found = read(id)?.[field];
    return JSON.stringify(found) === JSON.stringify(value)
      ? []
      : [`${field} of ${id} was ${JSON.stringify(value)}, is ${JSON.stringify(found)}`];
  });
}

/** I7. No window of `ms` milliseconds saw more than `most` requests. */
export function tooMany(asked: readonly Asked[], most: number, ms: number): string[] {
  const times = asked.map(({ at }) => at).toSorted((a, b) => a - b);
  return times.flatMap((at, index) => {
    const first = times[index - most];
    return first !== undefined && at - first < ms ? [`${most + 1} requests in ${at - first} ms`] : [];
  });
}

/** I7. After a 429 no request came before the time it asked for, except requests that were under way already. */
export function tooSoon(asked: readonly Asked[], waitMs: number, inFlight: number): string[] {
  return asked.flatMap((one, index) => {
    if (one.status !== 429) return [];
    const soon = asked.slice(index + 1).filter(({ at }) => at < one.at + waitMs);
    return soon.length < inFlight ? [] : [`${soon.length} requests in the ${waitMs} ms after a 429`];
  });
}

/** I8. No line was tried more often than this. */
export function triedTooOften({ events }: JournalRecord, most: number): string[] {
  const tries = new Map<string, number>();
  for (const { run, seq, from, to } of events) {
    const name = `line ${seq} of run ${run}`;
    if (to === "in-flight" && from !== "in-flight") tries.set(name, (tries.get(name) ?? 0) + 1);
  }
  return [...tries].filter(([, count]) => count > most).map(([name, count]) => `${name} was tried ${count} times`);
}

/** I9. No file of a folder and no output holds a secret, neither as it is nor in any common encoding. */
export function leaked(secrets: readonly string[], folder: string, printed: readonly string[]): string[] {
  const forms = secrets.flatMap(formsOf);
  const found = (text: string, where: string) =>
    forms.filter(({ form }) => text.includes(form)).map(({ how }) => `${where} holds a secret (${how})`);
  const inFiles = filesOf(folder).flatMap((path) => found(readFileSync(path, "latin1"), path));
  return [...inFiles, ...printed.flatMap((text, index) => found(text, `output ${index + 1}`))];
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((entry) => join(folder, entry));
  return entries.filter((path) => statSync(path).isFile());
}

/** The forms in which a text may stand in another. Base64 depends on where in its three bytes the secret begins. */
function formsOf(secret: string): { form: string; how: string }[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at both ends also depend on the text around it.
    return whole.slice(before === 0 ? 0 : before + 1, -1);
  });
  return [
    { form: bytes.toString("latin1"), how: "as it is" },
    { form: encodeURIComponent(secret), how: "URL-encoded" },
    { form: bytes.toString("hex"), how: "hexadecimal" },
    { form: bytes.toString("hex").toUpperCase(), how: "hexadecimal" },
    ...base64.flatMap((form) => [
      { form, how: "base64" },
      { form: form.replaceAll("+", "-").replaceAll("/", "_"), how: "base64url" },
    ]),
  ];
}

/** Requests of a run that change nothing: units, user, and the first page of each listing twice. */
const READS_AT_LEAST = 12;

/** I10. A run that has nothing to do writes nothing, and reads no more than the listings. @param asked of that run alone */
export function busyForNothing(asked: readonly Asked[], records: number): string[] {
  const writes = asked.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  const most = READS_AT_LEAST + 2 * Math.ceil(records / 100);
  const reads = asked.length - writes.length;
  return [...writes, ...(reads > most ? [`${reads} reads, ${most} at the most`] : [])];
}

/** I11. A journal is of one account, and none of it got into another account's log. @param before, after: another user's log */
export function astray(journal: JournalRecord, before: readonly string[], after: readonly string[]): string[] {
  return [
    ...(journal.accounts > 1 ? [`the journal is of ${journal.accounts} accounts`] : []),
    ...lacking(after, before).map((one) => `in another user's log: ${one}`),
    ...lacking(before, after).map((one) => `gone from another user's log: ${one}`),
  ];
}

/** I12. The journal's file is sound. */
export function damaged({ damage }: JournalRecord): string[] {
  return damage.map((found) => `the journal is damaged: ${found}`);
}

/** I13. Memory doesn't grow with the work. @param small, large bytes a process took for little and for much of it */
export function grown(small: number, large: number, mostBytes = 20 * 2 ** 20): string[] {
  return large - small > mostBytes ? [`memory grew by ${Math.round((large - small) / 2 ** 20)} MiB`] : [];
}

/** I14. A crash repeats at most as many requests as were under way. */
export function repeatedTooOften(
  asked: readonly Asked[],
  { planned, deaths, inFlight }: { readonly planned: number; readonly deaths: number; readonly inFlight: number },
): string[] {
  const made = asked.filter((one) => makes(one) && one.status !== 429).length;
  const most = planned + deaths * inFlight;
  return made > most
    ? [`${made} requests made something, ${most} at the most for ${planned} records and ${deaths} deaths`]
    : [];
}

/** I15. Every fault that was armed was met. */
export function unmet(hits: readonly { readonly fault: string; readonly hits: number }[]): string[] {
  return hits.filter((one) => one.hits === 0).map(({ fault }) => `${fault} was never met`);
}

/** The facts that a test knows besides the files and requests. */
export interface Known {
  readonly ran: readonly Ran[];
  /** The requests to the service, if its log was kept. */
  readonly asked?: readonly Asked[];
  /** Default `journal.db` in the rehearsal's folder. */
  readonly journal?: string;
  readonly secrets?: readonly string[];
}

/** All rules that hold of any load when it is over: I1, I4, I5, I9, I12 and I15. A test checks the content of the log by `lost` and `doubled`. */
export function brokenRules(rehearsal: Rehearsal, known: Known): string[] {
  const { folder, service, token } = rehearsal;
  const { ran, asked, journal: path = join(folder, "journal.db"), secrets = [] } = known;
  const hits = unmet(service.faults.hits());
  const printed = ran.flatMap(({ out, err }) => [out, err]);
  // The folder also holds the service's own database, which is not one of logferry's files.
  const leaks = leaked([token, ...secrets], folder, printed).filter(
    (found) => !found.includes(`${join(folder, "service.db")}`),
  );
  if (!existsSync(path)) return [...hits, ...leaks];
  const journal = readJournal(path);
  return [
    ...(asked === undefined ? [] : withoutIntent(journal, asked)),
    ...unbalanced(journal, ran.at(-1)),
    ...wrongEdges(journal),
    ...leaks,
    ...damaged(journal),
    ...hits,
  ];
}

/** Checks them. */
export function expectInvariants(rehearsal: Rehearsal, known: Known): void {
  expect(brokenRules(rehearsal, known)).toEqual([]);
}
