/**
 * What a stranger may have made to do harm, and what is said of it: the rows of docs/hostile-inputs.md. `test/hostile/rows.test.ts` holds that
 * each is the title of a test.
 */

/** One row. */
export interface HostileRow {
  /** Its name, with which the titles of its tests begin. */
  readonly row: string;
  readonly given: string;
  readonly comes: string;
}

/** The rows by part of the page. */
export const HOSTILE_ROWS: Readonly<Record<string, readonly HostileRow[]>> = {
  Archives: [
    {
      row: "Z1",
      given: "`../x.fit`, `/x`, `C:\\`, `\\\\srv\\x`, `~`, `CON`, a name that ends in a blank",
      comes: "`archive/unsafe-name`; no name of an archive is ever used as a path",
    },
    {
      row: "Z2",
      given: "NUL, ESC, marks of direction or no UTF-8 in a name",
      comes: "`archive/bad-name`, shown spelt out",
    },
    { row: "Z3", given: "links, devices, pipes, in a zip or a folder", comes: "`archive/link`; not followed" },
    { row: "Z4", given: "1,000 bytes out of one", comes: "`archive/ratio`; `--max-ratio` lets it in" },
    {
      row: "Z5",
      given: "entries that share bytes",
      comes: "`archive/overlap`; unpack it and name the folder, if you trust it",
    },
    { row: "Z6", given: "zips more than two deep in others", comes: "`archive/nested`; `--nested` opens more" },
    {
      row: "Z7",
      given: "wrong checksums and sizes, passwords, unknown packings, parts, two ends, a cut",
      comes:
        "`archive/crc`, `size`, `truncated`, `encrypted`, `method`, `multi-disk`, `ambiguous`; a zip that can't be listed ends with exit code 5",
    },
    {
      row: "Z8",
      given: "100,001 files, 60,000 empty ones, a comment of 64 KiB",
      comes: "`archive/too-many-entries`; a moment",
    },
    { row: "Z9", given: "an entry whose own header and the list of files differ", comes: "`archive/header`" },
    { row: "Z10", given: "one name twice", comes: "both are read; `archive/duplicate-name` says under which name" },
    {
      row: "Z11",
      given: "gzip of several members, with a tail, with a path in it, a bomb",
      comes: "read; `gzip/trailing-bytes`, `gzip/damaged`, `archive/ratio`",
    },
  ],
  "GPX, TCX and other XML": [
    { row: "X1", given: "any document type: entities, files, servers", comes: "`xml/doctype`" },
    {
      row: "X2",
      given: "depth, attributes, namespaces, tag soup, entities without end",
      comes: "`xml/depth`, `xml/attributes`, `xml/not-well-formed`, in time by the byte",
    },
    {
      row: "X3",
      given: "a file that stops within a point",
      comes: "`xml/truncated` with the line; the points before are kept",
    },
    {
      row: "X4",
      given: "UTF-16, Latin-1, declared wrong or not at all, a NUL or ESC",
      comes: "read as what it is; `text/not-utf-8`, `xml/control-characters` with their number",
    },
    {
      row: "X5",
      given: "positions off the globe, numbers that are none, times that go back",
      comes: "the value is left out, named and counted; the run stays",
    },
    {
      row: "X6",
      given: "KML called GPX, other versions, prefixes, a web page",
      comes: "told by what is in it; else `device-file/unknown-format` says what it looks like",
    },
  ],
  FIT: [
    {
      row: "F1",
      given: "headers and sizes that lie, wrong checksums",
      comes: "`fit/bad-header`, `unfinished`, `truncated`, `crc-mismatch`; what is whole is kept",
    },
    {
      row: "F2",
      given: "definitions that can't be, or are missing",
      comes: "`fit/undefined-message`, `fit/bad-definition` with the byte; odd fields cost nothing but themselves",
    },
    { row: "F3", given: "millions of messages without fields", comes: "`fit/too-many-messages`" },
    {
      row: "F4",
      given: "files behind one another, bytes behind the last",
      comes: "each is read; `fit/trailing-bytes`, `fit/too-many-files`",
    },
    { row: "F5", given: "values that stand for none, several sports", comes: "as the protocol has it" },
  ],
  "Spreadsheets and JSON": [
    {
      row: "C1",
      given: "a quote that is never closed",
      comes:
        "`csv/open-quote` with its line where the lines below are rows, which are read (ten times a file); else `csv/unclosed-quote` with the line it was opened on",
    },
    {
      row: "C2",
      given: "millions of columns, endless rows, NUL, any line ends, `__proto__` as a header",
      comes:
        "`csv/too-many-columns`, `csv/record-too-long`; `csv/nul-block` for several NULs in a row, while a single one is left out; the rows around are read",
    },
    {
      row: "C3",
      given: "days and numbers that could be two things",
      comes: "`csv/bad-date` and its kin; the mapping must say, nothing is guessed",
    },
    {
      row: "W1",
      given: "formulas in a workbook",
      comes: "never run; the stored value counts, `sheet/formula-without-value` where there is none",
    },
    { row: "W2", given: "links out of a workbook", comes: "never fetched" },
    {
      row: "W3",
      given: "16,384 columns",
      comes: "`sheet/too-many-columns` with the row; cells without a value are no columns",
    },
    {
      row: "W4",
      given: "merged cells over a million rows, a million empty rows, a row that repeats itself",
      comes: "nothing to read; `sheet/repeated-row`",
    },
    { row: "W5", given: "a cell of 30 MB", comes: "`sheet/cell-too-long` with the row; the rows around are read" },
    { row: "W6", given: "a bomb, entities within entities", comes: "`archive/ratio`, `xml/doctype`" },
    {
      row: "W7",
      given: "wrong indexes, missing texts, a cut sheet, a cut workbook",
      comes: "`sheet/bad-cell`, `cell-order`, `row-order`, `cut` with the row; `workbook/damaged`",
    },
    {
      row: "W8",
      given: "a password, .xls, Numbers, a zip that is no workbook",
      comes: "`workbook/encrypted`, `old-format`, `not-a-workbook`, with what to do",
    },
    { row: "J1", given: "`__proto__` and `constructor` as members", comes: "plain data" },
    {
      row: "J2",
      given: "depth, endless numbers, ids of 20 digits, half surrogates, members twice",
      comes: "refused or read with every digit; half a character is U+FFFD, with a remark",
    },
    {
      row: "R1",
      given: "64 kB of what is worst for a pattern of ours",
      comes: "less than a fixed piece of work, about 20 ms",
    },
  ],
  "What we write and show": [
    {
      row: "E1",
      given: "notes that a spreadsheet would run",
      comes: "an apostrophe in front; `--raw-csv` leaves them",
    },
    { row: "E2", given: "markup in names and notes", comes: "text, in GPX and in the report" },
    { row: "T1", given: "names that drive a terminal, or fill it", comes: "spelt out and cut, in JSON too" },
    { row: "T2", given: "no terminal, a narrow one", comes: "plain lines; nothing wider than it is" },
    {
      row: "P2",
      given: "a link, a file or somebody's files where an export should go",
      comes: "refused; no half export has the final name",
    },
  ],
  "The log and the way to it": [
    {
      row: "N1",
      given: "addresses that are not https, hold a password, or lead elsewhere",
      comes: "refused, without repeating them",
    },
    { row: "N2", given: "a redirect", comes: "not followed; the token stays" },
    {
      row: "N3",
      given: "a web page that reaches the port of a login",
      comes: "turned away by its name and its origin",
    },
    { row: "N4", given: "an address for the service to fetch", comes: "it fetches none" },
    {
      row: "N5",
      given: "certificates nobody signed, TLS 1.1, `NODE_TLS_REJECT_UNAUTHORIZED=0`",
      comes: "refused all the same",
    },
    { row: "N6", given: "`HTTP_PROXY` and its kin", comes: "not looked at" },
    {
      row: "B2",
      given: "libraries with known holes",
      comes: "the oldest versions allowed are in [dependencies](dependencies.md)",
    },
  ],
  Secrets: [
    { row: "S1", given: "a stored login that others can read", comes: "refused with the command that mends it" },
    { row: "S2", given: "a link in its place", comes: "refused" },
    { row: "S3", given: "a system keyring, or one that refuses", comes: "used; a refusal is told" },
    { row: "S4", given: "secrets on a command line", comes: "there is no such option" },
    { row: "S5", given: "everything a login prints and writes", comes: "the token is in its store alone" },
    { row: "S6", given: "a secret, encoded in any way", comes: "redacted" },
    { row: "S9", given: "an address with a secret in it", comes: "shown without it" },
    { row: "S10", given: "errors of the libraries, with all they hold", comes: "no token in them" },
    { row: "S12", given: "a kill while a login is stored", comes: "the old one or the new one" },
    { row: "S13", given: "a generous umask", comes: "its owner's alone all the same" },
  ],
};

/** The rows as they stand on the page. */
export function hostileTables(): string[] {
  return Object.entries(HOSTILE_ROWS).flatMap(([part, rows], at) => [
    ...(at === 0 ? [] : [""]),
    `## ${part}`,
    "",
    "| | what is given | what comes of it |",
    "|---|---|---|",
    ...rows.map(({ row, given, comes }) => `| ${row} | ${given} | ${comes} |`),
  ]);
}
