import { expect, test } from "vitest";
import { calledGearBook, type GearLine, GearUse } from "../table/lists/called-gear.ts";
import { RULES } from "./table.ts";

const lists = { "shoes.csv": "shoe", "bikes.csv": "bike" } as const;
const gearBook = (listed: readonly GearLine[], use: GearUse) =>
  calledGearBook(listed, use, { prefix: "strava", lists, rules: RULES });

const lines: readonly GearLine[] = [
  { kind: "shoe", name: "Asics 01", brand: "ASICS", model: "Gel-Cumulus 24 SE", line: 2 },
  { kind: "shoe", name: "Asics 02", brand: "ASICS", model: "Gel-Cumulus 24 SE", line: 3 },
  { kind: "shoe", name: "Pulse 11", brand: "ASICS", model: "Asics Gel Pulse 11 Masculino", line: 4 },
  { kind: "shoe", name: "Blue bolts", brand: "Saucony", model: "Endorphin Speed 3", line: 5 },
  { kind: "shoe", name: "", brand: "Adidas", model: "Adizero Evo SL", line: 6 },
  { kind: "bike", name: "Caloi 500", brand: "", model: "", line: 2 },
];

function bookOf(rows: readonly { text?: string; bike?: string; shoes?: string }[], listed = lines) {
  const use = new GearUse();
  const cells = rows.map(({ text = "", bike, shoes }) => ({ text, bike, shoes }));
  for (const row of cells) use.add(row, row.bike === undefined ? "run" : "bike");
  const book = gearBook(listed, use);
  const named = (index: number) => {
    const key = book.keyFor(cells[index] ?? { text: "", bike: undefined, shoes: undefined });
    return book.gear.find((gear) => gear.key === key);
  };
  return { book, named };
}

test("a row names a shoe by its name, by brand, model and name, or by brand and model, with any blanks and capitals", () => {
  const { named, book } = bookOf([
    { text: "Pulse 11" },
    { text: "ASICS Asics Gel Pulse 11 Masculino Pulse 11" },
    { text: "adidas adizero  evo sl " },
    { text: "Caloi 500", bike: "77" },
  ]);
  expect([named(0)?.line?.line, named(1)?.line?.line, named(2)?.line?.line]).toEqual([4, 4, 6]);
  expect(named(3)?.value).toEqual({ activity: "bike", modelName: "Caloi 500" });
  expect(book.gear).toHaveLength(lines.length);
});

test("a row with a number alone is the shoe that other rows call that number", () => {
  const { named } = bookOf([{ shoes: "14898319" }, { text: "Blue bolts", shoes: "14898319" }]);
  expect(named(0)?.line?.name).toBe("Blue bolts");
});

test("a shoe that was renamed is one shoe, by its number", () => {
  const { named } = bookOf([
    { text: "My first pair", shoes: "5" },
    { text: "Pulse 11", shoes: "5" },
    { text: "My first pair" },
  ]);
  expect([named(0)?.line?.line, named(1)?.line?.line, named(2)?.line?.line]).toEqual([4, 4, 4]);
});

test("two shoes of one name are two, by their numbers, and the workouts of each stay its own", () => {
  const pegasus = [2, 3].map((line) => ({
    kind: "shoe" as const,
    name: "Pegasus",
    brand: "Nike",
    model: "Pegasus",
    line,
  }));
  const rows = [
    { text: "Pegasus", shoes: "900" },
    { text: "Nike Pegasus", shoes: "14898319" },
    { shoes: "900" },
    { text: "Pegasus" },
  ];
  const listed = bookOf(rows, pegasus);
  expect([0, 1, 2].map((index) => listed.named(index)?.line?.line)).toEqual([2, 3, 2]);
  expect(listed.book.gear.map(({ value }) => value.serial)).toEqual(["900", "14898319"]);
  // The list has one of the two: the other was deleted. A row with the name alone can't say which it means.
  const one = bookOf(rows, pegasus.slice(0, 1));
  expect(one.named(0)?.line?.line).toBe(2);
  expect(one.named(1)).toEqual({
    key: "strava:equipment:shoe:14898319",
    line: undefined,
    value: { activity: "run", brandName: "Nike", modelName: "Pegasus", serial: "14898319" },
    issue: {
      severity: "warning",
      rule: "strava/same-gear",
      found: "number 14898319, Nike Pegasus",
      expected: "a name of its own: number 900 has this name, too. The two numbers stay two pieces",
    },
  });
  const unlisted = bookOf([{ text: "Old", shoes: "5" }, { text: "Old", shoes: "12" }, { text: "Old" }], []);
  expect(unlisted.named(0)?.key).not.toBe(unlisted.named(1)?.key);
  expect(unlisted.named(1)?.issue?.expected).toContain("1 row has the name alone, and counts for number 5");
});

