import { expect, test } from "vitest";
import { sourcesHere } from "./sources-here.ts";

/** Paths of a run that a worker with the folder `/mnt/a` planned, as one with `/srv/b` has them. */
function pathsHere(
  row: { readonly archives: readonly string[]; readonly map?: string },
  ...sources: { path: string }[]
) {
  const { archives, ...options } = row;
  return sourcesHere({ sources }, { archives, options }, "/srv/b").sources;
}

test.each([
  ["an archive", "ana/export.zip", "/mnt/a/ana/export.zip", "/srv/b/ana/export.zip"],
  ["a folder that is written with a slash", "./ana/", "/mnt/a/ana", "/srv/b/ana"],
  ["a file inside a folder", "ana", "/mnt/a/ana/2024/run.fit", "/srv/b/ana/2024/run.fit"],
  ["a folder beside that of the roster", "../exports/ana", "/mnt/exports/ana", "/srv/exports/ana"],
  ["an absolute path", "/data/ana", "/data/ana", "/data/ana"],
  ["an address", "https://host/ana.zip", "https://host/ana.zip", "https://host/ana.zip"],
  ["an archive of another row", "ana", "/mnt/a/joana", "/mnt/a/joana"],
])("the place of %s", (_, written, path, here) => {
  expect(pathsHere({ archives: [written] }, { path })).toEqual([{ path: here }]);
});

test("further parts and the mapping file lie here, too, and the longer of two paths counts", () => {
  const planned = { path: "/mnt/a/club/ana", parts: ["/mnt/a/ana"], mapping: "/mnt/a/maps/ana.map.yaml", name: "ana" };
  expect(pathsHere({ archives: ["ana", "club/ana"], map: "maps/ana.map.yaml" }, planned)).toEqual([
    { path: "/srv/b/club/ana", parts: ["/srv/b/ana"], mapping: "/srv/b/maps/ana.map.yaml", name: "ana" },
  ]);
});

test("a folder with an absolute path stays, also where a relative one of the row ends like it", () => {
  const row = { archives: ["ana", "/data/old/ana"] };
  const planned = ["/mnt/a/ana", "/data/old/ana", "/data/old/ana/2024/run.fit"].map((path) => ({ path }));
  expect(pathsHere(row, ...planned).map(({ path }) => path)).toEqual([
    "/srv/b/ana",
    "/data/old/ana",
    "/data/old/ana/2024/run.fit",
  ]);
});
