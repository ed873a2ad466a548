/**
 * Puts a file to an address of object storage, such as one that was signed in advance for it. Everybody with the whole address may write there, so it
 * appears in no message.
 */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Agent, request } from "undici";

/** Milliseconds that a try may take, and the waits before the next ones. */
const LIMITS = { tryMs: 60_000, waitsMs: [1_000, 2_000, 4_000] } as const;

/** Answers after which the same request may succeed: too slow, too many, and failures of the server. */
const isForLater = (status: number) => status === 408 || status === 429 || status >= 500;

/** What is put, and how to wait. */
export interface FileToPut {
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  /** Ends the tries. */
  readonly signal: AbortSignal;
  /** Waits, and rejects once the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Puts a file. A try that fails is repeated three times, as storage keeps one file for one address. A redirect is not followed: it may lead the file to
 * anybody.
 *
 * @param address `https://`, or of this machine; the caller has checked it
 * @returns the problem in a few words, without any part of the address; undefined once the file is there
 */
export async function putFile(address: string, file: FileToPut): Promise<string | undefined> {
  const agent = new Agent({ connect: { rejectUnauthorized: true } });
  try {
    for (let tried = 0; ; tried++) {
      const { problem, isOver } = await tryToPut(agent, address, file);
      const waitMs = LIMITS.waitsMs[tried];
      if (isOver || waitMs === undefined) return problem;
      if (file.signal.aborted) return "stopped before it was there";
      await file.sleep(waitMs, file.signal).catch(() => undefined);
    }
  } finally {
    await agent.destroy();
  }
}

async function tryToPut(
  dispatcher: Agent,
  address: string,
  { path, type, signal }: FileToPut,
): Promise<{ readonly problem?: string; readonly isOver: boolean }> {
  try {
    const { size } = await stat(path);
    const answer = await request(address, {
      dispatcher,
      method: "PUT",
      // Storage refuses a body of unknown length.
      headers: { "user-agent": "logferry", "content-type": type, "content-length": String(size) },
      body: createReadStream(path),
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMITS.tryMs)]),
    });
    await answer.body.dump();
    const { statusCode } = answer;
    if (statusCode >= 200 && statusCode < 300) return { isOver: true };
    const isRedirect = statusCode >= 300 && statusCode < 400;
    const problem = `its address answered ${statusCode}${isRedirect ? ", and logferry follows no redirect there" : ""}`;
    return { problem, isOver: !isForLater(statusCode) };
  } catch (error) {
    return { problem: `its address can't be reached (${causeOf(error)})`, isOver: false };
  }
}

/** Only the system's code, because a network message may repeat the address. */
function causeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === "TimeoutError") return `no answer within ${LIMITS.tryMs / 1000} s`;
  return typeof code === "string" && /^[A-Z_0-9]{1,40}$/.test(code) ? code : "no connection";
}
