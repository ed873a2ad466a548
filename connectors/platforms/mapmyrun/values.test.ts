import { expect, test } from "vitest";
import { dayOf, idOf, notesOf, shoesOf } from "./values.ts";

test.each([
  ["May 6, 2025", "2025-05-06"],
  ["Aug. 1, 2024", "2024-08-01"],
  ["Sept. 9, 2018", "2018-09-09"],
  ["31-Jul-24", "2024-07-31"],
  ["29-Feb-00", "2000-02-29"],
  ["31-Dec-99", "1999-12-31"],
])("%s is the day %s", (text, day) => expect(dayOf(text)).toBe(day));

test.each(["20-06-23", "Feb. 30, 2016", "06/05/2025", ""])(
  "%j stays as it is, because no day follows from it",
  (text) => expect(dayOf(text)).toBe(text),
);

test("the number of a workout is the same on every site of the family, and a link without one gives none", () => {
  expect(idOf("http://www.mapmyride.com/workout/123")).toBe("123");
  expect(idOf("https://www.mapmyfitness.com/workout/123/")).toBe("123");
  expect(idOf("http://www.mapmyfitness.com/")).toBeUndefined();
});

test("notes that are written as bytes become text, with their shoes apart", () => {
  const bytes = String.raw`b"it's a caf\xc3\xa9\nShoes: Hoka Mach 4\nback\\slash"`;
  expect(notesOf(bytes)).toBe("it's a café\nback\\slash");
  expect(shoesOf(bytes)).toBe("Hoka Mach 4");
  expect(shoesOf(String.raw`b'Shoes: Salom\xc3\xb3n'`)).toBe("Salomón");
});

test.each([String.raw`b'\xff\xfe'`, "b'cafés'", "b'"])(
  "notes that only look like bytes stay as they are: %s",
  (notes) => expect(notesOf(notes)).toBe(notes),
);

test.each(["T005 easy Shoes: Saucony Ride 15", "b'T005 easy Shoes: Saucony Ride 15'"])(
  "shoes at the end of a note are read, and the note keeps its words: %s",
  (cell) => {
    expect(shoesOf(cell)).toBe("Saucony Ride 15");
    expect(notesOf(cell)).toBe("T005 easy Shoes: Saucony Ride 15");
  },
);

test.each([
  "Tried new Shoes: they hurt",
  "My Shoes: Saucony or Hoka? Both too small",
  "Shop again for Shoes: Big toe hurt. Look for a wider pair",
  "Left Shoes: Saucony, right one of Hoka",
  "Saw a sign with Shoes: Best of the town for all the people here",
])("what a person writes of shoes is no shoe: %s", (note) => {
  expect(shoesOf(note)).toBeUndefined();
  expect(notesOf(note)).toBe(note);
});

test("shoes in the middle of a sentence belong to the notes", () => {
  expect(notesOf("New Shoes: bought")).toBe("New Shoes: bought");
  expect(shoesOf("New Shoes: bought")).toBeUndefined();
  expect(notesOf("Shoes: A")).toBeUndefined();
});