test("gear that was deleted or never named is made from what the rows know, and reported", () => {
  const { named } = bookOf([{ shoes: "1733900" }, { text: "Old Brooks" }, { text: "Stolen", bike: "9" }]);
  expect(named(0)).toMatchObject({
    value: { activity: "run", serial: "1733900" },
    issue: { rule: "strava/unlisted-gear" },
  });
  expect(named(1)).toMatchObject({ value: { activity: "run", modelName: "Old Brooks" } });
  expect(named(2)).toMatchObject({ value: { activity: "bike", modelName: "Stolen" }, line: undefined });
});

test("the name is the serial where several pairs are one model, or where it says more than brand and model", () => {
  const { book } = bookOf([]);
  expect(book.gear.map(({ value }) => value.serial)).toEqual([
    "Asics 01",
    "Asics 02",
    undefined,
    "Blue bolts",
    undefined,
    undefined,
  ]);
});

test("two pairs of one model without names are remarked on: the log can't tell them apart", () => {
  const twice = [6, 7].map((line) => ({ kind: "shoe" as const, name: "", brand: "Adidas", model: "Evo", line }));
  const { book } = bookOf([], twice);
  expect(new Set(book.gear.map(({ key }) => key)).size).toBe(2);
  expect(book.gear.map(({ issue }) => issue?.rule)).toEqual(["strava/same-gear", "strava/same-gear"]);
});

test("a row without gear has none", () => {
  const { book } = bookOf([]);
  expect(book.keyFor({ text: " ", bike: undefined, shoes: undefined })).toBeUndefined();
});

test("a word such as Default shoe is no shoe beside the real ones, unless a list gives it a brand or a model", () => {
  const none = { kind: "shoe" as const, name: "Default shoe", brand: "", model: "", line: 8 };
  const rows = [
    { text: "Default Shoe" },
    { text: "Unknown", shoes: "7" },
    { text: "Pulse 11" },
    { text: "Default  shoe" },
  ];
  const { book, named } = bookOf(rows, [...lines, none]);
  expect([named(0), named(1), named(3)]).toEqual([undefined, undefined, undefined]);
  expect(named(2)?.line?.line).toBe(4);
  expect(book.gear).toHaveLength(lines.length);
  expect(book.placeholders.map(({ rule, found, count }) => [rule, found, count])).toEqual([
    ["table/placeholder-gear", "Default Shoe", 2],
    ["table/placeholder-gear", "Unknown", undefined],
  ]);
  const real = bookOf([{ text: "Default" }], [{ ...none, name: "Default", brand: "Nike", model: "Pegasus 40" }]);
  expect(real.named(0)?.value).toMatchObject({ brandName: "Nike", modelName: "Pegasus 40" });
  expect(real.book.placeholders).toEqual([]);
});

test("the order of the rows changes nothing", () => {
  const rows = [{ text: "A", shoes: "1" }, { text: "B", shoes: "1" }, { text: "C", bike: "2" }, { shoes: "3" }];
  const keysOf = (order: typeof rows) => bookOf(order).book.gear.map(({ key, value }) => [key, value]);
  expect(keysOf([...rows].reverse())).toEqual(keysOf(rows));
});
