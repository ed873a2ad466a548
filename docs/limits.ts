/** Every limit on what strangers' files and answers may cost: the rows of docs/limits.md. `test/caps.test.ts` tries each at its edge. */
import { CONFIG_BYTES } from "../cli/arguments/config-file.ts";
import { kebab, type OptionName } from "../cli/arguments/options.ts";
import { LOGIN_BYTES } from "../cli/login/credentials.ts";
import { DEEPEST_JSON } from "../connectors/api/json.ts";
import { LISTING_CAPS } from "../connectors/api/listing.ts";
import { ANSWER_CAPS } from "../connectors/api/request.ts";
import { CAPS, NESTED_CAPS } from "../connectors/containers/options.ts";
import { sizeInWords } from "../connectors/containers/sizes.ts";
import { CSV_CAPS } from "../connectors/formats/csv/read.ts";
import { DEVICE_FILE_BYTES } from "../connectors/formats/device-file.ts";
import { MOST_BEATS, MOST_LAPS } from "../connectors/formats/fit/facts.ts";
import { FIT_CAPS } from "../connectors/formats/fit/structure.ts";
import { GZIP_CAPS } from "../connectors/formats/gzip.ts";
import { KML_BYTES, KML_TAGS } from "../connectors/formats/kml/decode.ts";
import { SHEET_CAPS } from "../connectors/formats/sheets/sheet.ts";
import { TRACK_CAPS } from "../connectors/formats/xml/track.ts";
import { MAPPING_BYTES } from "../connectors/platforms/csv/limits.ts";
import { PATTERN_STEPS } from "../connectors/platforms/table/mapping/limits.ts";
import { LONGEST, MAX_BODY_BYTES, MOST_FLAGS, MOST_IN_A_BODY, MOST_INTERVALS } from "../service/gaps.ts";
import { grouped } from "../transforms/text/grouped.ts";

/** One limit. */
export interface LimitRow {
  /** Its name here and in the test. */
  readonly id: string;
  readonly of: string;
  readonly value: number;
  /** What the number counts; bytes where left out. */
  readonly unit?: string;
  /** The rule that what goes beyond it is told by. */
  readonly rule: string;
  /** The option that changes it, where one does. */
  readonly option?: OptionName;
}

