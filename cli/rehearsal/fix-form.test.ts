import { expect, test } from "vitest";
import { adviceFor } from "../../pipelines/plan/advice.ts";
import { fixForm, toSet } from "./fix-form.ts";

const formFor = (rule: string) => fixForm({ id: "5f3a2c", advice: adviceFor(rule) });

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
