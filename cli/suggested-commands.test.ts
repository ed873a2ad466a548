import { expect, test } from "vitest";
import { type TypedOptions, withTypedOptions } from "./suggested-commands.ts";
import { createOutput } from "./terminal/output.ts";

async function said(own: TypedOptions, line: string): Promise<string> {
  let out = "";
  const streams = { out: { write: (text: string) => (out += text) }, err: { write: (text: string) => (out += text) } };
  (await withTypedOptions(createOutput("normal", false, streams), own)).say(line);
  return out.trimEnd();
}

test.each<[TypedOptions, string, string]>([
  [{}, "Next: logferry apply", "Next: logferry apply"],
  [{ profile: "mum" }, "Next: logferry apply", "Next: logferry apply --profile mum"],
  [
    { profile: "mum", journal: "my journal.db" },
    "To let them in: logferry quarantine retry --sport 'Kegeln=ACTIVITY'",
    "To let them in: logferry quarantine --profile mum --journal 'my journal.db' retry --sport 'Kegeln=ACTIVITY'",
  ],
  // No word of it is a command that has a profile.
  [{ profile: "mum" }, "logferry can't read X", "logferry can't read X"],
  [{ profile: "mum" }, "See: logferry inspect log.csv", "See: logferry inspect log.csv"],
  [{ profile: "mum" }, "Go on with: logferry verify --profile mum", "Go on with: logferry verify --profile mum"],
])("with %j the line %j is %j", async (own, line, shown) => {
  expect(await said(own, line)).toBe(shown);
});
