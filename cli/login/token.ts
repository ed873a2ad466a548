/** The form of an access token. */
import { UsageError } from "../errors/exit-codes.ts";

/** "Access token length: at most 32 characters"; printable, without blanks. */
const TOKEN = /^[\x21-\x7e]{1,32}$/;

/**
 * The token without surrounding blanks.
 *
 * @throws UsageError when it can't be a token; the message doesn't contain it
 */
export function checkedToken(text: string): string {
  const token = text.trim();
  if (!TOKEN.test(token))
    throw new UsageError("Cannot use the access token: expected 1 to 32 printable characters without blanks");
  return token;
}
