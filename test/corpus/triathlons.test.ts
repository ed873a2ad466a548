/** Files of real triathlons and duathlons, imported into the service by the command. Each leg has the track that its watch recorded. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import type { Recording } from "../../connectors/formats/recording.ts";
import { jsonLines } from "../support/cli.ts";
import { type Rehearsal, rehearse } from "../support/rehearsal.ts";
import { CORPUS } from "../support/shared.ts";

/** The expected legs, as their sessions state them, in order. Everything else in the file is a change between two legs. */
const FILES: readonly (readonly [path: string, legs: readonly string[]])[] = [
  ["fit/dtcooper__python-fitparse/tests/files/activity-large-fenxi2-multisport.fit", ["running", "running", "cycling"]],
  ["fit/GoldenCheetah__GoldenCheetah/test/rides/MultiSport-2019-11-24.fit", ["swimming", "cycling", "running"]],
];

test.each(FILES)("%s: a workout a leg, each with its own track", async (path, sports) => {
  const rehearsal = await rehearse("kilometres", { database: ":memory:" });
  try {
    const folder = join(rehearsal.folder, "watch");
    mkdirSync(folder);
    copyFileSync(join(CORPUS, path), join(folder, basename(path)));
    const words = ["import", folder, "--json", "--settle", "0.3", "--zone", "UTC", ...rehearsal.activities];
    const imported = await rehearsal.run(words);
    expect([0, 3], imported.err).toContain(imported.code);
    const legs = decodeDeviceFile(readFileSync(join(CORPUS, path)), "decode").recordings.filter(
      ({ sport = "" }) => !["transition", "generic"].includes(sport),
    );
    expect(legs.map(({ sport }) => sport)).toEqual(sports);
    const tracks = await tracksOf(rehearsal);
    expect(tracks.map(seen)).toEqual(legs.map(seen));
    expect((await rehearsal.run(["verify"])).code).toBe(0);
    const again = await rehearsal.run(words);
    const { ledger } = jsonLines(again.out).findLast(({ type }) => type === "summary") as { ledger: object };
    expect(ledger).toMatchObject({ created: 0, updated: 0, unchanged: legs.length });
  } finally {
    await rehearsal.close();
  }
});

/** The track that a page shows: every point that has a time, with its place and heart rate. */
function seen({ points = [] }: Recording) {
  return points
    .filter(({ instant }) => instant !== undefined)
    .map(({ instant, position, elevation, heartRate }) => [instant, position, elevation, heartRate]);
}

async function tracksOf({ service, userId }: Rehearsal): Promise<Recording[]> {
  const { entries } = await service.store.workouts(userId, { limit: 100, offset: 0 }, []);
  const tracks: Recording[] = [];
  for (const { id } of entries) {
    const stored = await service.store.track(userId, id);
    const file = stored && decodeDeviceFile(gunzipSync(stored.packed), "decode");
    const track = stored && file?.recordings[stored.recording];
    if (track !== undefined) tracks.push(track);
  }
  return tracks.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0));
}
