import { describe, expect, test } from "vitest";
import type { Archive, Entry } from "./archive.ts";
import { findEntry, wrapperOf } from "./find.ts";
import { memoryArchive } from "./memory.ts";
import { withEntries } from "./overlay.ts";

const archiveOf = (...paths: string[]) => memoryArchive("x.zip", Object.fromEntries(paths.map((path) => [path, path])));
const found = (archive: Archive, name: string) => findEntry(archive, name)?.path;

describe("findEntry", () => {
  test.each<[string, string[], string, string | undefined]>([
    ["at the root", ["activities.csv", "x/activities.csv"], "activities.csv", "activities.csv"],
    [
      "in the folder everything lies in",
      ["e_1/activities.csv", "e_1/media/1.jpg"],
      "activities.csv",
      "e_1/activities.csv",
    ],
    ["below that folder", ["e_1/a/1.fit", "e_1/a/2.fit"], "a/1.fit", "e_1/a/1.fit"],
    ["in the one zip there is", ["e.zip!/activities.csv", "e.zip!/bikes.csv"], "bikes.csv", "e.zip!/bikes.csv"],
    ["in a folder in that zip", ["e.zip!/e/activities.csv", "e.zip!/e/bikes.csv"], "bikes.csv", "e.zip!/e/bikes.csv"],
    ["not in one folder of several", ["a/activities.csv", "b/x.csv"], "activities.csv", undefined],
    ["with other capitals", ["Activities.CSV", "b"], "activities.csv", "Activities.CSV"],
    ["with accents written apart", ["aktivita\u0308ten.csv"], "aktivit\u00e4ten.csv", "aktivita\u0308ten.csv"],
    ["not when two are alike", ["Activities.csv", "ACTIVITIES.csv"], "activities.csv", undefined],
    ["not in an empty archive", [], "activities.csv", undefined],
    ["not when it isn't there", ["a.csv"], "activities.csv", undefined],
  ])("%s", (_, paths, name, expected) => {
    expect(found(archiveOf(...paths), name)).toBe(expected);
  });

  test("the folder everything lies in is known with its slash", () => {
    expect(wrapperOf(archiveOf("e_1/a.csv", "e_1/b/c.csv"))).toBe("e_1/");
    expect(wrapperOf(archiveOf("e_1/a.csv", "e_10/b.csv"))).toBe("");
    expect(wrapperOf(archiveOf("e_1/only.csv"))).toBe("e_1/");
    expect(wrapperOf(archiveOf())).toBe("");
  });
});

describe("withEntries", () => {
  const base = archiveOf("e/a.csv", "e/c.csv");
  const over = withEntries(base, { "b.map.yaml": "mapping", "e/c.csv": "new", z: "last" });

  test("adds entries in their place and covers those of the same path", async () => {
    expect(Array.from(over.entries(), ({ path }) => path)).toEqual(["b.map.yaml", "e/a.csv", "e/c.csv", "z"]);
    expect(Array.from(over.entries(), ({ path }) => path)).toHaveLength(4);
    const read = async (path: string) => Buffer.from(await over.read(over.entry(path) as Entry)).toString();
    expect(await read("b.map.yaml")).toBe("mapping");
    expect(await read("e/c.csv")).toBe("new");
    expect(await read("e/a.csv")).toBe("e/a.csv");
    expect(over.entry("nothing")).toBeUndefined();
    for await (const chunk of over.stream(over.entry("z") as Entry)) expect(Buffer.from(chunk).toString()).toBe("last");
  });

  test("doesn't hide that everything else lies in one folder", () => {
    expect(found(over, "a.csv")).toBe("e/a.csv");
    expect(found(over, "b.map.yaml")).toBe("b.map.yaml");
  });
});
