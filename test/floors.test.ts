import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { expect, test } from "vitest";

// The house (CONTRIBUTING.md): files import from their own floor or a floor below, never up. `service/` stands beside and
// may use the format decoders only, so that client and server stay two independent readings of the interface document.
const FLOORS = ["transforms", "connectors", "pipelines", "cli"];
const ROOT = join(import.meta.dirname, "..");

interface Import {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found: Import[] = [];
  for (const match of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)) {
    const target = relative(ROOT, join(ROOT, dirname(file), match[1] ?? ""));
    found.push({ file, line: text.slice(0, match.index).split("\n").length, target });
  }
  return found;
}

function folderOf(path: string): string {
  return path.split(sep)[0] ?? "";
}

function describe(found: readonly Import[]): string[] {
  return found.map(({ file, line, target }) => `${file}:${line} imports ${target}`);
}

test("no file of the tower imports from a floor above, nor from the service, the tests or the fixtures", () => {
  const uphill = FLOORS.flatMap((floor, height) =>
    sources(floor)
      .flatMap(importsOf)
      .filter(({ file, target }) => {
        const to = FLOORS.indexOf(folderOf(target));
        // `logferry serve` starts the service, `logferry operator` opens its database, and a drill restores into one of its own; nothing
        // else of the tower knows it.
        if (folderOf(target) === "service")
          return !["commands/serve.ts", "commands/operator.ts", "backup/private-log.ts"].includes(
            relative("cli", file),
          );
        return to === -1 || to > height;
      }),
  );
  expect(describe(uphill)).toEqual([]);
});

test("the service imports nothing of the tower but the format decoders", () => {
  const shared = sources("service")
    .flatMap(importsOf)
    .filter(({ target }) => folderOf(target) !== "service" && !target.startsWith(join("connectors", "formats") + sep));
  expect(describe(shared)).toEqual([]);
});

test("formats know no platform and not the log", () => {
  const wrong = sources(join("connectors", "formats"))
    .flatMap(importsOf)
    .filter(
      ({ target }) => folderOf(target) === "connectors" && !target.startsWith(join("connectors", "formats") + sep),
    );
  expect(describe(wrong)).toEqual([]);
});

test("connectors never touch the disk: only archives, exports, snapshot repositories and the command line import node:fs", () => {
  const allowed = ["containers", "exports", "repository"].map((folder) => join("connectors", folder) + sep);
  const touching = ["transforms", "connectors"]
    .flatMap(sources)
    .filter((file) => !allowed.some((folder) => file.startsWith(folder)))
    .filter((file) => /from "node:fs(\/promises)?"/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(touching).toEqual([]);
});

test("every import names a file that the test can read: nothing is loaded by a computed name", () => {
  const computed = [...FLOORS, "service"]
    .flatMap(sources)
    .filter((file) =>
      /\bimport\(\s*[^")]/.test(readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")),
    );
  expect(computed).toEqual([]);
});
