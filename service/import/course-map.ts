/** Whether a GPX file can be a course's map: an accepted version, and a line to draw. */
import { GPX_VERSIONS } from "../gaps.ts";
import { quoted, Refusal } from "../http/refusals.ts";
import { scanned } from "./decode.ts";

/** How many bytes of a file are searched for its root element. */
const HEAD_BYTES = 4096;

/**
 * Checks that a map can be drawn from these bytes.
 * @throws Refusal `bad-file` when they aren't GPX 1.0 or 1.1, are broken, or hold no line of two positions
 */
export async function refuseUselessMap(bytes: Uint8Array): Promise<void> {
  const file = await scanned(bytes, "gpx");
  const version = versionOf(bytes);
  if (version !== undefined && !GPX_VERSIONS.some((known) => known === version)) {
    throw new Refusal("bad-file", `body: gpx version ${quoted(version)}; ${GPX_VERSIONS.join(" and ")} are accepted`);
  }
  const points = [
    ...file.recordings.map((track) => track.positionCount),
    ...file.routes.map((route) => route.pointCount),
  ];
  if (!points.some((count) => count >= 2)) {
    throw new Refusal("bad-file", "body: holds no track or route of at least two positions");
  }
}

/** The root's `version`; undefined where the head doesn't show one (UTF-16, a long comment). Then the decoder decides. */
function versionOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const root = head.indexOf("<gpx");
  if (root === -1) return undefined;
  const tag = head.slice(root, head.indexOf(">", root) + 1);
  return /\sversion\s*=\s*["']([^"']*)["']/.exec(tag)?.[1];
}
