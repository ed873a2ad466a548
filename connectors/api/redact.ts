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
  const spellings = secrets.filter((secret) => secret !== "").flatMap(spellingsOf);
  // Longest first, so that no spelling is broken by a shorter one inside it.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text.replace(/\b(access_token|client_secret|code)=[^&\s"'<>]+/gi, `$1=${REDACTED}`);
    for (const spelling of ordered) clean = clean.replaceAll(spelling, REDACTED);
    return clean;
  };
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
