/**
 * Where the columns of activities.csv stand. The platform has added columns nine times since 2018, some of them in the middle,
 * and several share one name.
 */
import { from, type Generation, layoutFinder } from "../table/places.ts";
import { COLUMNS } from "./columns.ts";

/** The canonical place of Media, which is the last column of every generation that has it. */
const MEDIA = COLUMNS.length - 1;

// The first exports with a second block had neither the first Max Heart Rate (7) nor Activity Private Note (10).
const EARLY_SECOND_BLOCK = [...from(0, 6), 8, 9, ...from(11, 80)];

/** Source: eleven real exports; the names are ours. */
const GENERATIONS: readonly Generation[] = [
  // Its distance is in metres, like the later second block's: that is all that tells it from the next but for its header.
  { name: "a", seen: "until June 2019", places: [0, 1, 2, 3, 4, 5, 17, 9, 11, 12], first: "id" },
  { name: "b", seen: "2019 to 2020", places: [0, 1, 2, 3, 4, 5, 6, 9, 11, 12] },
  { name: "b", seen: "2019 to 2020", places: [0, 1, 2, 3, 4, 5, 6, 8, 9, 11, 12] },
  { name: "c", seen: "2020 to 2021", places: EARLY_SECOND_BLOCK },
  { name: "c", seen: "2020 to 2021", places: [...EARLY_SECOND_BLOCK, 81] },
  // Of the 86 columns it isn't known which of 84 and 85 is the missing one: the header tells.
  { name: "d", seen: "2022 to 2023", places: [...from(0, 84), MEDIA] },
  { name: "d", seen: "2022 to 2023", places: [...from(0, 83), 85, MEDIA] },
  { name: "d", seen: "2022 to 2023", places: [...from(0, 85), MEDIA] },
  { name: "e", seen: "June 2024", places: [...from(0, 90), MEDIA] },
  { name: "f", seen: "2024 to early 2025", places: [...from(0, 92), MEDIA] },
  { name: "g", seen: "autumn 2025", places: [...from(0, 97), MEDIA] },
  { name: "h", seen: "late 2025 to early 2026", places: [...from(0, 99), MEDIA] },
  { name: "i", seen: "from April 2026", places: [...from(0, 101), MEDIA] },
];

/** Understands a header of activities.csv, or says what stands against it. */
export const findLayout = layoutFinder({
  columns: COLUMNS.map(([theirs]) => [theirs].flat()),
  generations: GENERATIONS,
  // The first 91 columns have kept their places whatever was added behind them.
  stable: { width: 92, kept: 91 },
});