export const LIMIT_ROWS: readonly LimitRow[] = [
  { id: "archive", of: "a zip on the disk", value: CAPS.archiveBytes, rule: "archive/too-large", option: "maxArchive" },
  {
    id: "entries",
    of: "files in an archive, those of zips in it included",
    value: CAPS.entries,
    unit: "files",
    rule: "archive/too-many-entries",
    option: "maxEntries",
  },
  {
    id: "directory",
    of: "the list of files of a zip",
    value: CAPS.centralDirectoryBytes,
    rule: "archive/directory-too-large",
  },
  { id: "name", of: "a path in an archive", value: CAPS.nameBytes, rule: "archive/name-too-long" },
  { id: "segment", of: "one name in such a path", value: CAPS.segmentBytes, rule: "archive/name-too-long" },
  {
    id: "entry",
    of: "a file of an archive, unpacked",
    value: CAPS.entryBytes,
    rule: "archive/too-large",
    option: "maxEntry",
  },
  {
    id: "streamed",
    of: "a spreadsheet, unpacked: it is read in chunks",
    value: CAPS.streamedBytes,
    rule: "archive/too-large",
    option: "maxEntry",
  },
  {
    id: "unpacked",
    of: "all that is unpacked of an archive",
    value: CAPS.unpackedBytes,
    rule: "archive/unpacked",
    option: "maxUnpacked",
  },
  {
    id: "ratio",
    of: "what a file unpacks to, past its first MiB",
    value: CAPS.ratio,
    unit: "times its packed size",
    rule: "archive/ratio",
    option: "maxRatio",
  },
  {
    id: "nesting",
    of: "zips within a zip",
    value: CAPS.nesting,
    unit: "levels",
    rule: "archive/nested",
    option: "nested",
  },
  {
    id: "spooled",
    of: "packed zips within an archive, unpacked to the folder for temporary files",
    value: NESTED_CAPS.spooledBytes,
    rule: "archive/too-large",
  },
  {
    id: "gzip",
    of: "a file packed by gzip that is no archive's, unpacked",
    value: GZIP_CAPS.contentBytes,
    rule: "archive/too-large",
  },
  {
    id: "device-file",
    of: "a FIT, GPX or TCX file",
    value: DEVICE_FILE_BYTES,
    rule: "device-file/too-large",
    option: "maxEntry",
  },
  {
    id: "fit-messages",
    of: "messages of a FIT file",
    value: FIT_CAPS.messages,
    unit: "messages",
    rule: "fit/too-many-messages",
  },
  { id: "fit-bytes", of: "a FIT file", value: FIT_CAPS.bytes, rule: "fit/too-large", option: "maxEntry" },
  {
    id: "fit-sessions",
    of: "sessions of a FIT file",
    value: FIT_CAPS.sessions,
    unit: "sessions",
    rule: "fit/too-many-sessions",
  },
  {
    id: "fit-files",
    of: "FIT files set one behind another",
    value: FIT_CAPS.files,
    unit: "files",
    rule: "fit/too-many-files",
  },
  { id: "fit-laps", of: "laps of a FIT file", value: MOST_LAPS, unit: "laps", rule: "fit/too-many-laps" },
  {
    id: "fit-beats",
    of: "heartbeats of a strap in a FIT file",
    value: MOST_BEATS,
    unit: "beats",
    rule: "fit/too-many-beats",
  },
  {
    id: "points",
    of: "points of a GPX or TCX file; the first ones are read",
    value: TRACK_CAPS.points,
    unit: "points",
    rule: "gpx/too-many-points",
  },
  {
    id: "xml-depth",
    of: "XML elements within each other",
    value: TRACK_CAPS.depth,
    unit: "elements",
    rule: "xml/depth",
  },
  {
    id: "xml-attributes",
    of: "attributes of an XML element",
    value: TRACK_CAPS.attributes,
    unit: "attributes",
    rule: "xml/attributes",
  },
  { id: "xml-name", of: "a name in XML", value: TRACK_CAPS.name, unit: "characters", rule: "xml/name" },
  {
    id: "xml-text",
    of: "a text or an attribute's value in XML",
    value: TRACK_CAPS.text,
    unit: "characters",
    rule: "xml/text",
  },
  { id: "xml-doctype", of: "document types in XML", value: 0, unit: "", rule: "xml/doctype" },
  { id: "kml", of: "a KML file", value: KML_BYTES, rule: "kml/too-large" },
  { id: "kml-tags", of: "tags and comments of a KML file", value: KML_TAGS, unit: "tags", rule: "kml/too-many-tags" },
  {
    id: "csv-field",
    of: "a cell of a spreadsheet",
    value: CSV_CAPS.fieldLength,
    unit: "characters",
    rule: "csv/field-too-long",
  },
  {
    id: "csv-quoted",
    of: "a text in quotes of a spreadsheet, before nothing after it is read",
    value: CSV_CAPS.quotedLength,
    unit: "characters",
    rule: "csv/unclosed-quote",
  },
  {
    id: "csv-columns",
    of: "columns of a spreadsheet",
    value: CSV_CAPS.columns,
    unit: "columns",
    rule: "csv/too-many-columns",
  },
  {
    id: "csv-record",
    of: "a row of a spreadsheet",
    value: CSV_CAPS.recordLength,
    unit: "characters",
    rule: "csv/record-too-long",
  },
  {
    id: "sheet-cell",
    of: "a cell of a workbook",
    value: SHEET_CAPS.cellLength,
    unit: "characters",
    rule: "sheet/cell-too-long",
  },
  {
    id: "sheet-columns",
    of: "columns of a workbook's sheet, as far as they are filled",
    value: SHEET_CAPS.columns,
    unit: "columns",
    rule: "sheet/too-many-columns",
  },
  {
    id: "sheet-row",
    of: "a row of a workbook",
    value: SHEET_CAPS.rowLength,
    unit: "characters",
    rule: "sheet/row-too-long",
  },
  { id: "sheet-rows", of: "rows of a workbook's sheet", value: SHEET_CAPS.rows, unit: "rows", rule: "sheet/row-order" },
  {
    id: "sheets",
    of: "sheets of a workbook; the first ones are read",
    value: SHEET_CAPS.sheets,
    unit: "sheets",
    rule: "csv/too-many-sheets",
  },
  { id: "mapping", of: "a mapping file", value: MAPPING_BYTES, rule: "csv/bad-mapping" },
  {
    id: "pattern",
    of: "a pattern of a mapping file, compiled: a repetition counts as often as it may repeat",
    value: PATTERN_STEPS,
    unit: "steps",
    rule: "csv/bad-mapping",
  },
  { id: "config", of: "a config file", value: CONFIG_BYTES, rule: "exit code 2" },
  { id: "login", of: "a stored login", value: LOGIN_BYTES, rule: "exit code 2" },
  {
    id: "json-depth",
    of: "JSON of the log, one within another",
    value: DEEPEST_JSON,
    unit: "levels",
    rule: "api/unreadable",
  },
  { id: "answer", of: "an answer of the log", value: ANSWER_CAPS.record, rule: "api/unreadable" },
  { id: "listing", of: "a page of a listing of the log", value: ANSWER_CAPS.listing, rule: "api/unreadable" },
  {
    id: "listing-entries",
    of: "entries of a listing of the log",
    value: LISTING_CAPS.entries,
    unit: "entries",
    rule: "api/endless-listing",
  },
  {
    id: "listing-bytes",
    of: "all pages of a listing of the log",
    value: LISTING_CAPS.bytes,
    rule: "api/endless-listing",
  },
  {
    id: "listing-kept",
    of: "all pages of a listing of equipment or training plans",
    value: LISTING_CAPS.bytesKept,
    rule: "api/endless-listing",
  },
  {
    id: "server-json",
    of: "a JSON body that the service takes, unpacked",
    value: MAX_BODY_BYTES.json,
    rule: "HTTP 413",
  },
  {
    id: "server-values",
    of: "values in a JSON body that the service takes",
    value: MOST_IN_A_BODY.values,
    unit: "values",
    rule: "HTTP 400",
  },
  {
    id: "server-members",
    of: "members of one object in it",
    value: MOST_IN_A_BODY.members,
    unit: "members",
    rule: "HTTP 400",
  },
  {
    id: "server-depth",
    of: "objects and arrays in it, one within another",
    value: MOST_IN_A_BODY.depth,
    unit: "levels",
    rule: "HTTP 400",
  },
  {
    id: "server-intervals",
    of: "intervals of a workout that the service saves",
    value: MOST_INTERVALS,
    unit: "intervals",
    rule: "HTTP 400",
  },
  {
    id: "server-text",
    of: "a name or another text of a record that the service saves",
    value: LONGEST.text,
    unit: "characters",
    rule: "HTTP 400",
  },
  {
    id: "server-notes",
    of: "notes of a record that the service saves",
    value: LONGEST.notes,
    unit: "characters",
    rule: "HTTP 400",
  },
  {
    id: "server-flags",
    of: "flags of the weather or of a course's surfaces that the service saves",
    value: MOST_FLAGS,
    unit: "flags",
    rule: "HTTP 400",
  },
  {
    id: "server-file",
    of: "a file that the service imports, packed or unpacked",
    value: MAX_BODY_BYTES.file,
    rule: "HTTP 413",
  },
];

/** The rows as they stand on the page. */
export function limitTable(): string[] {
  const rows = LIMIT_ROWS.map(({ of, value, unit, rule, option }) => {
    const most = unit === undefined ? sizeInWords(value) : unit === "" ? "none" : `${grouped(value)} ${unit}`;
    return `| ${of} | ${most} | \`${rule}\` | ${option === undefined ? "" : `\`--${kebab(option)}\``} |`;
  });
  return ["| of | at most | what goes beyond it | to change it |", "|---|---|---|---|", ...rows];
}
