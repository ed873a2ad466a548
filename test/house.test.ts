import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { DOORS, FLOORS, MOST_IN_A_FOLDER, MOST_OUTSIDE_A_ROOM, SERVICE_USERS } from "./support/house.ts";

// The house (CONTRIBUTING.md): floors, rooms and doors. Every breach is reported with the line that makes it.

const ROOT = join(import.meta.dirname, "..");
const HOUSE = [...FLOORS, "service"];

interface Import {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

/** logferry's files below a folder, without tests and files that only tests use. */
function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("test/"))
    .map((name) => join(folder, name));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map((match) => {
    const target = relative(ROOT, join(ROOT, dirname(file), match[1] ?? ""));
    return { file, line: text.slice(0, match.index).split("\n").length, target };
  });
}

const IMPORTS = HOUSE.flatMap(sources).flatMap(importsOf);

const floorOf = (path: string) => path.split("/")[0] ?? "";

/** The room of a file: the folder below its floor. A file that lies on the floor is a room by itself. */
const roomOf = (path: string) => path.split("/").slice(0, 2).join("/");

function lines(found: readonly Import[]): string[] {
  return found.map(({ file, line, target }) => `${file}:${line} imports ${target}`);
}

/** Circles: the imports that lead from a node back to itself. @param nodeOf the node of a path: its file or its room */
function circles(nodeOf: (path: string) => string): string[] {
  const edges = IMPORTS.filter(({ file, target }) => nodeOf(file) !== nodeOf(target));
  const next = Map.groupBy(edges, ({ file }) => nodeOf(file));
  const reached = new Map<string, Set<string>>();
  for (const start of next.keys()) {
    const seen = new Set<string>();
    const open = [start];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { target } of next.get(node) ?? []) {
        if (seen.has(nodeOf(target))) continue;
        seen.add(nodeOf(target));
        open.push(nodeOf(target));
      }
    }
    reached.set(start, seen);
  }
  return lines(edges.filter(({ file, target }) => reached.get(nodeOf(target))?.has(nodeOf(file)) ?? false));
}

test("files import from their own floor or one below, and the service, the tests and the fixtures stand apart", () => {
  const uphill = IMPORTS.filter(({ file, target }) => {
    const [from, to] = [FLOORS.indexOf(floorOf(file)), FLOORS.indexOf(floorOf(target))];
    if (from === -1) return false;
    return floorOf(target) === "service" ? !SERVICE_USERS.includes(file) : to === -1 || to > from;
  });
  expect(lines(uphill)).toEqual([]);
});

test("the service imports nothing of the tower but the format decoders", () => {
  const shared = IMPORTS.filter(
    ({ file, target }) =>
      floorOf(file) === "service" && floorOf(target) !== "service" && roomOf(target) !== "connectors/formats",
  );
  expect(lines(shared)).toEqual([]);
});

test("formats know no platform and not the log", () => {
  const wrong = IMPORTS.filter(
    ({ file, target }) => roomOf(file) === "connectors/formats" && /^connectors\/(?!formats\/)/.test(target),
  );
  expect(lines(wrong)).toEqual([]);
});

test("no file imports itself through others, type imports included", () => {
  expect(circles((path) => path)).toEqual([]);
});

test("no room imports itself through others, type imports included", () => {
  expect(circles(roomOf)).toEqual([]);
});

test("no folder inside a room imports itself through others, type imports included", () => {
  // Files beside inner folders put these together, so each stands for itself.
  const withFolders = new Set(IMPORTS.map(({ file }) => dirname(dirname(file))));
  const isInner = (folder: string) => folder.split("/").length > 2 && !withFolders.has(folder);
  expect(circles((path) => (isInner(dirname(path)) ? dirname(path) : path))).toEqual([]);
});

test("no folder has so many files that nobody finds one", () => {
  const files = Map.groupBy(HOUSE.flatMap(sources), dirname);
  const full = [...files].filter(([, { length }]) => length > MOST_IN_A_FOLDER);
  expect(full.map(([folder, { length }]) => `${folder} has ${length} files`)).toEqual([]);
});

test("a room is entered by its doors alone", () => {
  const inner = IMPORTS.filter(({ file, target }) => {
    const doors = DOORS[roomOf(target)];
    if (roomOf(file) === roomOf(target) || roomOf(target) === target) return false;
    return doors !== "open" && !doors?.includes(target.slice(roomOf(target).length + 1));
  });
  expect(lines(inner)).toEqual([]);
});

test("every door leads to a file that somebody uses", () => {
  const used = new Set(
    IMPORTS.filter(({ file, target }) => roomOf(file) !== roomOf(target)).map(({ target }) => target),
  );
  const doors = Object.entries(DOORS).flatMap(([room, files]) =>
    files === "open" ? [] : files.map((name) => `${room}/${name}`),
  );
  expect(doors.filter((door) => !used.has(door))).toEqual([]);
});

test("every room is in the list, and a floor keeps few files outside its rooms", () => {
  const rooms = HOUSE.flatMap((floor) =>
    readdirSync(join(ROOT, floor), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && `${floor}/${entry.name}` !== "service/test")
      .map((entry) => `${floor}/${entry.name}`),
  );
  expect(Object.keys(DOORS).toSorted()).toEqual(rooms.toSorted());
  for (const floor of HOUSE) {
    const outside = sources(floor).filter((file) => roomOf(file) === file);
    expect(outside.length, outside.join(" ")).toBeLessThanOrEqual(MOST_OUTSIDE_A_ROOM);
  }
});

test("connectors never touch the disk: only containers, exports, snapshot repositories and the command line import node:fs", () => {
  const allowed = ["connectors/containers", "connectors/exports", "connectors/repository"];
  const touching = ["transforms", "connectors"]
    .flatMap(sources)
    .filter((file) => !allowed.includes(roomOf(file)))
    .filter((file) => /from "node:fs(\/promises)?"/.test(readFileSync(join(ROOT, file), "utf8")));
  expect(touching).toEqual([]);
});

test("every import names a file that the test can read: nothing is loaded by a computed name", () => {
  const computed = HOUSE.flatMap(sources).filter((file) =>
    /\bimport\(\s*[^")]/.test(readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")),
  );
  expect(computed).toEqual([]);
});
