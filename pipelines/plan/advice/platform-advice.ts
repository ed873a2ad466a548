/** Advice for records that were rejected by a rule of a single platform, and for files with a block of zeros in them. */

const OR_DROP = "Or leave it out for good: logferry quarantine drop ID.";
const ZEROS = "a piece of the file here is nothing but NUL bytes, as a broken copy leaves them:";
const NEW_FILE =
  "Take the file once more from where it came, put it in the place of this one, and import it as before.";

/** Each entry is an `Advice`. */
export const PLATFORM_ADVICE = [
  {
    rule: "csv/nul-block",
    means: `${ZEROS} the rows in it are lost`,
    remedy: `${NEW_FILE} If no row is missing, take the NUL bytes out of the file, and do the same. ${OR_DROP}`,
  },
  { rule: "xml/nul-block", means: `${ZEROS} workouts in it may be lost`, remedy: `${NEW_FILE} ${OR_DROP}` },
  {
    rule: "health-connect/unreadable-database",
    means: "the database in the export is damaged",
    remedy: "Export it from Health Connect once more, and import the new file.",
  },
  {
    rule: "opentracks/several-starts",
    means: "the table has several tracks, or pauses, and doesn't say which",
    remedy: `Export the tracks from OpenTracks as KMZ or GPX, and import these files. ${OR_DROP}`,
  },
  {
    rule: "tomtom/",
    means: "the file of the watch is damaged, or its end is missing",
    remedy: `Copy it again from where the watch's program keeps it. ${OR_DROP}`,
  },
  {
    rule: "jefit/no-end",
    means: "the backup breaks off, so sets of its workouts may be missing",
    remedy: `Make the backup in JEFIT once more, and import the new file. ${OR_DROP}`,
  },
  {
    rule: "jefit/new-table",
    means: "the backup has a table that logferry doesn't know, with rows that belong to no workout here",
    remedy: `Look at the table in the file: it may hold workouts. ${OR_DROP}`,
  },
  {
    rule: "runalyze/new-table",
    means: "the backup has a table that logferry doesn't know, with rows that belong to no workout here",
    remedy: `Look at the table in the file: it may hold workouts. ${OR_DROP}`,
  },
  {
    rule: "sporttracks/other-in-logbook",
    means: "the logbook has the same activity with other values, and nothing shows which of the two is newer",
    remedy: `If the fitlog is right, import it once more as a source of its own. ${OR_DROP}`,
  },
  {
    rule: "wahoo/no-totals",
    means: "the file has no totals that logferry knows, so its workout would have no distance and no time",
    remedy: `Share the workout from the app as FIT, TCX or GPX, and import that file. ${OR_DROP}`,
  },
  {
    rule: "withings/unknown-columns",
    means: "the table is in a language that logferry doesn't know, and its values leave open which column is which",
    remedy: `Set the account to English and take the export once more. Or name its columns in a mapping file: logferry map infer TABLE. ${OR_DROP}`,
  },
  {
    rule: "whoop/without-length",
    means: "the table is in a language that logferry doesn't know, and nothing in it shows how long the workouts were",
    remedy: `Set the app to English and take the export once more. Or name its columns in a mapping file: logferry map infer TABLE. ${OR_DROP}`,
  },
] as const;
