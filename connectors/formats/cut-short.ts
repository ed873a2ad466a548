/** A recording from a file that is cut. The part that was read is true, but it is only a part of the activity. */
import type { Issue } from "../../transforms/model/issue.ts";
import type { Doubt } from "../../transforms/model/workout.ts";
import { describeDistance } from "../../transforms/plausibility/wording.ts";

/**
 * The doubt about a recording that the end of a cut file interrupts.
 *
 * @param metres the distance that was read; undefined if the recording has none
 * @param where the place in the file, as `in line 812`
 */
export function cutShort(metres: number | undefined, where: string): Doubt {
  const after = metres === undefined || metres <= 0 ? "" : ` after ${distanceOf(metres)},`;
  const issue: Issue = {
    severity: "error",
    rule: "workout/implausible-file",
    found: `its file stops${after} ${where}: what came after is missing`,
    expected: "a whole file; copy it again from where it came",
  };
  return { issue, about: ["distance", "duration"], isCut: true };
}

function distanceOf(metres: number): string {
  return metres < 1000
    ? describeDistance({ unit: "m", value: Math.round(metres) })
    : describeDistance({ unit: "km", value: metres / 1000 });
}
