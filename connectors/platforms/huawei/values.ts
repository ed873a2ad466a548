/** Reads values in the form of Huawei Health. */
import { isJsonRow, type JsonRow } from "../table/sources/json-source.ts";

/** The numbers of sports that have the same name in two sources. */
const NAMES: Readonly<Record<number, string>> = {
  ...{ 2: "mountaineering", 3: "cycling", 4: "running", 5: "walking", 101: "treadmill", 102: "pool swimming" },
  ...{ 103: "indoor cycling", 104: "open water swimming", 111: "elliptical", 118: "trail running", 145: "crossfit" },
  ...{ 282: "hiking" },
};

/** The name of a sport: 4 is `running`, and 117 is `Huawei sport 117`. */
export function sportOf(text: string): string {
  return NAMES[Number(text)] ?? `Huawei sport ${text}`;
}

const SIMPLE = "HW_EXT_TRACK_SIMPLIFY@is";
/** What the lines of a recording begin with in the attribute of an activity. */
export const DETAIL = "HW_EXT_TRACK_DETAIL@is";

/**
 * Splits the attribute of an activity. `simple` has its totals. `heart` has the mean and the maximum of the heart rates in its lines. `kinds` lists
 * the kinds of the lines. The two parts of an attribute may come in either order.
 */
export function withAttribute(activity: JsonRow): JsonRow {
  const parts = `${activity.attribute ?? ""}`.split("&&");
  const after = (mark: string) => parts.find((part) => part.startsWith(mark))?.slice(mark.length) ?? "";
  const lines = after(DETAIL).split("\n");
  const kinds = new Set(lines.map((line) => line.slice(0, line.indexOf(";"))).filter((kind) => kind.startsWith("tp=")));
  return {
    ...activity,
    simple: totalsIn(after(SIMPLE)),
    heart: heartIn(lines),
    kinds: [...kinds].map((kind) => kind.slice(3)),
  };
}

function totalsIn(text: string): JsonRow {
  try {
    const totals: unknown = JSON.parse(text);
    return isJsonRow(totals) ? totals : {};
  } catch {
    return {};
  }
}

/** Heart rates are whole beats from 1 to 254. */
function heartIn(lines: readonly string[]): JsonRow {
  let [sum, count, max] = [0, 0, 0];
  for (const line of lines) {
    const beats = Number(/^tp=h-r;k=[^;]{1,20};v=(\d{1,3})(?:\.0)?;/.exec(line)?.[1] ?? 0);
    if (beats < 1 || beats > 254) continue;
    [sum, count, max] = [sum + beats, count + 1, Math.max(max, beats)];
  }
  return count === 0 ? {} : { mean: sum / count, max };
}
