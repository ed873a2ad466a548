/**
 * Backups beside restic, on the same NDJSON dump of a log of 20,000 workouts. It measures how much room they take, after one night and after ten with
 * edits between. It also measures how long it takes to write them, to check them to the last byte, and to read them back. Both sides run as
 * processes, started anew each time. `node bench/backup.ts` runs this part alone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity } from "age-encryption";
import { randomFrom } from "../fixtures/make/random.ts";
import { asRatio, pairs, timed } from "./measure.ts";

const CHILD = join(import.meta.dirname, "backup-child.ts");
const LOGFERRY = join(import.meta.dirname, "..", "bin", "logferry.js");
const WORKOUTS = 20_000;
const NIGHTS = 10;
const PAIRS = 3;
const MB = 1e6;

/** As a multiple of the size that restic takes at its defaults. An issue names this number. */
const PROMISED = 1;

/** Measures and prints. @returns the promises that are broken */
export async function benchBackup(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "logferry-bench-backup-"));
  try {
    if (!(await hasRestic(folder))) {
      console.log("Backups beside restic: NOT MEASURED, restic is not on this machine.\n");
      return [];
    }
    return await measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string): Promise<readonly string[]> {
  const records = makeLog();
  const dump = join(folder, "log.ndjson");
  writeDump(dump, records);
  const identity = await generateX25519Identity();
  const keyFile = join(folder, "key.txt");
  writeFileSync(keyFile, `${identity}\n`, { mode: 0o600 });
  console.log(
    `Backups of ${WORKOUTS} workouts, an NDJSON dump of ${(statSync(dump).size / MB).toFixed(1)} MB, beside ${await resticVersion(folder)}:`,
  );
  const ours = { plain: join(folder, "plain"), encrypted: join(folder, "encrypted") };
  const keyOf = { plain: "", encrypted: identity } as const;
  const theirs = { defaults: join(folder, "restic-defaults"), best: join(folder, "restic") };
  for (const repo of Object.values(theirs)) await restic(folder, "init", "--repository-version", "2", "--repo", repo);
  const broken: string[] = [];

  const writeOurs = (kind: keyof typeof ours, to = ours[kind]) =>
    run(process.execPath, [CHILD, "write", to, dump, keyOf[kind]]);
  const backUpAll = async () => {
    await restic(folder, "backup", dump, "--repo", theirs.defaults);
    await restic(folder, "backup", "--compression", "max", dump);
    for (const kind of ["plain", "encrypted"] as const) await writeOurs(kind);
  };
  await backUpAll();
  broken.push(...compareRoom("one night", ours, theirs));

  for (const kind of ["plain", "encrypted"] as const) {
    let round = 0;
    const write = await pairs(
      PAIRS,
      () => timed(() => writeOurs(kind, join(folder, `${kind}-${round++}`))),
      async () => {
        const fresh = join(folder, `restic-${kind}-${round++}`);
        await restic(folder, "init", "--repository-version", "2", "--repo", fresh);
        return timed(() => restic(folder, "backup", "--compression", "max", dump, "--repo", fresh));
      },
    );
    const check = await pairs(
      PAIRS,
      () =>
        timed(() =>
          run(process.execPath, [
            ...[LOGFERRY, "check", "--quiet", "--repository", ours[kind]],
            ...(kind === "plain" ? [] : ["--identity", keyFile]),
          ]),
        ),
      () => timed(() => restic(folder, "check", "--read-data")),
    );
    const back = join(folder, "back.ndjson");
    const read = await pairs(
      PAIRS,
      () => timed(() => run(process.execPath, [CHILD, "read", ours[kind], back, keyOf[kind]])),
      () => timed(() => restic(folder, "restore", "latest", "--target", join(folder, "back"))),
    );
    expectSame(dump, back);
    for (const [what, found] of Object.entries({ write, "check every byte": check, "read back": read })) {
      console.log(
        `  ${kind}, ${what}: ${(found.a.median / 1000).toFixed(2)} s; ${asRatio(found.ratio)} the time of restic (${(found.b.median / 1000).toFixed(2)} s, about half a second of it for its passphrase)`,
      );
    }
  }

  const random = randomFrom("nights");
  for (let night = 1; night < NIGHTS; night++) {
    // A new workout, and an edit of an old one.
    records.push(workoutAt(WORKOUTS + night, random));
    const edited = random.pick(records.filter(({ kind }) => kind === "workout"));
    Object.assign(edited, { notes: `${String(edited.notes ?? "")} Seen again on night ${night}.` });
    writeDump(dump, records);
    await backUpAll();
  }
  broken.push(...compareRoom(`${NIGHTS} nights with edits`, ours, theirs));
  console.log();
  return broken;
}

