import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { BUILT_IN, withFlags } from "../arguments/activity-tables.ts";
import { checkSources, isOtherwise, keepRehearsal, readKept, rehearseAgain, remedyForSources } from "./kept.ts";

const folder = temporaryFolder();

test("the folder has what a rehearsal was run with, and no secret part of an address", async () => {
  const context = {
    asTyped: [
      "watch",
      "@address.txt",
      "https://files.example/b.zip?sig=SECRET",
      "https://ana:SECRET@files.example/c.zip",
    ],
    arguments: [
      "watch",
      "https://files.example/a.zip?sig=SECRET",
      "https://files.example/b.zip?sig=SECRET",
      "https://ana:SECRET@files.example/c.zip",
    ],
    options: {
      ...{ profile: "default", tokenFile: "token", zone: "Europe/Vienna", map: "log.map.yaml", doubtful: "one" },
      prefer: ["notes=./watch", "distance=garmin", "sport=https://files.example/b.zip?sig=SECRET"],
    },
    tables: withFlags(BUILT_IN, ["Nordic Walking=walk"], ["hike=15"]),
  };
  await keepRehearsal(folder, context, { decided: [], origins: {} });
  expect(readFileSync(join(folder, "rehearsed.json"), "utf8")).not.toContain("SECRET");
  const kept = await readKept(folder);
  expect(kept).toMatchObject({
    sources: [
      resolve("watch"),
      `@${resolve("address.txt")}`,
      "https://files.example/b.zip?",
      "https://files.example/c.zip?",
    ],
    options: {
      ...{ zone: "Europe/Vienna", map: resolve("log.map.yaml"), doubtful: "one" },
      prefer: [`notes=${resolve("watch")}`, "distance=garmin", "sport=https://files.example/b.zip?"],
    },
    sports: [["nordicwalking", "walk"]],
    activityIDs: { hike: 15 },
  });
  expect(kept?.options).not.toHaveProperty("tokenFile");
  expect(rehearseAgain(folder)).toBe(`logferry rehearse --out ${folder}`);
  expect(() => checkSources(folder, { sources: ["/a b.zip", "https://files.example/b.zip?"] })).toThrow(
    `rehearse with that file: logferry rehearse @FILE --out ${folder}`,
  );
});

test.each([
  [undefined, undefined, false],
  ["metric", undefined, false],
  [undefined, "imperial", true],
  ["imperial", "imperial", false],
  ["imperial", undefined, true],
] as const)(
  "a rehearsal in the units %s, and one more with the units %s: it begins anew %s",
  (before, now, isOther) => {
    const of = (units: "metric" | "imperial" | undefined) => ({
      profile: "default",
      ...(units !== undefined && { units }),
    });
    const kept = { version: "1", sources: [], options: of(before), sports: [], activityIDs: {} };
    expect(isOtherwise(kept, { options: of(now) })).toBe(isOther);
  },
);

test("sources that can be read are named as they were typed, and never by a whole address", () => {
  const sources = ["/a b.zip", "@address.txt"];
  const remedy = remedyForSources("/r", { sources }, ["/a b.zip", "https://files.example/b.zip?key=secret"]);
  const putBack = "Put back what can't be read, where it was, and type the same again";
  const other = "Or rehearse without it, with the options that you gave before: logferry rehearse";
  expect(remedy([])).toBe(`${putBack}.`);
  expect(remedy(["/a b.zip"])).toBe(`${putBack}. ${other} '/a b.zip' --out /r`);
  expect(remedy(["https://files.example/b.zip?key=secret"])).toBe(`${putBack}. ${other} @address.txt --out /r`);
});
