/** Finds sheets that aren't what was done: `Soll 2021` beside `Ist 2021`, and an `Example` of how to fill in the others. */
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Choice } from "../choices/choice.ts";
import { readHeaderWords } from "../words/header-words.ts";
import { foldHeader } from "../words/words-of-headers.ts";
import { listOf } from "./sheets.ts";

/** Names of sheets that show how to fill in others. */
const EXAMPLE =
  /(?:^|\s)(?:examples?|template|sample|demo|beispiele?|muster|vorlage|exemples?|modele|ejemplos?|plantilla|esempi|esempio|modello|exemplos?|modelo|voorbeeld|sjabloon|exempel|mall|eksempel|skabelon|przyklad|szablon)(?:\s|$)|サンプル|テンプレート|記入例/;

/** The choice of sheets, as a question if the names of some say that their rows were planned, or are an example. */
export function withPlansAsked(choice: Choice, each: readonly { readonly name: string }[]): Choice {
  const plans = each.filter(({ name }) => readHeaderWords(name).purpose === "plan" || EXAMPLE.test(foldHeader(name)));
  if (plans.length === 0 || plans.length === each.length) return choice;
  const done = each.filter((one) => !plans.includes(one));
  const names = alternatives(
    plans.slice(0, MOST_NAMED).map(({ name }) => JSON.stringify(name)),
    "and",
  );
  const [sheets, their] = plans.length === 1 ? ["the sheet", "its"] : ["the sheets", "their"];
  return {
    ...{ place: choice.place, value: listOf(done), contradicting: 0, rows: each.length },
    why: `${sheets} ${names}, by ${their} name, may be a plan or an example, and no workouts that took place`,
    question: "Which sheets are workouts that took place?",
    options: [
      { value: listOf(done), means: "without plans and examples" },
      { value: listOf(plans), means: plans.length === 1 ? "only this sheet" : "only these sheets" },
      { value: "all", means: "every sheet: all of them took place" },
    ],
  };
}

/** The most sheets that the evidence names. */
const MOST_NAMED = 5;