type Folders<K extends string> = Readonly<Record<K, string>>;

/** @returns the promises that are broken */
function compareRoom(
  when: string,
  ours: Folders<"plain" | "encrypted">,
  theirs: Folders<"defaults" | "best">,
): readonly string[] {
  const [peer, best] = [sizeOf(theirs.defaults), sizeOf(theirs.best)];
  return Object.entries(ours).flatMap(([kind, folder]) => {
    const size = sizeOf(folder);
    console.log(
      `  room after ${when}, ${kind}: ${(size / MB).toFixed(2)} MB, ${(size / peer).toFixed(2)}x that of restic at its defaults (${(peer / MB).toFixed(2)} MB), ${(size / best).toFixed(2)}x with its best compression (${(best / MB).toFixed(2)} MB)`,
    );
    return size / peer > PROMISED
      ? [`a ${kind} repository after ${when} takes at most the room of restic's at its defaults`]
      : [];
  });
}

type DumpRecord = { readonly kind: string; readonly id: string } & Record<string, unknown>;

function workoutAt(index: number, random: ReturnType<typeof randomFrom>): DumpRecord {
  const at = new Date(Date.UTC(2005, 0, 1) + Math.floor(index * 0.38 * 86_400) * 1000).toISOString();
  const words = [
    "easy",
    "windy",
    "long",
    "along the river",
    "with the club",
    "tired",
    "strong",
    "hills",
    "late",
    "track",
  ];
  return {
    kind: "workout",
    id: `w${(index * 7919).toString(36)}`,
    activityID: random.pick([10, 10, 10, 11, 12]),
    activityName: "Run",
    date: at.slice(0, 10),
    timeOfDay: `${String(random.whole(5, 20)).padStart(2, "0")}:${String(random.whole(0, 59)).padStart(2, "0")}:00`,
    details: {
      distance: { unit: "km", value: Math.round(random.between(3, 25) * 100) / 100 },
      duration: random.whole(900, 9000),
    },
    health: { avgHR: random.whole(115, 175), maxHR: random.whole(150, 195) },
    ...(random.chance(0.6) && {
      notes: Array.from({ length: random.whole(3, 25) }, () => random.pick(words)).join(" "),
    }),
    ...(random.chance(0.7) && { equipment: [{ id: `s${random.whole(1, 25)}`, name: "Acme Fast" }] }),
    ...(random.chance(0.4) && { course: { id: `c${random.whole(1, 40)}`, name: "River, and back" } }),
  };
}

function makeLog(): DumpRecord[] {
  const random = randomFrom("backup");
  const shoes = Array.from({ length: 25 }, (_, index) => ({
    kind: "equipment",
    id: `s${index + 1}`,
    brandName: "Acme",
    modelName: `Fast ${index}`,
  }));
  const courses = Array.from({ length: 40 }, (_, index) => ({
    kind: "course",
    id: `c${index + 1}`,
    name: `Course ${index}`,
  }));
  return [...shoes, ...courses, ...Array.from({ length: WORKOUTS }, (_, index) => workoutAt(index, random))];
}

function writeDump(path: string, records: readonly DumpRecord[]): void {
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/** Reading back must give what was written. Otherwise its speed means nothing. */
function expectSame(dump: string, back: string): void {
  const [written, read] = [dump, back].map((path) =>
    readFileSync(path, "utf8").trimEnd().split("\n").map(sorted).toSorted(),
  );
  if (JSON.stringify(written) !== JSON.stringify(read))
    throw new Error("Cannot measure: what was read back is not what was written");
}

function sorted(line: string): string {
  const value = JSON.parse(line) as Record<string, unknown>;
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted())
      : one,
  );
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
}

async function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const child = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"], env });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${words.slice(0, 3).join(" ")} ended with ${code}`);
  return out;
}

function restic(folder: string, ...words: readonly string[]): Promise<string> {
  const repository = words.includes("--repo") ? [] : ["--repo", join(folder, "restic")];
  const env = { ...process.env, RESTIC_PASSWORD: "bench", RESTIC_CACHE_DIR: join(folder, "cache"), HOME: folder };
  return run("restic", ["--quiet", ...repository, ...words], env);
}

async function hasRestic(folder: string): Promise<boolean> {
  return resticVersion(folder).then(
    () => true,
    () => false,
  );
}

async function resticVersion(folder: string): Promise<string> {
  const text = await run("restic", ["version"], { ...process.env, HOME: folder });
  return text.split(" ").slice(0, 2).join(" ");
}

if (import.meta.main) {
  const broken = await benchBackup();
  for (const promise of broken) console.log(`BROKEN: ${promise}`);
  process.exitCode = broken.length === 0 ? 0 : 1;
}
