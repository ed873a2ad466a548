/** Reads the lines on the map that a run's sources have: the tracks of workouts, and the courses. */
import { ItemError } from "../../connectors/errors.ts";
import { decodeDeviceFile } from "../../connectors/formats/device-file.ts";
import type { Point } from "../../connectors/formats/recording.ts";
import { type ThinLine, thinLine } from "../../transforms/courses/thin-line.ts";
import type { Course } from "../../transforms/model/course.ts";
import type { TrackRef } from "../../transforms/model/workout.ts";
import type { SourceFiles } from "./source-files.ts";

/** Reads one line at a time. A line that can't be read is undefined. */
export interface SourceLines {
  track(source: number, track: TrackRef): Promise<ThinLine | undefined>;
  course(source: number, course: Course): Promise<ThinLine | undefined>;
}

/** Reads lines out of the files of a run. */
export function sourceLines(files: Pick<SourceFiles, "track" | "leg" | "courseMap">): SourceLines {
  return {
    track: (source, track) =>
      readable(async () => {
        // The file of a platform's own record is made anew, and has that one recording.
        const bytes = track.made === undefined ? await files.track(source, track) : await files.leg(source, track);
        const at = track.made === undefined ? track.recording : 0;
        return bytes && decodeDeviceFile(bytes, "decode").recordings[at]?.points;
      }),
    course: (source, { map, name }) =>
      readable(async () => {
        if (map === undefined) return undefined;
        const { routes, recordings } = decodeDeviceFile(await files.courseMap(source, map, name), "decode");
        return routes[0]?.points ?? recordings[0]?.points;
      }),
  };
}

/** A damaged file is reported where it is read for the plan, and where it is loaded. */
async function readable(read: () => Promise<readonly Point[] | undefined>): Promise<ThinLine | undefined> {
  try {
    const points = await read();
    return points && thinLine(points.flatMap(({ position }) => position ?? []));
  } catch (error) {
    if (error instanceof ItemError) return undefined;
    throw error;
  }
}
