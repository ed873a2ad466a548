/** Outlines of tracks, each worked out once as long as there is room to remember it. */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { TooCostly, WorkerThread } from "../../import/worker-thread.ts";
import type { PackedFile } from "../../store/slice.ts";
import type { Outline } from "./outline.ts";
import type { OutlineAnswer, OutlineWork } from "./outline-worker.ts";

/** What one track may cost. */
const TIMEOUT_MS = 20_000;
const MEMORY_MB = 1024;

/** How many outlines are remembered; one takes some 30 kB. */
const REMEMBERED = 200;

/** A track that can't be drawn, and why: ends a sentence about its file. */
export interface NoOutline {
  readonly problem: "holds nothing to draw" | "is too large to draw";
}

// The same extension as this file: `.ts` here, `.js` once built.
const thread = new WorkerThread<OutlineWork, OutlineAnswer>(
  new URL(`outline-worker${extname(import.meta.url)}`, import.meta.url),
  MEMORY_MB,
);

/** By what is in the file, so that a map that was replaced is another one, and nobody gets anything but what they could read. */
const remembered = new Map<string, Promise<Outline | NoOutline>>();

/**
 * The outline of a file.
 *
 * @param recording which of its recordings; undefined for all of it, as a course's map
 * @param unitMetres metres of a kilometre or mile, for the splits
 * @param timeoutMs what it may cost
 * @throws Error when the thread fails: a bug
 */
export async function outlineOfFile(
  file: PackedFile,
  recording: number | undefined,
  unitMetres: number,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Outline | NoOutline> {
  const key = `${createHash("sha256").update(file.packed).digest("hex")} ${recording} ${unitMetres}`;
  const known = remembered.get(key);
  const outline = known ?? workOut({ packed: file.packed, recording, unitMetres }, timeoutMs);
  // The last used is the last to go.
  remembered.delete(key);
  remembered.set(key, outline);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value as string);
  return outline.catch((error) => {
    remembered.delete(key);
    throw error;
  });
}

async function workOut(work: OutlineWork, timeoutMs: number): Promise<Outline | NoOutline> {
  try {
    return (await thread.ask(work, timeoutMs)) ?? { problem: "holds nothing to draw" };
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    return { problem: "is too large to draw" };
  }
}
