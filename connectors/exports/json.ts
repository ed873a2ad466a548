/**
 * A log as one JSON file, `log.json`: an object with a member for each kind of record, a record a line, in the names of
 * the interface; what may come as one or as many (equipment, conditions) is always a list. Written as it comes, so that a log of any size fits.
 */
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { LogRecord } from "../api/source.ts";
import type { LogWriter } from "./writer.ts";

/** What the members are called, in the order the records come. */
const MEMBERS: Readonly<Record<LogRecord["kind"], string>> = {
  user: "user",
  preference: "preference",
  equipment: "equipment",
  course: "courses",
  "training-plan": "trainingPlans",
  workout: "workouts",
};

/** Members that hold one record and not a list. */
const SINGLE: ReadonlySet<string> = new Set(["user", "preference"]);

/** A writer into a folder that exists. */
export function jsonWriter(folder: string): LogWriter {
  const path = join(folder, "log.json");
  let file: FileHandle | undefined;
  let member: string | undefined;
  const written = new Set<string>();
  let records = 0;

  const open_ = async () => {
    file ??= await open(path, "w", 0o600);
    return file;
  };
  const begin = (name: string) => {
    const before = member === undefined ? "{\n" : SINGLE.has(member) ? ",\n" : "\n],\n";
    if (written.has(name)) throw new Error(`Cannot write ${name}: its records must come together`);
    written.add(name);
    member = name;
    return `${before}${JSON.stringify(name)}: ${SINGLE.has(name) ? "" : "[\n"}`;
  };

  return {
    async write({ kind, value }) {
      const output = await open_();
      const name = MEMBERS[kind];
      const isFirst = member !== name;
      const text = JSON.stringify(value);
      await output.write(`${isFirst ? begin(name) : ",\n"}${text}`);
      records++;
    },
    async finish() {
      const output = await open_();
      let end = member === undefined ? "{\n" : SINGLE.has(member) ? "" : "\n]";
      for (const name of Object.values(MEMBERS)) {
        if (written.has(name) || SINGLE.has(name)) continue;
        end += `${end === "{\n" ? "" : ",\n"}${JSON.stringify(name)}: []`;
      }
      await output.write(`${end}\n}\n`);
      await output.sync();
      await output.close();
      return [{ path, records }];
    },
  };
}
