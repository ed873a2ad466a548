/** Finds the marker of a folder, and what a lost marker said. */
import { join } from "node:path";
import { FatalError } from "../errors.ts";
import { namesIn, readBytes } from "./files.ts";
import {
  type FormatMarker,
  MARKER_FILE,
  type MarkerOwner,
  readMarker,
  SUMS_FILE,
  TOP_NAMES,
  versionOfLost,
} from "./format-marker.ts";
import { SNAPSHOTS } from "./layout.ts";
import { hasList } from "./snapshot-list.ts";

/**
 * The marker of a repository. If the marker is lost, the kind that its files show; undefined if there is no repository yet.
 *
 * @throws FatalError `repository/none` if the folder holds other files; `repository/newer` if a newer logferry made it
 */
export async function findMarker(root: string): Promise<FormatMarker | "plain" | "encrypted" | undefined> {
  const [text, sums] = [await readBytes(root, MARKER_FILE), await readBytes(root, SUMS_FILE)];
  const marker = text === undefined ? undefined : readMarker(text.toString("utf8"), sums?.toString("utf8"));
  if (typeof marker === "object") return marker;
  if (marker === "newer") {
    throw new FatalError(
      "repository/newer",
      "source",
      `Cannot use ${root}: a newer logferry made this repository. Update logferry.`,
    );
  }
  // Snapshots without a sound marker still make a repository. `check` names the missing parts.
  const names = await namesIn(root);
  const foreign = names.find((one) => !TOP_NAMES.has(one));
  const snapshots = await namesIn(join(root, SNAPSHOTS));
  if (snapshots.length > 0 && (marker === "damaged" || foreign === undefined)) {
    return snapshots.some((name) => name.endsWith(".age")) ? "encrypted" : "plain";
  }
  if (marker === undefined && foreign === undefined) return undefined;
  throw new FatalError(
    "repository/none",
    "source",
    `Cannot use ${root}: it is no snapshot repository${foreign === undefined ? "" : `, and holds ${JSON.stringify(foreign)}`}. Name another folder, or an empty one.`,
  );
}

/** The marker of a repository that has lost it, as far as the other files show it. */
export async function lostMarker(root: string, owner: MarkerOwner): Promise<FormatMarker> {
  const sums = (await readBytes(root, SUMS_FILE))?.toString("utf8");
  return { ...owner, version: versionOfLost(owner, sums, await hasList(root)) };
}
