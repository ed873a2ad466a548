import { expect, test } from "vitest";
import { compareNames } from "./gear-names.ts";

const nike = (modelName: string) => ({ brandName: "Nike", modelName });

test.each([
  [{ modelName: "Pegasus 33" }, nike("Pegasus 33"), "same"],
  [{ modelName: "Pegasus 33" }, nike("Air Zoom Pegasus 33"), "same"],
  [{ modelName: "Nike Air Zoom Pegasus 33" }, nike("Pegasus33"), "same"],
  [{ modelName: "Kinvara" }, { brandName: "Saucony", modelName: "Kinvara" }, "same"],
  [{ modelName: "pegs" }, nike("Pegasus 33"), "other"],
  [{ modelName: "Nike" }, nike("Pegasus 33"), "other"],
  [{ modelName: "33" }, nike("Pegasus 33"), "other"],
  [{ modelName: "Nike Pegasus" }, nike("Pegasus 33"), "like"],
  [{ modelName: "Pegasus 34" }, nike("Pegasus 33"), "two"],
  [{ brandName: "Hoka", modelName: "Clifton 9" }, nike("Pegasus 9"), "two"],
] as const)("%o and %o: %s", (one, other, likeness) => {
  expect(compareNames(one, other)).toBe(likeness);
  expect(compareNames(other, one)).toBe(likeness);
});
