import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAst } from "vitest/node";

const ROOT = join(import.meta.dirname, "..");
const PRINTS = new Set(["say", "conclude", "warn", "remark"]);

interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly property?: { readonly name?: string };
  readonly callee?: Node;
  readonly arguments?: readonly Node[];
}

/** Every text that is written down in an expression, in a template too. */
function textsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, value } = node as Node;
  const own =
    type === "Literal" && typeof value === "string"
      ? [value]
      : type === "TemplateElement"
        ? [(value as { readonly cooked: string }).cooked]
        : [];
  // A function in it says what to print elsewhere, and to whom.
  return [...own, ...Object.values(node).flatMap(textsIn)];
}

function callsIn(node: unknown): Node[] {
  if (typeof node !== "object" || node === null) return [];
  const call = node as Node;
  const own = call.type === "CallExpression" && PRINTS.has(call.callee?.property?.name ?? "") ? [call] : [];
  return [...own, ...Object.values(node).flatMap(callsIn)];
}

test("what the command line prints is a line an argument: a line end inside one would be spelt out", () => {
  const files = globSync("cli/**/*.ts", { cwd: ROOT }).filter((path) => !path.endsWith(".test.ts"));
  let calls = 0;
  const broken = files.flatMap((path) =>
    callsIn(parseAst(readFileSync(join(ROOT, path), "utf8"), { lang: "ts" })).flatMap((call) => {
      calls++;
      const texts = textsIn(call.arguments).filter((text) => text.includes("\n") && text !== "\n");
      return texts.map((text) => `${path}: ${JSON.stringify(text)}`);
    }),
  );
  expect(calls).toBeGreaterThan(100);
  expect(broken).toEqual([]);
});
