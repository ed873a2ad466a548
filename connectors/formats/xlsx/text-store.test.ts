import { expect, test } from "vitest";
import { TextStore } from "./text-store.ts";

test("few and many texts are found by their numbers, in any order", async () => {
  for (const count of [1, 63, 64, 65, 1000, 40_000]) {
    const store = new TextStore();
    for (let number = 0; number < count; number++) await store.add(`text ${number} ${"ä".repeat(number % 100)}`);
    expect(store.count).toBe(count);
    for (let step = 0; step < 2000; step++) {
      const number = (step * 7919) % count;
      expect(store.get(number)).toBe(`text ${number} ${"ä".repeat(number % 100)}`);
    }
    store.close();
  }
});

test("empty texts and long ones keep their places", async () => {
  const store = new TextStore();
  const texts = ["", "a".repeat(2 ** 20), "", "", "b", "c".repeat(2 ** 20), ""];
  for (const text of texts) await store.add(text);
  expect(texts.map((_, number) => store.get(number) === texts[number])).toEqual(texts.map(() => true));
  store.close();
  store.close();
});
