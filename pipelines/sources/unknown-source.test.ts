import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { memoryArchive } from "../../connectors/containers/memory.ts";
import { FatalError } from "../../connectors/errors.ts";
import { identifyArchive } from "../../connectors/registry.ts";
import { explainUnknown } from "./unknown-source.ts";

async function messageFor(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const archive = memoryArchive("a", files);
  const error = await identifyArchive(archive).catch((refused: unknown) => refused);
  if (!(error instanceof FatalError)) throw new RangeError("the archive was known");
  return (await explainUnknown(error, archive)).message;
}

const nested = (levels: number) => `[{"logId":1,"x":${"[".repeat(levels)}${"]".repeat(levels)}}]`;

test("a JSON file that is nested too deep is told so, and no mapping file is advised for JSON", async () => {
  expect(await messageFor({ "exercise-0.json": nested(200) })).toMatch(
    /^Cannot tell what a is: exercise-0\.json is nested too deep: logferry reads at most 64 /,
  );
  const other = await messageFor({ "other.json": '[{"a":1}]' });
  expect(other).toMatch(/no export of the \d+ kinds/);
  expect(other).not.toMatch(/map|nested/);
  expect(await messageFor({ "other.csv": "a,b\n1,2\n" })).toContain("logferry map infer proposes one");
});

test.each([
  ["x.tgz", Buffer.from("1f8b0800", "hex"), "a tar archive that gzip packed"],
  ["x.tar", Buffer.concat([Buffer.alloc(257), Buffer.from("ustar\u0000")]), "a tar archive"],
  ["x.bak", Buffer.from("377abcaf271c0004", "hex"), "a 7z archive"],
  ["x.rar", Buffer.from("526172211a0700", "hex"), "a RAR archive"],
])("%s is told by its first bytes, with what to do", async (path, content, called) => {
  expect(await messageFor({ [path]: content })).toBe(
    `Cannot tell what a is: it is ${called}. Unpack it, and name the folder`,
  );
});

test.each([
  ["by itself", ["cardioActivities.csv.gz"]],
  ["whose name lost its .gz", ["cardioActivities.csv"]],
  ["beside another one", ["cardioActivities.csv.gz", "measurements.csv.gz"]],
])("a table that gzip packed, %s, is named, with what to do", async (_, names) => {
  const packed = gzipSync("Date,Type\n2022-01-01,Running\n");
  expect(await messageFor(Object.fromEntries(names.map((name) => [name, packed])))).toBe(
    `Cannot tell what a is: ${names[0]} is a table that gzip packed. Unpack it, and name the folder`,
  );
});

test("a single file that one platform has beside its workouts is named as such, and one that several have isn't", async () => {
  const measurements = "Date,Time,Measurement,Value,Unit\n2025-04-29,07:00:00,Bodyweight,75.7,kgs\n";
  expect(await messageFor({ "FitNotes_BodyTracker_Export.csv": measurements })).toMatch(
    /It may belong to your FitNotes export: put it into one folder with the other files, and name the folder$/,
  );
  expect(await messageFor({ "other.csv": measurements })).not.toContain("one folder");
  expect(await messageFor({ "sleep.csv": measurements })).not.toContain("one folder");
});
