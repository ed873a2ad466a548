import { expect, test } from "vitest";
import { emptyHome, jsonLines, runCli } from "../test/support/cli.ts";

test("map show prints the table of a platform as a mapping file", async () => {
  using home = emptyHome();
  const shown = await runCli(home.path, ["map", "show", "runkeeper"]);
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out).toContain("version: 1\n");
  expect(shown.out).toContain("  Distance (km): { field: distance, unit: km, zero: none }\n");
  const [json] = jsonLines((await runCli(home.path, ["map", "show", "nike", "1", "--json"])).out);
  expect(json).toMatchObject({ type: "mapping", platform: "nike", table: 1 });
});

test.each([
  [["map", "shwo"], 'expected map show; did you mean "show"?'],
  [["map", "show"], "Cannot show a mapping: name a platform: adidas-running, "],
  [["map", "show", "runkeper"], 'it is no platform with a table; did you mean "runkeeper"?'],
  [["map", "show", "runkeeper", "2"], "Cannot show table 2 of runkeeper: it has 1"],
])("logferry %j is refused, and says what there is", async (words, message) => {
  using home = emptyHome();
  const ran = await runCli(home.path, words);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(message);
});
