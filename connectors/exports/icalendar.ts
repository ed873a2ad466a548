/**
 * The workouts of a log as a calendar, `log.ics`. Each workout is an event that begins at its local time and lasts as long as the workout. A
 * workout without a time of day is an event of the whole day. Times are floating: six in the morning stays six in every time zone.
 *
 * Form: RFC 5545.
 */
import { join } from "node:path";
import type { WorkoutRead } from "../api/decode.ts";
import type { LogRecord } from "../api/source.ts";
import { openFile } from "./output-file.ts";
import type { LogWriter, WriterOptions } from "./writer.ts";

/** A content line has at most 75 octets without its end. Longer content continues on the next line after a blank (3.1). */
const LINE_OCTETS = 75;

/** Makes the writer of `log.ics`. */
export function icalendarWriter({ folder, now, report }: WriterOptions): LogWriter {
  const name = "log.ics";
  const file = openFile<string>(join(folder, name));
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  let isBegun = false;
  let records = 0;
  let undated = 0;
  const begin = async () => {
    if (isBegun) return;
    isBegun = true;
    await file.write(
      lines(["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//logferry//export//EN", "X-WR-CALNAME:Training log"]),
    );
  };
  return {
    async write({ kind, id, value }: LogRecord) {
      await begin();
      if (kind !== "workout") return;
      const event = eventOf(id, value as WorkoutRead, stamp);
      if (event === undefined) undated++;
      else {
        await file.write(lines(event));
        records++;
      }
    },
    async finish() {
      await begin();
      await file.write(lines(["END:VCALENDAR"]));
      await file.close();
      if (undated > 0) {
        const expected = "a date: there is no place for them in a calendar";
        report({
          severity: "warning",
          rule: "export/no-date",
          found: `${name}: workouts without one`,
          expected,
          count: undated,
        });
      }
      return [{ path: name, records }];
    },
    abandon: file.abandon,
  };
}

/** The lines of an event; undefined for a workout without a date. */
function eventOf(id: string, workout: WorkoutRead, stamp: string): readonly string[] | undefined {
  const { date, timeOfDay, notes, course, details } = workout;
  if (date === undefined) return undefined;
  const day = date.replaceAll("-", "");
  const seconds = Math.round(details?.duration ?? 0);
  const when =
    timeOfDay === undefined
      ? [`DTSTART;VALUE=DATE:${day}`]
      : [`DTSTART:${day}T${timeOfDay.replaceAll(":", "")}`, ...(seconds > 0 ? [`DURATION:PT${seconds}S`] : [])];
  return [
    "BEGIN:VEVENT",
    // The UID is the same in every export of a log. A calendar that imports it again changes the existing event.
    `UID:${textValue(id)}@workout.logferry`,
    `DTSTAMP:${stamp}`,
    ...when,
    `SUMMARY:${textValue(summaryOf(workout))}`,
    ...(notes === undefined || notes === "" ? [] : [`DESCRIPTION:${textValue(notes)}`]),
    ...(course?.name === undefined ? [] : [`LOCATION:${textValue(course.name)}`]),
    ...(workout.activityName === undefined ? [] : [`CATEGORIES:${textValue(workout.activityName)}`]),
    // A past workout doesn't make its owner busy.
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** `Run, Long: 21.1 km, 1:45:09` */
function summaryOf({ activityName, activityID, workoutName, details }: WorkoutRead): string {
  const what = [activityName ?? (activityID === undefined ? "Workout" : `Activity ${activityID}`), workoutName];
  const distance = details?.distance;
  const measures = [
    distance === undefined ? undefined : `${Math.round(distance.value * 100) / 100} ${distance.unit}`,
    details?.duration === undefined ? undefined : clock(details.duration),
  ];
  const described = measures.filter((part) => part !== undefined).join(", ");
  return `${what.filter((part) => part !== undefined).join(", ")}${described === "" ? "" : `: ${described}`}`;
}

/** Seconds as `1:45:09`. */
function clock(duration: number): string {
  const seconds = Math.round(duration);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return [hours, String(minutes).padStart(2, "0"), String(seconds % 60).padStart(2, "0")].join(":");
}

/**
 * Writes text as a value (3.3.11). Characters that would end or split the value are escaped. A line end becomes `\n`. Other control characters are
 * left out.
 */
function textValue(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\\;,]/g, "\\$&")
    .replace(/\r\n|\r|\n/g, "\\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}

/** Joins content lines, folded, each with its line end. */
function lines(content: readonly string[]): string {
  return content.map((line) => `${folded(line)}\r\n`).join("");
}

/** Splits a line into chunks of at most 75 octets. It never cuts a character in two. */
function folded(line: string): string {
  if (line.length * 3 <= LINE_OCTETS || Buffer.byteLength(line) <= LINE_OCTETS) return line;
  let text = "";
  let octets = 0;
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (octets + more > LINE_OCTETS) {
      text += "\r\n ";
      octets = 1;
    }
    text += character;
    octets += more;
  }
  return text;
}
