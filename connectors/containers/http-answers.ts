/** Reads one HTTP answer of a file behind an address: its bytes, the part it says it is, and the reason why it failed, in words. */
import type { Dispatcher } from "undici";

/** One answer. */
export interface Answer {
  /** 0 for a connection that failed before an answer. */
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  /** Its bytes, or those that came before it failed. */
  readonly body: Buffer;
  /** The reason why it is not whole, in words. */
  readonly failure?: string;
  readonly tookMs: number;
}

/** Failed connections, in words, by the code of the error. */
const FAILURES: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/, "its server ended the connection before the answer was complete"],
  [/^(UND_ERR_\w*TIMEOUT|ETIMEDOUT)$/, "its server doesn't answer in time"],
  [/^ECONNREFUSED$/, "nobody answers at its address"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "the name of its server can't be found; check the address and your network"],
  [/^CERT_HAS_EXPIRED$/, "the certificate of its server has expired"],
  [/^CERT_NOT_YET_VALID$/, "the certificate of its server is not valid yet, or this computer's clock is wrong"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "the certificate of its server is for another host"],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    "this computer does not trust the authority that signed the certificate of its server",
  ],
];

/** What a person does about a certificate that this computer doesn't accept. Another try would meet the same certificate. */
const REMEDIES: readonly (readonly [code: RegExp, words: string])[] = [
  [/^CERT_HAS_EXPIRED$/, "Ask whoever runs the server to renew it"],
  [/^CERT_NOT_YET_VALID$/, "Check the date and time of this computer"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "Check the address"],
  [
    /^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    "If you trust that authority, name the file with its certificate in NODE_EXTRA_CA_CERTS",
  ],
];

/** What to do about a failed connection that would fail again; undefined if another try may help. */
export function remedyOf(error: unknown): string | undefined {
  const { code = "" } = error as NodeJS.ErrnoException;
  return REMEDIES.find(([theirs]) => theirs.test(code))?.[1];
}

/** Codes that only undici has. They tell a person no more than the words. */
const INNER_CODES = /^UND_ERR_/;

/**
 * The reason for a failed connection. The error's own text may have the address, so only its code is used: in words, and small at the end
 * where a person can look it up.
 */
export function wordsOf(error: unknown): string {
  const { code = "no answer" } = error as NodeJS.ErrnoException;
  const words = FAILURES.find(([theirs]) => theirs.test(code))?.[1];
  if (words !== undefined && INNER_CODES.test(code)) return words;
  return `${words ?? "its server can't be reached"} (${code})`;
}

/** An answer that is slower than this after a minute counts as failed. Else a byte now and then would keep a command for days. */
const SLOW = { afterMs: 60_000, bytesPerSecond: 1_000 } as const;

/**
 * Reads at most `most` bytes. A server may send more than it was asked for.
 *
 * @param now milliseconds of any clock
 * @returns the bytes, and the reason if they ended early. The bytes before it are good
 */
export async function bodyOf(
  body: Dispatcher.ResponseData["body"],
  most: number,
  now: () => number,
): Promise<Pick<Answer, "body" | "failure">> {
  const chunks: Buffer[] = [];
  const startedAt = now();
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > most) break;
      chunks.push(chunk);
      const ms = now() - startedAt;
      if (length < most && ms > SLOW.afterMs && (length * 1000) / ms < SLOW.bytesPerSecond)
        return { body: Buffer.concat(chunks), failure: "its server sends less than 1 kB a second" };
    }
  } catch (error) {
    return { body: Buffer.concat(chunks), failure: wordsOf(error) };
  }
  return { body: Buffer.concat(chunks) };
}

/** The part in an answer, its first and its last byte. */
export function rangeOf(headers: Answer["headers"]) {
  const found = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(textOf(headers["content-range"]) ?? "");
  return found === null ? undefined : { from: Number(found[1]), to: Number(found[2]), total: Number(found[3]) };
}

/**
 * The wait that the server asks for, in milliseconds.
 *
 * @param now milliseconds since 1970, since a server may name the time at which the wait ends
 */
export function waitOf({ headers }: Answer, now: number): number | undefined {
  const text = textOf(headers["retry-after"]) ?? "";
  if (/^\d{1,8}$/.test(text)) return Number(text) * 1000;
  const until = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, until - now);
}

/** A time on the clock of this computer: `14:05`, and on another day than today `2026-05-04 14:05`. */
export function clockTime(time: number, now: number): string {
  const [day, clock] = [time, now].map((ms) => new Date(ms).toLocaleString("sv-SE").slice(0, 16).split(" "));
  return day?.[0] === clock?.[0] ? (day?.[1] ?? "") : (day?.join(" ") ?? "");
}

/** The text of a header. */
export function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
