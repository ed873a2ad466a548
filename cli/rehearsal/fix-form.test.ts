import { expect, test } from "vitest";
import { adviceFor } from "../../pipelines/plan/advice/advice.ts";
import type { Fix } from "../../transforms/model/fix.ts";
import { fixForm, toSet } from "./fix-form.ts";

const formFor = (rule: string, { expected, fix }: { readonly expected?: string; readonly fix?: Fix } = {}) =>
  fixForm({
    id: "5f3a2c",
    advice: adviceFor(rule),
    issue: { severity: "error", rule, ...(expected !== undefined && { expected }) },
    manualDecisions: fix === undefined ? [] : [{ ...DECISION, fix }],
  });

const ORIGIN = { connector: "csv", archive: "log.csv", entry: "log.csv" };
const DECISION = { key: "k", decision: "fixed" as const, at: 0, run: 1, seq: 1, origin: ORIGIN, issue: undefined };

test("an unknown sport is mended by an activity of a list, which `quarantine fix` takes", () => {
  const form = formFor("workout/unknown-sport");
  expect(form).toMatchObject({
    command: "quarantine fix 5f3a2c --set",
    fields: [{ name: "activity", isRequired: true }],
  });
  expect(form?.fields[0]?.choices).toEqual(expect.arrayContaining(["run", "bike", "swim", "hike"]));
  expect(
    form &&
      toSet(
        form,
        new Map([
          ["activity", "hike"],
          ["date", "2020-01-01"],
        ]),
      ),
  ).toEqual(["activity=hike"]);
});

test("a date goes with a time of day, and a file that can't be read has no form", () => {
  expect(formFor("csv/bad-date")?.fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
    ["date", true],
    ["time", false],
  ]);
  expect(formFor("archive/too-large")).toBeUndefined();
});

test("a time zone is asked for where it makes a local time, and an earlier fix stands in the form", () => {
  const names = (expected: string) => formFor("workout/no-date", { expected })?.fields.map(({ name }) => name);
  expect(names("a time zone for it: name one with --zone")).toEqual(["date", "zone", "time"]);
  expect(names("a date")).toEqual(["date", "time"]);
  const form = formFor("csv/bad-number", { fix: { distance: { unit: "km", value: 12 }, duration: 2700 } });
  expect(form?.fields.map(({ name, value }) => [name, value])).toEqual([
    ["distance", "12 km"],
    ["duration", "2700 s"],
  ]);
});
