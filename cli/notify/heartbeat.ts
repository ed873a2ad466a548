/**
 * A heartbeat tells a monitor elsewhere that a backup began, succeeded or failed. The monitor warns by itself when it hears nothing. Anyone
 * with the address could silence the monitor, so logferry shows it in no message.
 */
import { request } from "undici";
import { type Heartbeat, heartbeatProblem } from "../arguments/notify-settings.ts";
import { readSecretFile } from "../login/credentials.ts";

/** Longest wait for a monitor's answer, in milliseconds. */
const LONGEST_MS = 10_000;

/** The news for the monitor: a backup began, succeeded or failed. */
export type Beat = "start" | "success" | "fail";

/**
 * Sends a beat.
 *
 * @param body for a POST
 * @param variable the value of LOGFERRY_HEARTBEAT_URL, for a heartbeat without an address of its own
 * @returns the problem, without the address; undefined when the beat was sent
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

/** Only the system's code, because a network message may repeat the address. */
function causeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === "TimeoutError") return `no answer within ${LONGEST_MS / 1000} s`;
  return typeof code === "string" && /^[A-Z_0-9]{1,40}$/.test(code) ? code : "no connection";
}
