/** Compares the names of shoes and bikes as people and platforms write them: "Pegasus 33", "Nike Air Zoom Pegasus 33". */
import type { Equipment } from "./equipment.ts";

type Named = { readonly [Name in "brandName" | "modelName"]?: Equipment[Name] | undefined };

/**
 * How alike two names are:
 * - `same`: the model words of one are among those of the other, and both have the same number.
 * - `like`: so are the words, and only one has a number.
 * - `other`: the words say nothing.
 * - `two`: the brands differ, or the numbers do: a Pegasus 33 is no Pegasus 34.
 */
export type NameLikeness = "same" | "like" | "other" | "two";

/** Compares two names. The brand may be given apart, stand in the model, or be left out. */
export function compareNames(a: Named, b: Named): NameLikeness {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const brands = new Set([...one.brand, ...other.brand]);
  const haveBrands = one.brand.length > 0 && other.brand.length > 0;
  if (haveBrands && !one.brand.some((word) => other.brand.includes(word))) return "two";
  const [ours, theirs] = [one, other].map(({ all }) => all.filter((word) => !brands.has(word)));
  const models = [ours ?? [], theirs ?? []].map((words) => words.filter((word) => !isNumber(word)));
  const numbers = [ours ?? [], theirs ?? []].map((words) => words.filter(isNumber).toSorted().join(" "));
  const [few = [], many = []] = models.toSorted((x, y) => x.length - y.length);
  const areAmong = few.length > 0 && few.every((word) => many.includes(word));
  if (numbers[0] === numbers[1]) return areAmong ? "same" : "other";
  if (numbers[0] !== "" && numbers[1] !== "") return "two";
  return areAmong ? "like" : "other";
}

function wordsOf({ brandName, modelName }: Named): {
  readonly brand: readonly string[];
  readonly all: readonly string[];
} {
  const brand = split(brandName);
  return { brand, all: [...new Set([...brand, ...split(modelName)])] };
}

/** Words in lower case, without accents. Letters and numbers are apart: `Pegasus33`, `v2`. */
function split(text = ""): readonly string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.match(/\p{L}+|\p{N}+/gu) ?? [];
}

function isNumber(word: string): boolean {
  return /^\p{N}/u.test(word);
}
