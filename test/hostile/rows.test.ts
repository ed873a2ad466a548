import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HOSTILE_ROWS } from "../../docs/hostile.ts";
import { ROOT } from "../support/rehearsal.ts";

/** Names at the beginning of titles of tests, such as "Z1 Z4 inspect goes on". */
const held = new Map<string, string[]>();
for (const path of globSync("**/*.test.ts", { cwd: ROOT, exclude: ["node_modules", "dist"] })) {
  const text = readFileSync(join(ROOT, path), "utf8");
  for (const [, names = ""] of text.matchAll(/\(\s*["'`]((?:[A-Z]\d{1,2} )+)[^"'`\n]{10,}/g))
    for (const name of names.trim().split(" ")) held.set(name, [...(held.get(name) ?? []), path]);
}
const rows = Object.values(HOSTILE_ROWS).flat();

test.each(rows)("$row ($given) is the title of a test", ({ row }) => {
  expect(held.get(row) ?? []).not.toEqual([]);
});

test("no row is named twice, and no test names one that the page doesn't have", () => {
  const names = rows.map(({ row }) => row);
  expect(new Set(names).size).toBe(names.length);
  const letters = new Set(names.map((name) => name[0]));
  const others = [...held.keys()].filter((name) => letters.has(name[0] ?? "") && !names.includes(name));
  expect(others).toEqual([]);
});

test("the rows asked for are all there", () => {
  const asked = [
    "Z1-11",
    "X1-6",
    "F1-5",
    "C1-3",
    "W1-8",
    "J1-2",
    "R1-1",
    "E1-2",
    "T1-2",
    "N1-6",
    "S1-6",
    "S9-10",
    "S12-13",
  ].flatMap((range) => {
    const [, letter = "", first = "", last = ""] = /^([A-Z])(\d+)-(\d+)$/.exec(range) ?? [];
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => `${letter}${Number(first) + at}`);
  });
  expect(asked.filter((row) => !rows.some((one) => one.row === row))).toEqual([]);
});
