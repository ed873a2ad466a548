/** Files packed with gzip by others, whole and damaged. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CORPUS } from "../support/shared.ts";
import { unpacked } from "../support/unpacked.ts";

const read = (name: string) => unpacked(readFileSync(join(CORPUS, "derived", name)));

test("a FIT file is packed under either name", async () => {
  const { whole, chunks } = await read("fit_ok.fit.gz");
  expect(whole.content?.slice(8, 12)).toBe(".FIT");
  expect(chunks.content).toBe(whole.content);
  expect((await read("fit_gz_named_fit.fit")).whole).toEqual(whole);
});

test("cut short it gives its first part, packed twice it gives all", async () => {
  const { whole } = await read("fit_ok.fit.gz");
  const cut = await read("fit_gz_truncated.fit.gz");
  expect(cut.whole.rules).toEqual(["gzip/cut-short"]);
  expect(whole.content?.startsWith(cut.whole.content as string)).toBe(true);
  const twice = await read("fit_gz_twice.fit.gz");
  expect(twice.whole).toEqual({ content: whole.content, rules: ["gzip/twice"] });
  expect(twice.chunks).toEqual(twice.whole);
});
