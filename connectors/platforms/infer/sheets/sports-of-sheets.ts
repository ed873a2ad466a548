/** Finds sheets that are named after several sports. One mapping file has one sport for all rows without one, so each sheet needs its own. */
import { shellWord } from "../../../../transforms/text/shell.ts";
import { alternatives } from "../../../../transforms/text/zod-messages.ts";
import type { Answers } from "../choices/choice.ts";
import type { NoProposal } from "../choices/no-proposal.ts";
import { sportOf } from "../columns/group-tags.ts";
import { areSports, columnsOf } from "../sample/column.ts";
import type { SheetSample } from "../sample/sample.ts";

/** Why no sport is right for all rows; undefined if the names are of one sport at most, a column names the sports, or a person said one for all. */
export function sportsOfSheets(sample: SheetSample, answers: Answers): NoProposal | undefined {
  const { sheetNames = [] } = sample;
  const named = sheetNames.flatMap((name) => {
    const sport = sportOf(name);
    return sport === undefined ? [] : [{ name, sport }];
  });
  if (new Set(named.map(({ sport }) => sport)).size < 2 || answers.has("defaults.activity")) return undefined;
  if (columnsOf(sample).some(areSports)) return undefined;
  const names = alternatives(
    named.slice(0, 3).map(({ name }) => JSON.stringify(name)),
    "and",
  );
  const first = named[0]?.name ?? "";
  return {
    problem: `its sheets are named after several sports, such as ${names}, and no column says the sport of a row`,
    next: `Propose for each sheet by itself, with a mapping file of its own: --sheet ${shellWord(first)} --out ${shellWord(`${first}.map.yaml`)}. If one sport is right for all rows, say it with --set defaults.activity=run`,
  };
}
