/** The title of a workout on the page of decisions: its day, its name and its distance, as its owner knows it. */
import type { Origin } from "../../transforms/model/issue.ts";
import { describeOrigin } from "../../transforms/model/issue.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { printable } from "../../transforms/text/printable.ts";
import { measureText } from "../../transforms/units.ts";

/** The most characters of a name. */
const LONGEST = 60;

/** `2024-05-01 07:00, Morning run, 10 km`. A record without any of these has the name of its place. */
export function workoutTitle(values: Partial<Workout>, origin: Origin): string {
  const { start, name, notes, distance } = values;
  const words = (name ?? notes)?.split("\n", 1)[0]?.trim() ?? "";
  const parts = [startOf(start), printable(words, LONGEST), distance === undefined ? "" : measureText(distance)];
  const said = parts.filter((part) => part !== "");
  return said.length === 0 ? describeOrigin(origin) : said.join(", ");
}

function startOf({ date, time, instant }: Workout["start"] = {}): string {
  if (date !== undefined) return [date, time?.slice(0, 5)].filter((part) => part !== undefined).join(" ");
  return instant === undefined ? "" : `${new Date(instant).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
