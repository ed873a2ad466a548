/** What a header says of its scale: `Feel (1=great, 5=awful)` has 1 as its best rating. */
import { foldHeader } from "./words-of-headers.ts";

/** The numbers of a header's legend, and what they mean. */
export interface Legend {
  /** The header before the legend: `feel`. */
  readonly words: string;
  /** All numbers of the legend, in their order. */
  readonly numbers: readonly number[];
  /** The numbers that have words behind or before them. */
  readonly meanings: readonly { readonly value: number; readonly word: string }[];
}

/** The greatest number that a rating has. `Run 2014` has no legend. */
const MOST = 20;

/** Words of each end of a scale, folded, in the languages of headers. */
const ENDS = {
  good: "best good great excellent super superb amazing awesome fantastic perfect fresh strong happy gut beste bestens toll spitze hervorragend top frisch bon bien excellent meilleur parfait mejor bueno buena excelente genial ottimo buono buona eccellente bom boa otimo melhor goed best uitstekend bra basta utmarkt god bedst godt dobrze dobry najlepszy swietnie 最高 良い",
  bad: "worst bad awful terrible poor horrible dreadful tired exhausted lousy sad schlecht mies miserabel furchtbar ungenugend schlechteste mude mauvais nul pire horrible fatigue peor malo mala fatal cansado pessimo cattivo male peggiore ruim pior pessima slecht slechtst beroerd dalig samst darlig vaerst zle slabo najgorszy fatalnie 最悪 悪い",
  hard: "hard hardest max maximum maximal tough heavy exhausting difficult brutal hart schwer anstrengend dur difficile intense duro dura pesado pesada maximo massimo faticoso dificil zwaar hard tung hart ciezko ciezki きつい",
  easy: "easy easiest light min minimum minimal effortless rest leicht locker facile leger legere facil suave minimo leggero leve licht makkelijk latt let lett lekko latwo 楽",
} as const;

const WORDS = Object.fromEntries(
  Object.entries(ENDS).map(([end, words]): [string, ReadonlySet<string>] => [end, new Set(words.split(" "))]),
) as Readonly<Record<keyof typeof ENDS, ReadonlySet<string>>>;

/** The words that make the opposite of the word behind them. */
const NOT = new Set("not no nicht kein pas non niet nao inte ikke nie".split(" "));

/** The legend of a header; undefined if it has none. */
export function legendOf(header: string): Legend | undefined {
  const folded = foldHeader(header).replaceAll("–", "-");
  const at = folded.search(/[([\d]/);
  const words = at === -1 ? "" : (folded.slice(0, at).split(/[,;-]/)[0] ?? "").trim();
  if (words === "") return undefined;
  const text = folded.slice(at);
  const isNumberLast = /\p{L}/u.test(/^[^\d=]*=/.exec(text)?.[0] ?? "");
  const pieces = text.split(isNumberLast ? /(?<=\d)(?!\d)/ : /(?<!\d)(?=\d)/);
  const found = pieces.flatMap((piece) => {
    const [digits] = /\d+/.exec(piece) ?? [];
    if (digits === undefined) return [];
    const word = piece
      .replace(/\d+\s*(?:(?:is|ist|means|est|es)\s)?/, "")
      .replaceAll(/[^\p{L}]+/gu, " ")
      .trim();
    return [{ value: Number(digits), word: SEPARATORS.has(word) ? "" : word }];
  });
  const meanings = found.filter(({ word }) => word !== "");
  const isLegend =
    meanings.some(({ word }) => endOf(word) !== undefined) || (meanings.length > 0 && text.includes("="));
  const isRange = /^[([]?\d{1,2} ?- ?\d{1,2}[)\]]?$/.test(text);
  if (!(isLegend || isRange) || found.some(({ value }) => value > MOST)) return undefined;
  return { words, numbers: found.map(({ value }) => value), meanings };
}

/** Words between two numbers: `1 to 5`. */
const SEPARATORS = new Set("to bis a au tot til till do".split(" "));

/** The end of a scale that a word names; undefined for any other word, and for `not good`. */
function endOf(word: string): keyof typeof ENDS | undefined {
  const tokens = word.split(" ");
  if (tokens.some((token) => NOT.has(token))) return undefined;
  return (Object.keys(ENDS) as (keyof typeof ENDS)[]).find((end) => tokens.some((token) => WORDS[end].has(token)));
}

/** The ends of each rating's scale, from the log's 1 to its 10. */
const FROM_TO = { effort: ["easy", "hard"], quality: ["bad", "good"] } as const;

/**
 * The numbers that become the log's 1 and its 10, if the legend says them: `[5, 1]` of `Feel (1=great, 5=awful)`. A number of the scale that it doesn't
 * have is undefined; so are both for words that nobody knows.
 */
export function endsOf(
  { numbers, meanings }: Legend,
  role: "effort" | "quality",
): readonly [from: number | undefined, to: number | undefined] {
  const named = FROM_TO[role].map((end) =>
    meanings.filter(({ word }) => endOf(word) === end).map(({ value }) => value),
  );
  const [low = [], high = []] = named;
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const isAtEnd = (value: number) => value === least || value === most;
  const [from, to] = [low.find(isAtEnd), high.find(isAtEnd)];
  const other = (value: number) => (least === most ? undefined : value === least ? most : least);
  if (from === undefined) return to === undefined ? [undefined, undefined] : [other(to), to];
  return to === undefined ? [from, other(from)] : from === to ? [undefined, undefined] : [from, to];
}
