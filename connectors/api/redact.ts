/** The text that replaces a secret. */
export const REDACTED = "[redacted]";

/** Replaces every spelling of the secrets in a text. */
export type Redact = (text: string) => string;

/**
 * Removes secrets from texts. The token travels in the URL, so a server's error page, a `Location` or a library's message can quote it:
 * raw, URL-encoded, escaped as JSON, or in base64. Every text that leaves this folder goes through here.
 *
 * @param secrets the token, a client secret, an authorization code; empty ones are ignored
 */
export function redactor(secrets: readonly string[]): Redact {
  const redact = exactRedactor(secrets);
  return (text) => redact(text.replace(/\b(access_token|client_secret|code)=[^&\s"'<>]+/gi, `$1=${REDACTED}`));
}

/** Removes only these secrets from a text. It suits texts that a person wrote, where `code=` may mean anything. */
export function exactRedactor(secrets: readonly string[]): Redact {
  const spellings = secrets.filter((secret) => secret !== "").flatMap(spellingsOf);
  // The longest comes first, so that a shorter spelling inside it can't break it.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  const shortest = ordered.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  return (text) => {
    // Most names and values of an answer are shorter than any token.
    if (text.length < shortest) return text;
    let clean = text;
    for (const spelling of ordered)
      clean = spelling.length < SHORT ? withoutWord(clean, spelling) : clean.replaceAll(spelling, REDACTED);
    return clean;
  };
}

/** A shorter spelling may be part of a common word: the token `re` must not turn "refused" into a riddle. */
const SHORT = 8;

/** Removes a short spelling from a text if it stands alone, with no letter or digit beside it. */
function withoutWord(text: string, spelling: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + 1)) {
    const after = at + spelling.length;
    if (at < from || isOfWord(text[at - 1]) || isOfWord(text[after])) continue;
    parts.push(text.slice(from, at), REDACTED);
    from = after;
  }
  return parts.join("") + text.slice(from);
}

function isOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    encoded,
    encoded.toLowerCase(),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString("base64"),
    bytes.toString("base64").replaceAll("=", ""),
    bytes.toString("base64url"),
  ];
}
