/**
 * Repairs XML for a strict parser: leading blanks, control characters and bare ampersands. Each repair is counted. Inside a
 * comment or a CDATA section only control characters are repaired.
 */

/** Cleans the text of one document, chunk by chunk. */
export interface XmlCleaner {
  /** Gives the cleaned text of the next chunk. A token that is cut at its end waits for the next chunk. */
  write(chunk: string): string;
  /** The rest. */
  end(): string;
  /** Characters left out because XML 1.0 has no place for them: NUL and its kin, as they are or as `&#27;`. */
  readonly controlCharacters: number;
  /** Ampersands that don't begin one of XML's own references (`Tom & Jerry`, `&nbsp;`). They are kept as text. */
  readonly bareAmpersands: number;
  /** True once a document type declaration came: the text ends before it. */
  readonly doctype: boolean;
  /** Lines left out at the beginning, so that issues name the right line. */
  readonly skippedLines: number;
}

/** The characters that XML 1.0 forbids in section 2.2, without lone surrogates. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Where the meaning of an ampersand can change. */
const MARK = /&|<[!?]/g;

/** XML's own references. Other references need a document type. */
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#(\d{1,10})|#[xX]([0-9a-fA-F]{1,8}));/y;
const LONGEST_REFERENCE = "&#xFFFFFFFF;".length;

/** The opening and closing marks of parts where ampersands mean nothing. */
const LITERAL = [
  { opens: "<!--", closes: "-->" },
  { opens: "<![CDATA[", closes: "]]>" },
  { opens: "<?", closes: "?>" },
];
const DOCTYPE = "<!DOCTYPE";
const OPENINGS = [...LITERAL.map((part) => part.opens), DOCTYPE];

/** Makes a cleaner for one document. It is linear in the length of the text, for any cut into chunks. */
export function xmlCleaner(): XmlCleaner {
  let held = "";
  let begun = false;
  let ended = false;
  /** The mark that closes the current literal part. */
  let closes: string | undefined;
  let controlCharacters = 0;
  let bareAmpersands = 0;
  let doctype = false;
  let skippedLines = 0;

  function withoutForbidden(chunk: string): string {
    const text = chunk.isWellFormed() ? chunk : chunk.toWellFormed();
    if (text.search(FORBIDDEN) === -1) return text;
    return text.replace(FORBIDDEN, () => {
      controlCharacters++;
      return "";
    });
  }

  /** Strava writes ten blanks before `<?xml`. Others write a byte order mark and a newline (corpus tcx_strava_leading_spaces). */
  function withoutLead(text: string): string {
    const trimmed = text.replace(/^[\s\ufeff]+/, "");
    for (const character of text.slice(0, text.length - trimmed.length)) if (character === "\n") skippedLines++;
    begun = trimmed !== "";
    return trimmed;
  }

  function clean(whole: string, last: boolean): string {
    let text = whole;
    const chunks: string[] = [];
    let from = 0;
    let at = 0;
    while (at < text.length) {
      if (closes !== undefined) {
        const end = text.indexOf(closes, at);
        if (end === -1) {
          const cut = last ? text.length : Math.max(at, text.length - closes.length + 1);
          held = text.slice(cut);
          text = text.slice(0, cut);
          break;
        }
        at = end + closes.length;
        closes = undefined;
        continue;
      }
      MARK.lastIndex = at;
      const mark = MARK.exec(text);
      if (mark === null) break;
      at = mark.index;
      if (text[at] === "<") {
        const literal = LITERAL.find((part) => text.startsWith(part.opens, at));
        if (literal === undefined && text.slice(at, at + DOCTYPE.length).toUpperCase() === DOCTYPE) {
          doctype = true;
          text = text.slice(0, at);
          break;
        }
        closes = literal?.closes;
        at += literal?.opens.length ?? 2;
        continue;
      }
      REFERENCE.lastIndex = at;
      const reference = REFERENCE.exec(text);
      if (reference === null) bareAmpersands++;
      const instead = reference === null ? "&amp;" : plainOf(reference);
      const length = reference === null ? 1 : reference[0].length;
      if (instead === "") controlCharacters++;
      if (instead !== undefined) {
        chunks.push(text.slice(from, at), instead);
        from = at + length;
      }
      at += length;
    }
    return chunks.length === 0 ? text : chunks.join("") + text.slice(from);
  }

  return {
    write(chunk) {
      if (ended || doctype) return "";
      let text = held + withoutForbidden(chunk);
      held = "";
      if (!begun) text = withoutLead(text);
      const tail = tailStart(text);
      const ready = clean(text.slice(0, tail), false);
      held = doctype ? "" : held + text.slice(tail);
      return ready;
    },
    end() {
      if (ended || doctype) return "";
      ended = true;
      const rest = held;
      held = "";
      return clean(rest, true);
    },
    get controlCharacters() {
      return controlCharacters;
    },
    get bareAmpersands() {
      return bareAmpersands;
    },
    get doctype() {
      return doctype;
    },
    get skippedLines() {
      return skippedLines;
    },
  };
}

/** The place where the end of a chunk may have cut a token: an opening or a reference. */
function tailStart(text: string): number {
  const end = text.slice(-LONGEST_REFERENCE);
  const mark = Math.max(end.lastIndexOf("<"), end.lastIndexOf("&"));
  if (mark === -1) return text.length;
  const tail = end.slice(mark);
  return isCutReference(tail) || isCutOpening(tail) ? text.length - tail.length : text.length;
}

function isCutReference(tail: string): boolean {
  return tail.startsWith("&") && tail.length < LONGEST_REFERENCE && !tail.includes(";");
}

function isCutOpening(tail: string): boolean {
  const upper = tail.toUpperCase();
  return OPENINGS.some((opening) => opening.length > tail.length && opening.startsWith(upper));
}

/**
 * The replacement of a reference to a character: the character if that is safe, `""` if XML forbids it. Undefined if the
 * reference stays (the five named ones, markup and blanks). A million references would cost the parser 90 ms a MB.
 */
function plainOf(reference: RegExpExecArray): string | undefined {
  const [, decimal, hex] = reference;
  if (decimal === undefined && hex === undefined) return undefined;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10);
  const isBlank = code === 9 || code === 10 || code === 13 || code === 32;
  if (isBlank) return undefined;
  const isCharacter =
    (code > 32 && code < 0xd800) || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
  if (!isCharacter) return "";
  const character = String.fromCodePoint(code);
  return "<>&\"']".includes(character) ? undefined : character;
}
