/**
 * The memory of the backups into a repository: the last run, the news that each channel got, and a line about every run for people. It lies
 * beside the journal, because the repository may be on a disk that is not connected.
 */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { writePrivateFile } from "../../pipelines/private-file.ts";
import { printable } from "../../transforms/text/printable.ts";
import { userFolders } from "../arguments/config.ts";
import { EVENTS } from "../arguments/notify-settings.ts";
import { checkedProfile } from "../login/credentials.ts";

const REMEMBERED = z.object({
  lastRun: z
    .object({
      /** ISO 8601, UTC. */
      at: z.string(),
      event: z.enum(EVENTS),
      exitCode: z.number(),
      sentence: z.string(),
    })
    .optional(),
  /** The last news of each channel. */
  told: z.record(z.string(), z.object({ isWell: z.boolean(), at: z.string() })).default({}),
});

/** The contents of the memory. */
export type Remembered = z.infer<typeof REMEMBERED>;

/** The name for the files and the schedule of a profile's backups into a repository: `default-1a2b3c4d`. */
export function scheduleName(profile: string, repository: string): string {
  const mark = createHash("sha256").update(resolve(repository)).digest("hex").slice(0, 8);
  return `${checkedProfile(profile)}-${mark}`;
}

/** The file with one line for each run. */
export function runLogOf(name: string): string {
  return join(userFolders().data, "backups", `${name}.log`);
}

function fileOf(name: string): string {
  return join(userFolders().data, "backups", `${name}.json`);
}

/** The memory under a name. A file that can't be read counts as empty: at worst somebody gets the same news twice. */
export async function remembered(name: string): Promise<Remembered> {
  const text = await readFile(fileOf(name), "utf8").catch(() => "{}");
  try {
    return REMEMBERED.parse(JSON.parse(text));
  } catch {
    return { told: {} };
  }
}

/** Writes the memory. Readers see the old file or the new one, and never a part. @throws Error of the system */
export async function remember(name: string, what: Remembered): Promise<void> {
  await writePrivateFile(fileOf(name), `${JSON.stringify(what, undefined, 1)}\n`);
}

/** The most bytes of a run log. After that a new log begins, and the old one stays beside it. */
const LONGEST_LOG = 500_000;

/** Adds a line to the run log. @throws Error of the system */
export async function logRun(name: string, { at, event, exitCode, sentence }: NonNullable<Remembered["lastRun"]>) {
  const path = runLogOf(name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LONGEST_LOG) await rename(path, `${path}.old`);
  await appendFile(path, `${at} ${event} ${exitCode} ${printable(sentence, 1_000)}\n`, { mode: 0o600 });
}
