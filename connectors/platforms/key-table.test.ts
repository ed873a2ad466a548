import { expect, test } from "vitest";
import { KeyTable } from "./key-table.ts";

test("of ten thousand keys, each is counted for itself, however often it comes", () => {
  const table = new KeyTable();
  const keys = Array.from({ length: 10_000 }, (_, index) => `strava:workout:${index}`);
  expect(keys.every((key) => table.count(key) === 1)).toBe(true);
  expect(keys.toReversed().every((key) => table.count(key) === 2)).toBe(true);
  expect(table.count("strava:workout:10000")).toBe(1);
});

test("facts are compared with those of the first record, also after the table grew", () => {
  const table = new KeyTable();
  expect(table.isAsFirst("a", "10 km")).toBe(true);
  for (let index = 0; index < 5000; index++) table.count(`other ${index}`);
  expect(table.isAsFirst("a", "10 km")).toBe(true);
  expect(table.isAsFirst("a", "12 km")).toBe(false);
  expect(table.isAsFirst("b", "12 km")).toBe(true);
  expect(table.count("a")).toBe(1);
});

test("facts that come when the table is large belong to their own key, and stay when it grows further", () => {
  const table = new KeyTable();
  for (let index = 0; index < 5000; index++) table.count(`key ${index}`);
  for (let index = 0; index < 5000; index++) table.isAsFirst(`key ${index}`, `${index} km`);
  for (let index = 0; index < 20_000; index++) table.count(`other ${index}`);
  const keys = Array.from({ length: 5000 }, (_, index) => index);
  expect(keys.every((index) => table.isAsFirst(`key ${index}`, `${index} km`))).toBe(true);
  expect(keys.some((index) => table.isAsFirst(`key ${index}`, `${index + 1} km`))).toBe(false);
  expect(keys.every((index) => table.count(`key ${index}`) === 2)).toBe(true);
});

test("each kind of facts is compared with its own first, before and after the table grew", () => {
  const table = new KeyTable();
  for (let index = 0; index < 300; index++) table.isAsFirst(`key ${index}`, `${index} km`);
  for (let index = 0; index < 300; index += 2) table.isAsFirst(`key ${index}`, `title ${index}`, "title");
  for (let index = 0; index < 20_000; index++) table.count(`other ${index}`);
  for (let index = 0; index < 300; index++) {
    expect(table.isAsFirst(`key ${index}`, `${index} km`)).toBe(true);
    expect(table.isAsFirst(`key ${index}`, "another title", "title")).toBe(index % 2 === 1);
  }
});
