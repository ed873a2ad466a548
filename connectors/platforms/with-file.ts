/** Reads a row of a table together with its device file. */
import type { Issue, Origin } from "../../transforms/model/issue.ts";
import type { Reading } from "../../transforms/model/item.ts";
import type { LostFile } from "../../transforms/model/lost-file.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import type { Entry } from "../containers/archive.ts";
import { attachFile, type Joined } from "./attach-file.ts";
import { type KnownFiles, namesOf } from "./device-files/readings.ts";
import { reportFileOwner } from "./report-owner.ts";
import { type Scanned, scanFile } from "./scan-file.ts";
import type { ReadSession } from "./session.ts";

/** A row and its file. */
export interface RowWithFile {
  readonly key: string;
  readonly workout: Workout;
  readonly origin: Origin;
  /** The file with the name in the row; undefined if the archive lacks it. */
  readonly file: Entry | undefined;
  readonly filename: string;
  /** The column with the name of the file. */
  readonly field: string;
}

/**
 * Reads a row with its file. If the file is missing or damaged, the workout is read without it. An issue reports this, and the workout itself
 * records it, so that the loss is counted to the end.
 *
 * @param known receives the names of the file, so that its copies are recognised
 */
export async function* withFile(
  session: ReadSession,
  row: RowWithFile,
  joined: Joined,
  known: KnownFiles | undefined,
): AsyncGenerator<Reading> {
  const { file, key, workout, origin } = row;
  const scanned = file === undefined ? missing(row, joined) : await scanFile(session.archive, file);
  if (file === undefined || "rule" in scanned) {
    session.report(
      { ...(scanned as Issue), severity: "warning" },
      file === undefined ? origin : session.origin(file.path),
    );
    const lostFile: LostFile = { because: file === undefined ? "missing" : "damaged", name: row.filename };
    yield { kind: "workout", key, value: { ...workout, lostFile }, origin };
    return;
  }
  yield* withScanned(session, { ...row, file }, scanned, joined, known);
}

function missing({ field, filename }: RowWithFile, { rules }: Joined): Issue {
  return {
    severity: "warning",
    rule: `${rules}/missing-file`,
    field,
    found: filename,
    expected: "the file in the archive",
  };
}

/** The issue for a file that has only lines and no recording. A log accepts no track without times. */
function withoutTimes({ file: { recordings, routes } }: Scanned, { rules }: Joined): Issue | undefined {
  if (recordings.length > 0 || routes.length === 0) return undefined;
  const expected = "points with times; the workout goes without its track";
  return { severity: "warning", rule: `${rules}/no-times`, found: "a line without times", expected };
}

/** Joins a row with a file that was scanned before. */
export function* withScanned(
  session: ReadSession,
  { file, key, workout, origin }: RowWithFile & { readonly file: Entry },
  scanned: Scanned,
  joined: Joined,
  known: KnownFiles | undefined,
): Generator<Reading> {
  reportFileOwner(session, file.path, scanned);
  for (const name of known === undefined ? [] : namesOf(scanned)) known?.set(name, file.path);
  // The row stays usable, even if its file has errors.
  for (const issue of scanned.file.issues) {
    session.report(issue.severity === "error" ? { ...issue, severity: "warning" } : issue, session.origin(file.path));
  }
  const timeless = withoutTimes(scanned, joined);
  if (timeless !== undefined) session.report(timeless, session.origin(file.path));
  const { parts, issues } = attachFile(workout, file.path, scanned, session.context.sports, joined);
  for (const issue of issues) session.report(issue, session.origin(file.path));
  for (const part of parts) {
    const legKey = `${key}:leg:${part.index + 1}`;
    if (part.part === "transition") {
      const rule = `${joined.rules}/transition`;
      const issue: Issue = { severity: "info", rule, found: "the change between two legs" };
      yield session.reject("skipped", legKey, origin, issue);
    } else yield { kind: "workout", key: part.part === "leg" ? legKey : key, value: part.workout, origin };
  }
}
