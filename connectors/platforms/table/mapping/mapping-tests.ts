/** Checks the golden rows that a mapping file keeps: the cells of a row, and the values that must come out. */
import { z } from "zod";
import { oneOrMore, text } from "./mapping-column.ts";

/** The values of a workout that a golden row may name. */
export const GIVEN = [
  "date",
  "time",
  "offset",
  "activity",
  "sport",
  "type",
  "name",
  "notes",
  "course",
  "equipment",
  "distance",
  "duration",
  "avgHR",
  "maxHR",
  "restHR",
  "weight",
  "temperature",
  "conditions",
  "effort",
  "quality",
  "fieldPlacement",
  "fieldSize",
  "groupPlacement",
  "groupSize",
  "intervals",
] as const;

/** A value that a golden row names. */
export type GivenName = (typeof GIVEN)[number];

const cells = z.record(z.string(), z.union([text, z.null()]));

/** A value, or several of them: `conditions: [clear, windy]`. */
const value = z.union([text, z.array(text).transform((several) => several.join(", ")), z.null()]);

const given = z.partialRecord(z.enum(GIVEN), value);

/** The words of `tests`. */
export const tests = z
  .array(
    z.strictObject({
      cells: oneOrMore(cells),
      gives: z.union([
        z.enum(["skipped", "rejected"]),
        given.transform((one) => [one]),
        z.array(given).min(1).max(100),
      ]),
    }),
  )
  .max(200)
  .default([]);

/** A golden row. */
export type MappingTest = z.infer<typeof tests>[number];
