/**
 * The places of the columns of activities.csv. The platform has added columns nine times since 2018, some of them in the middle. Several columns
 * share one name.
 */
import { from, type Generation, layoutFinder } from "../table/sources/places.ts";
import { COLUMNS } from "./columns.ts";

/** The canonical place of Media, which is the last column of every generation that has it. */
const MEDIA = COLUMNS.length - 1;

// The first exports with a second block had neither the first Max Heart Rate (7) nor Activity Private Note (10).
const EARLY_SECOND_BLOCK = [...from(0, 6), 8, 9, ...from(11, 80)];

/** Source: eleven real exports. The names are ours. */
const GENERATIONS: readonly Generation[] = [
  // Its distance is in metres, as in the second block of later exports. Apart from the header, only this distinguishes it from the next generation.
  { name: "a", seen: "until June 2019", places: [0, 1, 2, 3, 4, 5, 17, 9, 11, 12], first: "id" },
  { name: "b", seen: "2019 to 2020", places: [0, 1, 2, 3, 4, 5, 6, 9, 11, 12] },
  { name: "b", seen: "2019 to 2020", places: [0, 1, 2, 3, 4, 5, 6, 8, 9, 11, 12] },
  { name: "c", seen: "2020 to 2021", places: EARLY_SECOND_BLOCK },
  { name: "c", seen: "2020 to 2021", places: [...EARLY_SECOND_BLOCK, 81] },
  // In exports with 86 columns, either column 84 or column 85 is missing. The header shows which one.
  { name: "d", seen: "2022 to 2023", places: [...from(0, 84), MEDIA] },
  { name: "d", seen: "2022 to 2023", places: [...from(0, 83), 85, MEDIA] },
  { name: "d", seen: "2022 to 2023", places: [...from(0, 85), MEDIA] },
  { name: "e", seen: "June 2024", places: [...from(0, 90), MEDIA] },
  { name: "f", seen: "2024 to early 2025", places: [...from(0, 92), MEDIA] },
  { name: "g", seen: "autumn 2025", places: [...from(0, 97), MEDIA] },
  { name: "h", seen: "late 2025 to early 2026", places: [...from(0, 99), MEDIA] },
  { name: "i", seen: "from April 2026", places: [...from(0, 101), MEDIA] },
];

/** Recognises a header of activities.csv, or gives the difference as text. */
export const findLayout = layoutFinder({
  columns: COLUMNS.map(([theirs]) => [theirs].flat()),
  generations: GENERATIONS,
  // The first 91 columns have kept their places, because new columns came behind them. From 79 columns on, a table has the distance in metres.
  stable: { width: 92, kept: 91, least: 79 },
});
