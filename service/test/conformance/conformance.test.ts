/**
 * The service compared with the interface document, sentence by sentence, over real HTTP. `npm run docs` writes the results into
 * `docs/conformance.md`. The test compares that file with the results of this run.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { closingRules, endpointRules, listingRules, savingRules } from "./endpoints.ts";
import { askOneService, describedOperations, entries, seenAnswers } from "./harness.ts";
import { introductionRules } from "./introduction.ts";
import { oauthRules } from "./oauth.ts";
import { courseRules, equipmentRules, planRules, preferenceRules, userRules } from "./records.ts";
import { PLACES, placesOf, tableOf } from "./table.ts";
import { workoutRules } from "./workout.ts";

askOneService();

// In the document's order.
introductionRules();
workoutRules();
courseRules();
equipmentRules();
userRules();
preferenceRules();
planRules();
endpointRules();
listingRules();
savingRules();
oauthRules();
closingRules();

const TABLE = join(import.meta.dirname, "../../../docs/conformance.md");

test("every sentence of the document has its rules or a reason why there is none, and no rule is about a sentence that isn't there", () => {
  const places = placesOf(readFileSync(PLACES, "utf8"));
  const isAbout = (at: string, place: string) => at === place || place.startsWith(`${at} . `);
  expect(places.filter((place) => !entries.some(({ at }) => isAbout(at, place)))).toEqual([]);
  expect(entries.filter(({ at }) => !places.some((place) => isAbout(at, place))).map(({ at }) => at)).toEqual([]);
});

test("no rule fails, none was left out, and docs/conformance.md says so (`npm run docs` writes it)", async () => {
  expect(entries.filter(({ result }) => result === "FAILS" || result === "not run").map(({ at }) => at)).toEqual([]);
  const table = tableOf(entries, placesOf(readFileSync(PLACES, "utf8")));
  await expect(table).toMatchFileSnapshot(TABLE);
});

test("every operation the service describes was asked and gave an answer that fits its description", () => {
  const unseen = describedOperations().filter((name) => !seenAnswers().has(`${name} 200`));
  // The first answers browsers with pages. The second isn't in the document.
  expect(unseen.toSorted()).toEqual(["GET /oauth2/authorize", "GET /rest/logs/me/activity_types"]);
});
