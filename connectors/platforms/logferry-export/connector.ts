/** Reads an export of `logferry export`: NDJSON, JSON or the folder of CSV tables. README.md lists the parts that are read or left out. */
import type { Reading } from "../../../transforms/model/item.ts";
import { WITHOUT_CONTENT } from "../../../transforms/model/unread.ts";
import { printable } from "../../../transforms/text/printable.ts";
import { isRecord } from "../../api/json.ts";
import type { Archive } from "../../containers/archive.ts";
import type { Connector, ReadContext, SourceMatch } from "../../contract.ts";
import { FatalError } from "../../errors.ts";
import { KINDS, type RecordKind } from "../../exports/tables.ts";
import { CountedFiles, unreadRest } from "../other-files.ts";
import { createReadSession, type ReadSession } from "../session.ts";
import { type ActivityNamesById, readingOf } from "./map.ts";
import { type Form, findForm, isKnownVersion } from "./records.ts";

const NAME = "logferry-export";

/** The kinds of records besides workouts. They come first in an export. */
const THINGS: ReadonlySet<RecordKind> = new Set(
  (Object.keys(KINDS) as RecordKind[]).filter((kind) => kind !== "workout"),
);
const WORKOUTS: ReadonlySet<RecordKind> = new Set(["workout"]);

/** An export that logferry itself wrote, from this log or another one. */
export const logferryExport: Connector = {
  name: NAME,
  title: "Export of logferry",
  namesOwner: true,
  howToGet:
    "`logferry export --out FOLDER` writes it; take the folder, a zip of it, or its `log.ndjson` or `log.json` alone.",
  ofLog: true,

  async identify(archive: Archive): Promise<SourceMatch | undefined> {
    const form = await findForm(archive);
    return form === undefined ? undefined : { saw: printable(form.saw), strength: "exact" };
  },

  async *read(archive: Archive, context: ReadContext): AsyncGenerator<Reading> {
    const session = createReadSession(NAME, archive, context);
    const form = await findForm(archive);
    if (form === undefined) {
      throw new FatalError(
        "logferry-export/no-export",
        "source",
        `Cannot read ${printable(archive.name)}: there is no log.ndjson, log.json or datapackage.json of an export in it`,
      );
    }
    if (!isKnownVersion(form)) {
      throw new FatalError(
        "logferry-export/newer",
        "source",
        `Cannot read ${printable(archive.name)}: it is in form ${form.version} of an export, which a newer logferry wrote`,
      );
    }
    for await (const reading of readForm(session, form)) {
      if (context.signal.aborted) return;
      yield reading;
    }
  },
};

/** Gives equipment and courses before the workouts that name them, in any order of the file. */
async function* readForm(session: ReadSession, form: Form): AsyncGenerator<Reading> {
  const names = await activityNames(form);
  let records = 0;
  for (const kinds of [THINGS, WORKOUTS]) {
    // Issues without a record are reported once, with the workouts.
    const report: Parameters<Form["records"]>[1] = (issue, entry) => {
      if (kinds === WORKOUTS || issue.rule === "logferry-export/unknown-column")
        session.report(issue, session.origin(entry));
      if (kinds === WORKOUTS && issue.rule === "logferry-export/incomplete")
        session.report(unreadRest(NAME, entry), session.origin(entry));
    };
    for await (const found of form.records(kinds, report)) {
      const origin = session.origin(found.entry, `line ${found.line}`);
      if ("error" in found) {
        // An unreadable line has no known kind, so both passes find it. It is rejected once.
        if (kinds === WORKOUTS || !hasBothIn(found.entry)) {
          if (found.endsFile === true) session.report(unreadRest(NAME, found.entry), origin);
          yield session.reject(
            "quarantined",
            `${NAME}:${found.entry.split("/").at(-1)} line ${found.line}`,
            origin,
            found.error,
          );
        }
        continue;
      }
      records++;
      yield readingOf(session, found.kind, found.value, origin, names);
    }
  }
  const empty = new CountedFiles();
  for (const { path, sizeBytes } of session.archive.entries())
    if (sizeBytes === 0 && !session.isTold(path)) empty.add(path);
  const unread = empty.issue("warning", `${NAME}/other-files`, WITHOUT_CONTENT);
  if (unread !== undefined) session.report(unread, session.origin());
  if (records === 0) {
    const expected =
      "log.ndjson, log.json or CSV tables with records in them; XLSX, Parquet and calendars are not read";
    session.report({ severity: "warning", rule: "logferry-export/nothing", expected }, session.origin());
  }
}

function hasBothIn(entry: string): boolean {
  return !entry.endsWith(".csv");
}

/** The names of the activities, from the workouts. Equipment has only the numbers. */
async function activityNames(form: Form): Promise<ActivityNamesById> {
  const names = new Map<number, string>();
  const numbers = new Set<string>();
  for await (const found of form.records(WORKOUTS, () => undefined)) {
    if ("error" in found || !isRecord(found.value)) continue;
    const { activityID, activityName } = found.value;
    if (typeof activityName !== "string" || numbers.has(String(activityID))) continue;
    numbers.add(String(activityID));
    names.set(Number(activityID), activityName);
  }
  return names;
}
