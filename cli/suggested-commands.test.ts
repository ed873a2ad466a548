import { expect, test } from "vitest";
import { loadCommands } from "./commands/index.ts";
import {
  asInPromotion,
  asInRehearsal,
  asPrinted,
  COMMANDS_WITH,
  type TypedOptions,
  withTypedOptions,
} from "./suggested-commands.ts";
import { createOutput, type Output } from "./terminal/output.ts";

function said(change: (output: Output) => Output, line: string): string {
  let out = "";
  const streams = { out: { write: (text: string) => (out += text) }, err: { write: (text: string) => (out += text) } };
  change(createOutput("normal", false, streams)).say(line);
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
  [
    { url: "https://log.example", tokenFile: "/home/anna/my token" },
    "Next: logferry verify, then logferry status",
    "Next: logferry verify --url https://log.example --token-file '/home/anna/my token', then logferry status",
  ],
  [{ url: "https://anna:secret@log.example" }, "Next: logferry verify", "Next: logferry verify"],
  // No word of it is a command that has a profile.
  [{ profile: "mum" }, "logferry can't read X", "logferry can't read X"],
  [{ profile: "mum" }, "See: logferry inspect log.csv", "See: logferry inspect log.csv"],
  [{ profile: "mum" }, "Go on with: logferry verify --profile mum", "Go on with: logferry verify --profile mum"],
])("with %j the line %j is %j", (own, line, shown) => {
  expect(said((output) => withTypedOptions(output, own), line)).toBe(shown);
});

test("a file of a rehearsal has the commands that the terminal prints", () => {
  const streams = { out: { write: () => true }, err: { write: () => true } };
  const typed = withTypedOptions(createOutput("normal", false, streams), { journal: "my journal.db" });
  const reasons = [{ rule: "csv/bad-date", remedy: "Type: logferry quarantine fix ID. Then: logferry apply" }];
  expect(asPrinted({ reasons, source: "logferry status.csv" }, asInRehearsal(typed, "logferry rehearse"))).toEqual({
    reasons: [
      {
        rule: "csv/bad-date",
        remedy: "Type: logferry quarantine --journal 'my journal.db' fix ID. Then: logferry rehearse",
      },
    ],
    source: "logferry status.csv",
  });
  expect(asPrinted({ reasons }, createOutput("normal", false, streams))).toEqual({ reasons });
});

test("the commands that get a profile are those with a log, and the other options go to those that take them", async () => {
  const commands = await loadCommands();
  const taking = (...options: readonly string[]) =>
    commands.filter((command) => command.options.some((one) => options.includes(one))).map(({ name }) => name);
  expect(COMMANDS_WITH.profile.toSorted()).toEqual(taking("journal", "url").toSorted());
  for (const option of ["journal", "url", "tokenFile"] as const)
    expect(COMMANDS_WITH[option].toSorted()).toEqual(taking(option).toSorted());
});

test.each<[string, string]>([
  [
    "Next: 3 records still to do (logferry apply), 1 rejected (logferry quarantine).",
    "Next: 3 records still to do (AGAIN), 1 rejected (logferry quarantine).",
  ],
  [
    "To let them in: logferry quarantine retry workout/unknown-sport --sport 'Kegeln=ACTIVITY'",
    "To let them in: AGAIN --sport 'Kegeln=ACTIVITY'",
  ],
  ["Load it with: logferry quarantine retry 5f3a2c", "Load it with: AGAIN"],
  [
    "1 record (logferry retry --restore-missing), not verified (logferry verify --run 2).",
    "1 record (AGAIN), not verified (AGAIN).",
  ],
  [
    "If they are right, type: logferry quarantine retry workout/too-fast --allow implausible",
    "If they are right, type: AGAIN --allow implausible",
  ],
  ["See: logferry quarantine fix ID", "See: logferry quarantine fix ID"],
  ["Mend the row in the file, then: logferry quarantine retry ID.", "Mend the row in the file, then: AGAIN."],
])("in a rehearsal the line %j is %j", (line, shown) => {
  expect(said((output) => asInRehearsal(output, "AGAIN"), line)).toBe(shown);
});

test.each([
  [
    asInPromotion,
    "the log has 3 (5 km). Not sent, so that it isn't there twice. Plan again",
    "the log has 3 (5 km). Not sent, so that it isn't there twice. Promote again",
  ],
  [
    asInPromotion,
    "If they are two workouts, plan again with --trust-clocks",
    "If they are two workouts, rehearse once more with --trust-clocks",
  ],
  [
    (output: Output) => asInRehearsal(output, "AGAIN"),
    "these stay two. To decide, plan again with --same-gear",
    "these stay two. To decide, rehearse once more with --same-gear",
  ],
  [
    (output: Output) => asInRehearsal(output, "AGAIN"),
    "and a log can delete nothing. Delete one of them there, or answer that they are two",
    "and a log can delete nothing. Answer whether they are one, and rehearse once more: the private log begins anew",
  ],
])("what a message suggests without a command fits where it is printed: %#", (change, line, shown) => {
  expect(said(change, line)).toBe(shown);
});

test("in a rehearsal the commands of JSON lines can reach its log, too, and what the sources say stays", () => {
  const lines: unknown[] = [];
  const streams = { out: { write: (text: string) => lines.push(JSON.parse(text)) }, err: { write: () => true } };
  asInRehearsal(createOutput("normal", true, streams), "AGAIN").emit("run", {
    next: [{ left: "1 record", command: "logferry retry --run 2" }],
    origin: { entry: "logferry verify" },
  });
  expect(lines).toEqual([
    { type: "run", next: [{ left: "1 record", command: "AGAIN" }], origin: { entry: "logferry verify" } },
  ]);
});
