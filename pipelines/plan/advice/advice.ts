/** Advice for each rejected record, by the rule that rejected it. A test checks that each rule in the code that can reject one is here. */

import { COMPARISON_ADVICE } from "./comparison-advice.ts";
import { PLATFORM_ADVICE } from "./platform-advice.ts";

/** A field of a record that a person can set by hand (`quarantine fix --set`). */
export type FixField = "date" | "zone" | "time" | "activity" | "distance" | "duration" | "name" | "notes";

/** The problem in words, and the remedy. */
export interface Advice {
  /** A rule such as `csv/bad-date`, or all rules of one kind: `fit/`. */
  readonly rule: string;
  readonly means: string;
  readonly remedy: string;
  /** The field that a manual fix must set; undefined when no field can be fixed. */
  readonly needs?: FixField;
  /** The fields that it may set instead. */
  readonly orNeeds?: readonly FixField[];
  /** Whether a person may let the record in as it is. */
  readonly allows?: "implausible" | "unread-cells" | "moved-starts";
  /** Whether the record is most likely a duplicate of another one. Then it is left out, and the message names the other one. */
  readonly isDouble?: true;
}

/** A day in an example would be loaded as the day of the record by everybody who copies the command. */
const FIX_DATE =
  "Say the day by hand, such as 2019-05-04 in place of ANSWER: logferry quarantine fix ID --set date=ANSWER, then logferry quarantine retry ID.";
/** The way to leave a record out, at the end of many remedies. */
export const OR_DROP = "Or leave it out for good: logferry quarantine drop ID.";
const MEND_ROW = "Mend the row in the file, then: logferry quarantine retry ID.";
const ANOTHER_COPY =
  "Copy the file from the watch or its platform once more and put it in the place of this one, then: logferry quarantine retry ID.";

/** The remedy for workouts with impossible values, with a fix for a single one. */
function letIn(fix: string): string {
  return `If they are right, let all of them in: logferry quarantine retry workout/implausible --allow implausible. One alone, also for later plans: logferry quarantine fix ID --allow implausible. Or say what is right: logferry quarantine fix ID --set ${fix}. Then: logferry quarantine retry ID. ${OR_DROP}`;
}

