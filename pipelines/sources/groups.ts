/** The zips, folders and tables at the top of an archive, each of which may be an export. */
import type { Archive } from "../../connectors/containers/archive.ts";
import { wrapperOf } from "../../connectors/containers/find.ts";
import { FatalError } from "../../connectors/errors.ts";
import { mappedTables } from "../../connectors/platforms/csv/find-mapping.ts";
import { isMappingName } from "../../connectors/platforms/table/mapping/mapping-files.ts";
import { joined } from "./companion-zips.ts";

/** Most zips and folders beside each other that are looked at. A folder with more of them holds single activities, no exports. */
const MOST_GROUPS = 64;

/** A zip, a folder or a file at the top of an archive. */
export interface Group {
  /** The beginning of its paths; of a file, its path. */
  readonly root: string;
  readonly kind: "zip" | "folder" | "file";
  /** Its files, with each run of digits as `#`: two exports of one platform have the same. Recordings are left out. */
  readonly shapes: ReadonlySet<string>;
  /** The mapping files that a person wrote for it, if it is a table. They are read with it. */
  readonly mappings?: readonly string[];
  /** The beginnings of the paths of zips without workouts that belong to it. */
  readonly companions?: readonly string[];
}

/** Recordings and their copies, texts and pictures say nothing about the kind of an export. */
export const SAYS_NOTHING = /\.(?:fit|gpx|tcx|kml|kmz|html?|pdf|jpe?g|png|md)(?:\.gz)?$/i;

/** Whether a group is a zip. */
export function isZip({ kind }: Group): boolean {
  return kind === "zip";
}

/** Whether a file belongs to a group. */
export function isIn({ kind, root, mappings = [], companions = [] }: Group, path: string): boolean {
  if (kind === "file") return path === root || mappings.includes(path);
  return [root, ...companions].some((each) => path.startsWith(each));
}

/** The mapping files of each table. One that can't be read belongs to the table of its name. */
async function mappingsIn(archive: Archive): Promise<(table: string) => readonly string[]> {
  const pairs = await mappedTables(archive).catch((error: unknown) => {
    if (error instanceof FatalError) return [];
    throw error;
  });
  const byName = (table: string) =>
    [table, table.replace(/\.[^./]+$/, "")].flatMap((stem) => [`${stem}.map.yaml`, `${stem}.map.yml`]);
  return (table) => [
    ...byName(table),
    ...pairs.filter((pair) => pair.table.path === table).map(({ mappingEntry }) => mappingEntry.path),
  ];
}

/** The zips and folders; none if there are too many. */
export function groupsOf(archive: Archive): readonly Group[] {
  const wrapper = wrapperOf(archive);
  const groups = new Map<string, { root: string; kind: "zip" | "folder"; shapes: Set<string> }>();
  for (const { path } of archive.entries()) {
    const slash = path.indexOf("/", wrapper.length);
    if (slash === -1) continue;
    const root = path.slice(0, slash + 1);
    let group = groups.get(root);
    if (group === undefined) {
      if (groups.size === MOST_GROUPS) return [];
      group = { root, kind: root.endsWith("!/") ? "zip" : "folder", shapes: new Set() };
      groups.set(root, group);
    }
    if (!SAYS_NOTHING.test(path)) group.shapes.add(path.slice(slash + 1).replaceAll(/\d+/g, "#"));
  }
  return joined([...groups.values()], zipOf).map(({ host, companions }) =>
    companions.length === 0 ? host : { ...host, companions: companions.map(({ root }) => root) },
  );
}

/** The name of a group's zip. */
function zipOf({ kind, root }: Group): string | undefined {
  return kind === "zip" ? root.slice(0, -2).replace(/^.*\//, "") : undefined;
}

/** Files at the top of an archive that may be an export each: tables, and records of JSON and XML. */
export async function filesOf(archive: Archive): Promise<readonly Group[]> {
  const mappings = await mappingsIn(archive);
  const wrapper = wrapperOf(archive);
  const files: Group[] = [];
  for (const { path } of archive.entries()) {
    if (path.indexOf("/", wrapper.length) !== -1 || SAYS_NOTHING.test(path) || isMappingName(path)) continue;
    if (files.length === MOST_GROUPS) break;
    files.push({ root: path, kind: "file", shapes: new Set([path.replaceAll(/\d+/g, "#")]), mappings: mappings(path) });
  }
  return files;
}

/** Whether two groups have mostly the same files. One export has its tables once, even if it has many folders. */
export function haveSameFiles(groups: readonly Group[]): boolean {
  return groups.some(({ shapes: ours }, index) =>
    groups.slice(index + 1).some(({ shapes: theirs }) => {
      const same = [...ours].filter((shape) => theirs.has(shape)).length;
      return same > 0 && 2 * same >= Math.min(ours.size, theirs.size);
    }),
  );
}
