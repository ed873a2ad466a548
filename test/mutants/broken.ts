/** Readers that do forbidden things. They show that `reader.ts` notices each of them. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { yardstick } from "../support/growth.ts";
import type { Parser } from "./parsers.ts";

let calls = 0;
const kept: Uint8Array[] = [];

/** Does it at the fourth mutant only, since the sound input comes first. */
function broken(name: string, act: () => unknown): Parser {
  return {
    name: `broken:${name}`,
    seeds: () => [Buffer.from("sound")],
    damage: [],
    words: ["word"],
    read: () => (calls++ === 4 ? act() : undefined),
  };
}

function compute(yardsticks: number): void {
  for (let one = 0; one < yardsticks; one++) yardstick();
}

export const BROKEN: readonly Parser[] = [
  broken("throws", () => {
    throw new TypeError("not an error of its own");
  }),
  broken("computes", () => compute(10)),
  broken("never-ends", () => compute(Number.POSITIVE_INFINITY)),
  broken("grows", () => void kept.push(new Uint8Array(400 * 2 ** 20).fill(1))),
  broken("writes", () => writeFileSync(join(import.meta.dirname, "written-by-a-mutant"), "x")),
  broken("leaves-a-file", () => writeFileSync(join(tmpdir(), "left"), "x")),
  broken("starts", () => {
    const { error } = spawnSync("true");
    if (error !== undefined) throw error;
  }),
  broken("pollutes", () => Object.assign(Object.prototype, { polluted: 1 })),
  broken("prints", () => console.log("hello")),
  broken("rejects-later", () => {
    setImmediate(() => Promise.reject(new TypeError("later")));
    return new Promise((resolve) => setTimeout(resolve, 20));
  }),
];
