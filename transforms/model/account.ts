/** The account of a log: it names the units that logferry writes in. */
import type { UnitOf } from "../units.ts";

/** The units and the offset that the log's owner chose. `utcOffset` is in hours, fixed, without daylight saving. */
export interface Preference {
  readonly utcOffset?: number;
  readonly distanceUnit: UnitOf<"distance">;
  readonly weightUnit: UnitOf<"weight">;
  readonly temperatureUnit: UnitOf<"temperature">;
}
