import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** The open questions about a table, each with its first answer and the field that it has meanwhile. */
async function open(header: string, rows: readonly string[], answers: readonly (readonly [string, string])[] = []) {
  const text = ["Giorno", ...rows.map((_, at) => `2021-01-0${at + 1}`)].map((day, at) => `${day};${[header, ...rows][at]}`); // biome-ignore format: a table
  const given = new Map([["defaults.activity", "run"], ...answers]);
  const proposal = await proposalFor(text.join("\n"), given);
  const field = proposal.draft.columns.get("Tempo")?.field;
  return [proposal.choices.filter(isOpen).map(({ place, options }) => [place, options?.[0]?.value]), field];
}

const FOUR = ["4,0;0:17:20", "4,0;0:18:05", "4,0;0:17:42", "4,0;0:19:11", "4,0;0:18:30"];

test("times below Tempo beside equal distances are a question, with the duration first where they are slow for a pace", async () => {
  expect(await open("Distanza (km);Tempo", FOUR)).toEqual([[["columns.Tempo.field", "duration"]], "duration"]);
  const answered = await open("Distanza (km);Tempo", FOUR, [["columns.Tempo.field", "duration"]]);
  expect(answered).toEqual([[], "duration"]);
});

test("times below Tempo that are a usual pace either way are a question, with the pace first", async () => {
  const two = ["1,0;5:20", "1,2;5:05", "1,0;5:42", "1,1;5:11", "1,0;5:30"];
  expect(await open("Distanza (km);Tempo", two)).toEqual([[["columns.Tempo.field", "pace"]], "unsupported"]);
});

test("paces below Tempo that can't be durations are no question", async () => {
  const [questions] = await open("Strecke (km);Tempo", ["10;5:20", "12;5:05", "8;5:42", "21;5:11", "9;5:30"]);
  expect(questions).toEqual([]);
});