/** All advice. An exact rule comes before the rules of its kind. */
export const ADVICE: readonly Advice[] = [
  {
    rule: "workout/unknown-sport",
    means: "logferry doesn't know this sport",
    remedy:
      "Say it for all of them: logferry quarantine retry --sport 'NAME=ACTIVITY' (or under \"sports\" in the config file). For one alone: logferry quarantine fix ID --set activity=run.",
    needs: "activity",
  },
  {
    rule: "workout/no-activity-id",
    means: "logferry doesn't know your log's number for this activity",
    remedy:
      'Look the number up in your log, or add the activity there, then: logferry quarantine retry --activity ACTIVITY=NUMBER (or under "activities" in the config file). Or make it another activity: logferry quarantine fix ID --set activity=run.',
    needs: "activity",
  },
  {
    rule: "plan/not-sent",
    means: "a run was to send it, and it is not in your log",
    remedy: `If its source still has it, send it: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "fitbit/local-times",
    means: "the times of older files of the export are of your own clock, and not of UTC",
    remedy: "They are read as local times. You need to do nothing.",
  },
  {
    rule: "promote/",
    means: "it is not as the rehearsal showed it",
    remedy:
      "If it is right as it is now, send it: logferry quarantine retry ID, or all of them: logferry promote --accept-differences, with --out FOLDER if the rehearsal had it. Otherwise leave it out: logferry quarantine drop ID.",
  },
  ...COMPARISON_ADVICE,
  {
    rule: "workout/no-date",
    means: "it isn't known on which day it was done where you were",
    remedy: `Name the zone you were in, for all of them: logferry quarantine retry --zone Europe/Vienna. Or for one: logferry quarantine fix ID --set zone=Europe/Vienna. ${FIX_DATE}`,
    needs: "date",
    orNeeds: ["zone"],
  },
  {
    rule: "workout/implausible-speed",
    means: "this speed is impossible in this sport: the distance, the time or the sport is wrong",
    remedy: letIn('distance="10 km"'),
    needs: "distance",
    orNeeds: ["duration", "activity"],
    allows: "implausible",
  },
  {
    rule: "workout/implausible-distance",
    means: "nobody gets so far in this sport: the distance or its unit is wrong",
    remedy: letIn('distance="10 km"'),
    needs: "distance",
    orNeeds: ["activity"],
    allows: "implausible",
  },
  {
    rule: "workout/implausible-duration",
    means: "no workout lasts so long: its unit is wrong, or a clock was not stopped",
    remedy: letIn("duration=1:02:03"),
    needs: "duration",
    orNeeds: ["activity"],
    allows: "implausible",
  },
  {
    rule: "workout/implausible-empty",
    means:
      "it was stopped as soon as it began, or nothing is known of it: there is no duration, no distance and nothing else",
    remedy: letIn("duration=1:02:03"),
    needs: "duration",
    orNeeds: ["distance"],
    allows: "implausible",
  },
  {
    rule: "workout/implausible-date",
    means: "it can't have been done on that day: a clock was wrong",
    remedy: letIn("date=ANSWER"),
    needs: "date",
    allows: "implausible",
  },
  {
    rule: "workout/implausible-column",
    means: "most rows of a column can't be true, so all rows of it wait",
    remedy:
      "Change the unit of the column in the mapping file, and plan again. If the rows are right, let them in: logferry quarantine retry workout/implausible --allow implausible.",
    needs: "distance",
    orNeeds: ["duration"],
    allows: "implausible",
  },
  {
    rule: "table/likely-unit",
    means: "most rows can't be true, and another unit of a column makes usual workouts of them",
    remedy: "Change the unit of the column in the mapping file, and plan again.",
  },
  {
    rule: "csv/unreadable-column",
    means: "most cells of a column can't be read, so all rows of it wait",
    remedy:
      "Say in the mapping file how the column is written, and plan again. To load the rows without what stands in the column: logferry quarantine retry csv/unreadable-column --allow unread-cells.",
    needs: "distance",
    orNeeds: ["duration"],
    allows: "unread-cells",
  },
  {
    rule: "csv/date-order",
    means: "days and months are the other way round than the mapping file says, so all rows wait",
    remedy: "Change dates.order in the mapping file, and plan again.",
    needs: "date",
  },
  {
    rule: "workout/implausible-file",
    means: "its file is damaged or cut short, so what it says can't be relied on",
    remedy: `${ANOTHER_COPY} ${letIn('distance="10 km" --set duration=0:50:00')}`,
    needs: "distance",
    orNeeds: ["duration", "date"],
    allows: "implausible",
  },
  {
    rule: "workout/two-sports",
    means: "the same recording stands in another source, or in your log, under another sport",
    remedy:
      "If it is the same workout, leave this one out: logferry quarantine drop ID. To put its notes and gear to the other one, say the other sport: logferry quarantine fix ID --set activity=run. If they are two workouts, let this one in: logferry quarantine fix ID --allow implausible. After a fix: logferry quarantine retry ID.",
    needs: "activity",
    allows: "implausible",
    isDouble: true,
  },
  {
    rule: "workout/single-point",
    means: "its file says when it began, and neither how long it took nor how far it went",
    remedy: `Say one of them: logferry quarantine fix ID --set duration=0:45:00, then: logferry quarantine retry ID. ${OR_DROP}`,
    needs: "duration",
    orNeeds: ["distance"],
    allows: "implausible",
  },
  {
    rule: "workout/",
    means: "a value of it can't be right",
    remedy: `Mend it at the source, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "csv/bad-date",
    means: "a date isn't written as the mapping file says",
    remedy: `When all are: change dates.order in the mapping file, then logferry quarantine retry. When it is this one: ${FIX_DATE}`,
    needs: "date",
  },
  { rule: "csv/no-such-day", means: "its day doesn't exist", remedy: `${FIX_DATE} ${OR_DROP}`, needs: "date" },
  {
    rule: "csv/bad-number",
    means: "a cell has a sum, and the row has nothing else that says how far or how long it was",
    remedy: `Type the sum into the cell, or a row for each workout, then: logferry quarantine retry ID. Or say it by hand: logferry quarantine fix ID --set distance="12 km", then logferry quarantine retry ID. ${OR_DROP}`,
    needs: "distance",
    orNeeds: ["duration"],
  },
  { rule: "csv/no-date", means: "the row has no date", remedy: `${FIX_DATE} ${OR_DROP}`, needs: "date" },
  {
    rule: "csv/bad-time",
    means: "with this time of day the row can't be placed in time",
    remedy: `Look at dates.zone in the mapping file. Or say both by hand, such as 2019-05-04 and 18:05: logferry quarantine fix ID --set date=ANSWER --set time=ANSWER, then logferry quarantine retry ID.`,
    needs: "date",
  },
  {
    rule: "csv/equipment-without-activity",
    means: "it isn't known what this piece of equipment is for",
    remedy: "Say its activity under values.equipment in the mapping file, then: logferry quarantine retry ID.",
  },
  {
    rule: "csv/wrong-weekday",
    means: "the date of the week and the weekdays of its columns don't agree",
    remedy: `Write weekDate: last below layout in the mapping file, or mend the date in the sheet, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "hrm/cut-day",
    means: "the file of a day lacks exercises that it says it has",
    remedy: `Copy the file once more from where it came and put it in the place of this one, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "csv/cut-row",
    means: "the file seems to be cut in this row, which lacks cells",
    remedy: `Take the file once more from where it came and put it in the place of this one, then: logferry quarantine retry ID. If the row is whole, end its line in the file, and do the same. ${OR_DROP}`,
  },
  {
    rule: "csv/open-quote",
    means:
      "a text of this line begins with a quotation mark and has none at its end, so the line can't be told from those below it, which were read",
    remedy: `Close it in the file, at the line named. ${MEND_ROW} ${OR_DROP}`,
  },
  {
    rule: "csv/unclosed-quote",
    means: "a quotation mark is opened and never closed, so that the rows after it were not read",
    remedy: `Close it in the file, at the line named. ${MEND_ROW}`,
  },
  {
    rule: "csv/unknown-unit",
    means: "the mapping file has no unit for the sport of the row",
    remedy: `Say it in the mapping file, such as unit: { swim: m, default: km }, then: logferry quarantine retry ID --map FILE. ${OR_DROP}`,
    needs: "distance",
  },
  {
    rule: "csv/sum-of-rows",
    means: "its distance and its time are those of the rows above it together, as of a total",
    remedy: `If it is a workout, write sumRows: workouts into the mapping file, then: logferry quarantine retry ID --map FILE. If it is a total, propose the file again, so that its rule knows it, or add its cells to that rule. ${OR_DROP}`,
  },
  { rule: "csv/held-row", means: "a rule of your mapping file holds it back", remedy: `${MEND_ROW} ${OR_DROP}` },
  { rule: "csv/", means: "this piece of the table can't be read as a row", remedy: `${MEND_ROW} ${OR_DROP}` },
  {
    rule: "sheet/cut",
    means: "the workbook is cut or damaged here, so the rows after this place can't be read",
    remedy: `Open the workbook and save it once more, or take it again from where it came, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "sheet/",
    means: "this row of the workbook can't be read",
    remedy: `Open the workbook, mend the row named there and save it, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "workbook/",
    means: "the workbook can't be read",
    remedy: `Save it as .xlsx or as CSV, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "table/unreadable-column",
    means: "most cells of a column can't be read, so all rows of it wait",
    remedy:
      "Take the file from its platform once more, and plan again. To load the rows without what stands in the column: logferry quarantine retry table/unreadable-column --allow unread-cells.",
    needs: "distance",
    orNeeds: ["duration"],
    allows: "unread-cells",
  },
  {
    rule: "table/date-order",
    means: "days and months are the other way round than the platform writes them, so all rows wait",
    remedy: "Take the file from its platform once more, and plan again.",
    needs: "date",
  },
  { rule: "table/bad-date", means: "the record's date can't be read", remedy: FIX_DATE, needs: "date" },
  { rule: "table/no-date", means: "the record has no date", remedy: `${FIX_DATE} ${OR_DROP}`, needs: "date" },
  {
    rule: "table/unknown-unit",
    means: "the export doesn't say in which unit the distance is",
    remedy: `Say it for all rows: logferry quarantine retry table/unknown-unit --distance-unit km. Or the distance of one row with its unit: logferry quarantine fix ID --set distance="10 km", then: logferry quarantine retry ID. ${OR_DROP}`,
    needs: "distance",
  },
  {
    rule: "table/other-version",
    means:
      "another row with the same id and the same start counts: the one that the device file fits, or else the last one",
    remedy:
      "Look which one is right. If it is this one, take the other row out of the file, then: logferry quarantine retry ID.",
  },
  {
    rule: "table/unit-of-row",
    means: "the distance of this row is in another unit than the list has for its sport",
    remedy: `Say the distance with its unit, such as: logferry quarantine fix ID --set distance="10 km", then: logferry quarantine retry ID. ${OR_DROP}`,
    needs: "distance",
  },
  {
    rule: "table/",
    means: "the record of the export can't be used",
    remedy: `If the file was changed in another program, take it from its platform once more. If two records have one id, give one of them another id in the file, and plan again. ${OR_DROP}`,
  },
  {
    rule: "coros/laps-without-date",
    means: "the table has the laps of an activity, and not its date",
    remedy: `Export the activity from COROS as FIT, and import that file. ${OR_DROP}`,
  },
  {
    rule: "mi-fitness/no-value",
    means: "the row has no values of a workout",
    remedy: `If the file was changed in another program, ask Xiaomi for your data once more. ${OR_DROP}`,
  },
  ...PLATFORM_ADVICE,
  { rule: "strava/bad-date", means: "the row's date can't be read", remedy: FIX_DATE, needs: "date" },
  {
    rule: "strava/unknown-columns",
    means: "the table has columns of no export known yet, so none of its rows can be read",
    remedy:
      "If columns were taken away or moved, take the file from its platform once more. Or begin with the mapping file of logferry map show strava, and name it with --map. Is the export whole and as it came? Report its structure: logferry inspect ARCHIVE --anonymise (docs/my-archive-isnt-read.md). Its device files wait with the rows.",
  },
  {
    rule: "strava/",
    means: "the row of the export can't be used",
    remedy: `If the file was changed in a spreadsheet, take it from the export anew. If two rows have one id, give one of them another. ${MEND_ROW} ${OR_DROP}`,
  },
  {
    rule: "logferry-export/unknown-activity",
    means: "the export has an activity that logferry doesn't know",
    remedy:
      "Where it has a name, say which it is: logferry quarantine retry --sport 'NAME=ACTIVITY' (or under \"sports\" in the config file). Or leave it out for good: logferry quarantine drop ID.",
  },
  {
    rule: "logferry-export/",
    means: "this record of the export can't be used",
    remedy: `If the file was changed by hand, export the log once more. ${MEND_ROW} ${OR_DROP}`,
  },
  {
    rule: "json/",
    means: "the file is damaged, or not the JSON it should be",
    remedy: `Export or download it once more, then: logferry quarantine retry ID. ${OR_DROP}`,
  },
  {
    rule: "archive/missing-part",
    means: "a part of the export is missing",
    remedy:
      "Download it once more, unpack the whole of it, and name all parts in one command. logferry import takes as many as there are.",
  },
  {
    rule: "archive/encrypted",
    means: "the file in the zip is encrypted",
    remedy: "Unpack the zip with its password, and name the folder instead of the zip.",
  },
  {
    rule: "archive/changed",
    means: "the file changed while it was read",
    remedy: "Wait until whatever writes it is done, then: logferry quarantine retry ID.",
  },
  {
    rule: "archive/",
    means: "the file can't be unpacked from the archive",
    remedy: `Get the archive once more, or unpack it and name the folder. ${ANOTHER_COPY}`,
  },
  { rule: "gzip/", means: "the file can't be unpacked", remedy: ANOTHER_COPY },
  {
    rule: "device-file/too-large",
    means: "the file is larger than any recording",
    remedy: `Look what it is: no watch writes such a file. ${OR_DROP}`,
  },
  {
    rule: "device-file/",
    means: "the file is in none of the formats of watches",
    remedy: `Export it as FIT, GPX or TCX. ${OR_DROP}`,
  },
  { rule: "device-files/", means: "the file holds neither a recording nor a route", remedy: OR_DROP },
  {
    rule: "fit/",
    means: "the file is damaged, so that not even its summary can be read",
    remedy: `${ANOTHER_COPY} ${OR_DROP}`,
  },
  { rule: "gpx/", means: "the file holds no recording that can be read", remedy: `${ANOTHER_COPY} ${OR_DROP}` },
  { rule: "tcx/", means: "the file holds no recording that can be read", remedy: `${ANOTHER_COPY} ${OR_DROP}` },
  { rule: "kml/", means: "the file holds no recording or route to read", remedy: `${ANOTHER_COPY} ${OR_DROP}` },
  { rule: "xml/", means: "the file is damaged, or not the XML it should be", remedy: `${ANOTHER_COPY} ${OR_DROP}` },
  { rule: "text/", means: "the file isn't text that can be read", remedy: `Save it as UTF-8. ${ANOTHER_COPY}` },
  {
    rule: "plan/in-doubt",
    means: "it was sent, the answer was lost, and this service can't list what it has",
    remedy:
      "Look in the log, on that day. If it is not there: logferry retry --assume-absent ID. If it is: logferry retry --assume-done ID=LOGID, with the id the log gives it.",
  },
  {
    rule: "plan/",
    means: "the plan can't decide about it by itself",
    remedy: "Read the reason. logferry explain ID tells its whole history.",
  },
];

/** The advice for a rule; undefined for a rule without an entry. */
export function adviceFor(rule: string): Advice | undefined {
  return (
    ADVICE.find((advice) => advice.rule === rule) ??
    ADVICE.find((advice) => advice.rule.endsWith("/") && rule.startsWith(advice.rule))
  );
}
