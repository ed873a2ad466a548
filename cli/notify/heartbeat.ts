/**
 * A heartbeat: a monitor elsewhere is told that a backup began, went well or failed, and warns by itself when it hears nothing. Its
 * address is all it takes to silence it, so it stands in no message.
 */
import { request } from "undici";
import { type Heartbeat, heartbeatProblem } from "../arguments/notify-settings.ts";
import { readSecretFile } from "../login/credentials.ts";

/** Longest wait for a monitor's answer, in milliseconds. */
const LONGEST_MS = 10_000;

/** What is told: a backup began, went well, or didn't. */
export type Beat = "start" | "success" | "fail";

/**
 * Sends a beat.
 *
 * @param body for a POST
 * @param variable the value of LOGFERRY_HEARTBEAT_URL, for a heartbeat without an address of its own
 * @returns what went wrong, without the address
 */
export async function sendBeat(
  spec: Heartbeat,
  beat: Beat,
  body: string,
  variable: string | undefined,
): Promise<string | undefined> {
  const address = spec.url ?? (spec["url-file"] === undefined ? variable : await readSecretFile(spec["url-file"]));
  if (address === undefined) return "it has no address: set url, url-file or LOGFERRY_HEARTBEAT_URL";
  const problem = heartbeatProblem(address);
  if (problem !== undefined) return `its address can't be used: ${problem}`;
  const url = new URL(address);
  if (beat !== "success") url.pathname = `${url.pathname.replace(/\/$/, "")}/${beat}`;
  try {
    const answer = await request(url, {
      method: spec.method,
      headers: {
        "user-agent": "logferry",
        ...(spec.method === "POST" && { "content-type": "text/plain; charset=utf-8" }),
      },
      ...(spec.method === "POST" && { body }),
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    await answer.body.dump();
    return answer.statusCode >= 200 && answer.statusCode < 300 ? undefined : `it answered ${answer.statusCode}`;
  } catch (error) {
    return `it can't be reached (${causeOf(error)})`;
  }
}

/** The system's code alone: messages of the network may repeat an address. */
function causeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === "TimeoutError") return `no answer within ${LONGEST_MS / 1000} s`;
  return typeof code === "string" && /^[A-Z_0-9]{1,40}$/.test(code) ? code : "no connection";
}
