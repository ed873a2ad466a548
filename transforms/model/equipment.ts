import type { Activity } from "../activities.ts";
import type { LocalDate } from "../calendar.ts";
import type { Measure } from "../units.ts";
import type { UnsupportedValue } from "./workout.ts";

/** A shoe, a bike: something distance accumulates on. People own several pairs of one model; `serial` tells them apart. */
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
  /** Accumulated at the source. The log computes its own and can't be told, so this is only compared. */
  readonly distance?: Measure<"distance">;
  /** True when the source says it is no longer in use. The log has no field for it: a step for the owner's hand. */
  readonly retired?: boolean;
  readonly unsupported?: readonly UnsupportedValue[];
}
