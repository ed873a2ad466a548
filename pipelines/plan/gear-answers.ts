/** What a person said about shoes and bikes with `--same-gear`. */
import { equipmentName } from "../../transforms/model/identity.ts";
import type { LineOf } from "../journal/line.ts";
import type { GearAnswer } from "../journal/run.ts";

type Piece = LineOf<"equipment">;

/** The answer about two pieces; undefined if nobody gave one. Both may have the same name. */
export function answerAbout(one: Piece, other: Piece, answers: readonly GearAnswer[] = []): GearAnswer | undefined {
  return answers.find(
    ({ names: [a, b] }) => (isCalled(one, a) && isCalled(other, b)) || (isCalled(one, b) && isCalled(other, a)),
  );
}

/** The brand and the model of a piece, as a person can type them. */
export function nameOfPiece({ value: { brandName, modelName } }: Piece): string {
  return [brandName, modelName].filter((part) => part !== undefined && part !== "").join(" ");
}

/** Whether a person's word is the name of a piece: with its brand or without it, whatever the case and the blanks. */
function isCalled({ value }: Piece, word: string): boolean {
  const fold = (modelName: string, brandName?: string) => equipmentName({ brandName, modelName }, 0);
  const { brandName = "", modelName = "" } = value;
  return [fold(modelName, brandName), fold(modelName)].includes(fold(word));
}
