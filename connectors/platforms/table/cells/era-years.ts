/** Years that Japan counts by its emperors: 平成22年 is 2010. */

/** The year before the first of each era, by its name and by its letter. Later years than the last belong to the next era. */
const ERAS: readonly (readonly [names: readonly string[], before: number, last: number])[] = [
  [["昭和", "昭", "S"], 1925, 64],
  [["平成", "平", "H"], 1988, 31],
  [["令和", "令", "R"], 2018, 99],
];

const DATE = /^(昭和|平成|令和|[昭平令SHR])\s?(\d{1,2}|元)\s?[年./-]\s?(\d{1,2})\s?[月./-]\s?(\d{1,2})(?!\d)日?/;

/** Makes `2010-4-2` of `平成22年4月2日` or `H22.4.2` at the beginning of a text. Any other text stays as it is. */
export function withoutEra(text: string): string {
  return text.replace(DATE, (whole: string, name: string, count: string, month: string, day: string) => {
    const year = yearOf(name, count === "元" ? 1 : Number(count));
    return year === undefined ? whole : `${year}-${month}-${day}`;
  });
}

/** The year of an era; undefined for one that the era didn't have. */
function yearOf(name: string, count: number): number | undefined {
  const [, before = 0, last = 0] = ERAS.find(([names]) => names.includes(name)) ?? [];
  return count >= 1 && count <= last ? before + count : undefined;
}

/** The era that a title names, and how a year of two digits is counted in it; undefined without one. */
export function eraNamed(
  title: string,
): { readonly name: string; readonly yearOf: (count: number) => number | undefined } | undefined {
  const [name] = /昭和|平成|令和/.exec(title) ?? [];
  return name === undefined ? undefined : { name, yearOf: (count) => yearOf(name, count) };
}
