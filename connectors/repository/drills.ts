/**
 * Notes of drills: which snapshot was restored and compared, when, and with what result. Plain JSON beside the snapshots, with nothing of
 * the log in it but counts, so that whoever watches over the backups needs no key.
 */
import { join } from "node:path";
import { z } from "zod";
import { makeFolder, namesIn, readBytes, removeFiles, TEMPORARY, writeWhole } from "./files.ts";
import { type Damage, DRILL_FILE, DRILLS, sha256, timeInName } from "./layout.ts";

const COUNT = z.int().min(0);

const DRILL = z.strictObject({
  format: z.literal("logferry-drill"),
  version: z.literal(1),
  /** When it was drilled. */
  time: z.iso.datetime(),
  /** Id of the snapshot, and when that was made. */
  snapshot: z.string().regex(/^[0-9a-f]{32,64}$/),
  snapshotTime: z.iso.datetime(),
  logferry: z.string(),
  /** Records that were compared, and fields of them that were not as in the snapshot. */
  records: COUNT,
  differences: COUNT,
  /** What can't be put back, how often each was met. */
  notSet: z.record(z.string(), COUNT),
});

/** What a drill found. It proved its snapshot where there are no `differences`. */
export type Drill = Readonly<z.infer<typeof DRILL>>;

/** Notes that are kept; with a drill every night, more than three months. */
const MOST_KEPT = 100;

/** Writes the note of a drill, and takes the oldest away where there are many. Whoever writes holds the lock. */
export async function writeDrill(root: string, drill: Drill): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(drill, undefined, 1)}\n`);
  await makeFolder(join(root, TEMPORARY));
  await makeFolder(join(root, DRILLS));
  await writeWhole(root, `${DRILLS}/${timeInName(drill.time)}-${sha256(bytes)}.json`, bytes);
  const notes = (await namesIn(join(root, DRILLS))).map((name) => `${DRILLS}/${name}`);
  await removeFiles(root, notes.filter((file) => DRILL_FILE.test(file)).slice(0, -MOST_KEPT));
}

/** Every note that can be read, oldest first, and what is damaged among them. */
export async function readDrills(
  root: string,
): Promise<{ readonly drills: readonly Drill[]; readonly damaged: readonly Damage[] }> {
  const drills: Drill[] = [];
  const damaged: Damage[] = [];
  for (const name of await namesIn(join(root, DRILLS))) {
    const file = `${DRILLS}/${name}`;
    const bytes = await readBytes(root, file);
    if (bytes === undefined) continue;
    const read = drillOf(file, bytes);
    if (typeof read === "string") damaged.push({ file, found: read });
    else drills.push(read);
  }
  return { drills: drills.toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time)), damaged };
}

function drillOf(file: string, bytes: Buffer): Drill | string {
  const [, time, hash] = DRILL_FILE.exec(file) ?? [];
  if (time === undefined) return "is no name of a note of a drill";
  if (sha256(bytes) !== hash) return "differs from its checksum";
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return "is no JSON";
  }
  const { data } = DRILL.safeParse(value);
  if (data === undefined) return "is no note of a drill that this version of logferry can read";
  return timeInName(data.time) === time ? data : `is named for another time than ${data.time}`;
}
