import { expect, test } from "vitest";
import { readHeaderWords } from "./header-words.ts";

test.each([
  ["How many minutes?", ["minutes"], "minutes"],
  ["How long did you run?", ["duration"], undefined],
  ["How far did you run (in km)?", ["distance"], "km"],
  ["Swim distance in yards?", ["distance"], "yards"],
  ["When did you run?", ["date"], undefined],
  ["Which shoes did you wear?", ["equipment"], undefined],
  ["Wie weit bist du gelaufen (km)?", ["distance"], "km"],
  ["Wie viele Minuten?", ["minutes"], "minuten"],
  ["¿Cuántos kilómetros corriste?", ["distance"], "kilometros"],
  ["Hoeveel minuten?", ["minutes"], "minuten"],
  ["How many beers?", [], undefined],
  ["Anything else?", [], undefined],
  ["What did you do?", [], undefined],
])("the question %s asks for %j", (header, roles, unit) => {
  expect(readHeaderWords(header)).toMatchObject({ roles, ...(unit !== undefined && { unit }) });
});
