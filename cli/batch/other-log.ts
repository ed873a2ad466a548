/**
 * Tells whether a load opens the log of its check. A token may tell nothing of its owner. Then another token at the load may open another person's log:
 * two token files changed places, or a store of secrets was mended in between.
 */
import { hash } from "node:crypto";
import { NAMELESS } from "../../pipelines/log/log-view.ts";
import type { LogSession } from "../session/session.ts";

/** Whether the token of the check had this hash. @param tokenHash the SHA-256 of a token, in hexadecimal */
export type IsTokenOfCheck = (tokenHash: string) => boolean;

/** The hash of a token by which two are compared. */
export function hashOfToken(token: string): string {
  return hash("sha256", token);
}

/**
 * Why nothing may be loaded; undefined for a log that its token names, for the token of the check, and for a log with a record that the journal knows.
 *
 * @param isTokenOfCheck undefined where the check opened no log
 * @throws as the first page of the log's list does
 */
export async function whyOtherLog(
  { view, journal, signal }: Pick<LogSession, "view" | "journal" | "signal">,
  token: string,
  isTokenOfCheck: IsTokenOfCheck | undefined,
): Promise<string | undefined> {
  if (view.account.name !== NAMELESS || (isTokenOfCheck?.(hashOfToken(token)) ?? true)) return undefined;
  const { entries } = (await view.page?.(0, signal)) ?? { entries: [] };
  if (entries.length > (await journal.strangersAmong(entries)).length) return undefined;
  return OTHER_TOKEN;
}

const OTHER_TOKEN =
  "the access token is not the one of the check, neither tells whose log it opens, and nothing in this log was there at the check. Nothing was sent. Look whose token it is, then run the same batch again";
