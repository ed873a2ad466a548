/** Outlines of tracks. Each is computed once, and remembered while there is room. */
import { createHash } from "node:crypto";
import { extname } from "node:path";
import { TooCostly, WorkerThread } from "../../import/worker-thread.ts";
import type { PackedFile } from "../../store/slice.ts";
import type { Outline } from "./outline.ts";
import type { OutlineAnswer, OutlineWork } from "./outline-worker.ts";

/** Time limit for one track. */
const TIMEOUT_MS = 20_000;
const MEMORY_MB = 1024;

/** The number of remembered outlines. Each takes some 30 kB. */
const REMEMBERED = 200;

/** A track that can't be drawn, with the reason. The reason ends a sentence about its file. */
export interface NoOutline {
  readonly problem: "holds nothing to draw" | "is too large to draw";
}

// The same extension as this file: `.ts` here, `.js` once built.
const thread = new WorkerThread<OutlineWork, OutlineAnswer>(
  new URL(`outline-worker${extname(import.meta.url)}`, import.meta.url),
  MEMORY_MB,
);

/** The key depends on the file's content. So a replaced map gets a new outline, and users only get outlines of files that they can read. */
const remembered = new Map<string, Promise<Outline | NoOutline>>();

/**
 * The outline of a file.
 * @param recording which of its recordings; undefined for all of it, as a course's map
 * @param unitMetres metres of a kilometre or mile, for the splits
 * @param timeoutMs the time limit
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
  // The most recently used outline moves to the end, so it is forgotten last.
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
