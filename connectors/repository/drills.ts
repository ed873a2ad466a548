/**
 * The notes of drills: which snapshot was restored and compared, when, and with which result. They are plain JSON beside the snapshots, and
 * of the log they hold only counts. So monitoring the backups needs no key.
 */
import { join } from "node:path";
import { z } from "zod";
import { makeFolder, namesIn, readBytes, removeFiles, TEMPORARY, writeWhole } from "./files.ts";
import { type Damage, DRILL_FILE, DRILLS, sha256, timeInName } from "./layout.ts";

const COUNT = z.int().min(0);

const DRILL = z.strictObject({
  format: z.literal("logferry-drill"),
  version: z.literal(1),
  /** Time of the drill. */
  time: z.iso.datetime(),
  /** Id and time of the snapshot. */
  snapshot: z.string().regex(/^[0-9a-f]{32,64}$/),
  snapshotTime: z.iso.datetime(),
  logferry: z.string(),
  /** Compared records, and fields that differed from the snapshot. */
  records: COUNT,
  differences: COUNT,
  /** Values that can't be restored, and how often each occurred. */
  notSet: z.record(z.string(), COUNT),
});

/** The result of a drill. If it has no `differences`, it proved its snapshot. */
export type Drill = Readonly<z.infer<typeof DRILL>>;

/** Most notes to keep. With a drill every night, they cover more than three months. */
const MOST_KEPT = 100;

/** Writes the note of a drill, and removes the oldest notes above the limit. The caller holds the lock. */
export async function writeDrill(root: string, drill: Drill): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(drill, undefined, 1)}\n`);
  await makeFolder(join(root, TEMPORARY));
  await makeFolder(join(root, DRILLS));
  await writeWhole(root, `${DRILLS}/${timeInName(drill.time)}-${sha256(bytes)}.json`, bytes);
  const notes = (await namesIn(join(root, DRILLS))).map((name) => `${DRILLS}/${name}`);
  await removeFiles(root, notes.filter((file) => DRILL_FILE.test(file)).slice(0, -MOST_KEPT));
}

/** Reads every readable note, oldest first, and lists the damaged ones. */
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
