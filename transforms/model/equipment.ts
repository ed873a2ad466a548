import type { Activity } from "../activities.ts";
import type { LocalDate } from "../calendar.ts";
import type { Measure } from "../units.ts";
import type { UnsupportedValue } from "./workout.ts";

/** A shoe or a bike: something that collects distance. People own several pairs of one model, and `serial` distinguishes them. */
export interface Equipment {
  readonly activity: Activity;
  readonly brandName?: string;
  readonly modelName?: string;
  readonly serial?: string;
  readonly gender?: string;
  readonly notes?: string;
  readonly ratings?: { readonly avgRating?: number };
  readonly purchaseDate?: LocalDate;
  readonly price?: number;
  /** The distance at the source. The log computes its own distance and accepts no other, so logferry only compares this one. */
  readonly distance?: Measure<"distance">;
  /** True when the source says that the equipment is no longer in use. The log has no field for it, so the owner must retire it by hand. */
  readonly retired?: boolean;
  readonly unsupported?: readonly UnsupportedValue[];
}
