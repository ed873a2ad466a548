import { memoryArchive } from "../../connectors/containers/memory.ts";
import { csv } from "../../connectors/platforms/csv/connector.ts";
import type { Workout } from "../../transforms/model/workout.ts";
import { readAll } from "../suites/fixture-cases.ts";

/**
 * Reads a table with a mapping file through the real connector.
 *
 * @param columns the lines below `columns:`, and any other words of the mapping as `more`
 * @param files further files beside the table
 */
export async function readMapped(
  lines: readonly string[],
  columns: readonly string[],
  {
    more = "",
    order = "iso",
    files = {},
  }: { more?: string; order?: string; files?: Record<string, Uint8Array | string> } = {},
) {
  const mapping = [
    "version: 1",
    ...(order === "" ? [] : [`dates: { order: ${order} }`]),
    "columns:",
    ...columns.map((line) => `  ${line}`),
    more,
  ];
  const archive = memoryArchive("log", {
    "log.csv": `${lines.join("\n")}\n`,
    "log.map.yaml": mapping.join("\n"),
    ...files,
  });
  const { readings, issues } = await readAll(csv, archive);
  const workouts = readings.flatMap((reading) => (reading.kind === "workout" ? [reading] : []));
  const rejected = readings.flatMap((reading) => (reading.kind === "set-aside" ? [reading] : []));
  return { readings, issues, workouts, rejected, values: workouts.map(({ value }): Workout => value) };
}
