/** What stands where a secret stood. */
export const REDACTED = "[redacted]";

/** Replaces every spelling of the secrets in a text. */
export type Redact = (text: string) => string;

/**
 * Takes secrets out of texts. The token travels in the URL, so a server's error page, a `Location` or a library's message
 * can quote it: raw, URL-encoded, escaped as JSON, or in base64. Every text that leaves this folder goes through here.
 *
 * @param secrets the token, a client secret, an authorization code; empty ones are ignored
 */
export function redactor(secrets: readonly string[]): Redact {
  const redact = exactRedactor(secrets);
  return (text) => redact(text.replace(/\b(access_token|client_secret|code)=[^&\s"'<>]+/gi, `$1=${REDACTED}`));
}

/** Takes these secrets out of a text and nothing else: for what a person wrote, where `code=` may mean anything. */
export function exactRedactor(secrets: readonly string[]): Redact {
  const spellings = secrets.filter((secret) => secret !== "").flatMap(spellingsOf);
  // Longest first, so that no spelling is broken by a shorter one inside it.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const spelling of ordered)
      clean = spelling.length < SHORT ? withoutWord(clean, spelling) : clean.replaceAll(spelling, REDACTED);
    return clean;
  };
}

/** A spelling shorter than this may be part of a common word: the token `re` must not turn "refused" into a riddle. */
const SHORT = 8;

/** A text without a short spelling where it stands by itself, with no letter or digit beside it. */
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
