/** What a person said about shoes and bikes with `--same-gear`. */
import { equipmentName } from "../../../transforms/model/identity.ts";
import type { LineOf } from "../../journal/line.ts";
import type { GearAnswer } from "../../journal/run.ts";

type Piece = LineOf<"equipment">;

/** A piece of a source, or of the log. */
interface NamedPiece {
  readonly value: Named;
}

/** The answer about two pieces; undefined if nobody gave one. Both may have the same name. */
export function answerAbout(
  one: NamedPiece,
  other: NamedPiece,
  answers: readonly GearAnswer[] = [],
): GearAnswer | undefined {
  return answers.find(
    ({ names: [a, b] }) => (isCalled(one, a) && isCalled(other, b)) || (isCalled(one, b) && isCalled(other, a)),
  );
}

/** The brand and the model of a piece, as a person can type them. */
export function nameOfPiece({ value: { brandName, modelName } }: { readonly value: Named }): string {
  return [brandName, modelName].filter((part) => part !== undefined && part !== "").join(" ");
}

/** The names of a piece, in a source or in the log. */
export interface Named {
  readonly brandName?: string | undefined;
  readonly modelName?: string | undefined;
}

/** Whether a person said that a piece of a source is one of the log's. */
export function isSaidToBe(one: Piece, ofLog: Named, answers: readonly GearAnswer[] = []): boolean {
  return answers.some(
    ({ names: [a, b], isSame }) =>
      isSame &&
      ((isCalled(one, a) && isCalled({ value: ofLog }, b)) || (isCalled(one, b) && isCalled({ value: ofLog }, a))),
  );
}

/** Whether a person's word is the name of a piece: with its brand or without it, whatever the case and the blanks. */
export function isCalled({ value }: { readonly value: Named }, word: string): boolean {
  const fold = (modelName: string, brandName?: string) => equipmentName({ brandName, modelName }, 0);
  const { brandName = "", modelName = "" } = value;
  return [fold(modelName, brandName), fold(modelName)].includes(fold(word));
}
