/** Body weights and air temperatures that can be true. */
import { convert, type Measure } from "../units.ts";

/** Kilograms. A small child on skis weighs 10; the heaviest person on record weighed 635 (Guinness World Records). */
export const WEIGHT_KG = { least: 10, most: 650 } as const;

/**
 * Degrees Celsius. The coldest and the hottest air on record were -89.2 (Vostok, 1983) and 56.7 (Furnace Creek, 1913), by the World
 * Meteorological Organization. A sensor in the sun shows more.
 */
export const TEMPERATURE_C = { least: -90, most: 75 } as const;

/** Whether a person can have this weight. */
export function isWeight(weight: Measure<"weight">): boolean {
  const { value } = convert("weight", weight, "kg");
  return value >= WEIGHT_KG.least && value <= WEIGHT_KG.most;
}

/** The same of the weather that a person typed. Nobody trains in the air of the record. More is mostly in degrees Fahrenheit. */
export const WEATHER_C = { ...TEMPERATURE_C, most: 55 } as const;

/** Whether a watch can have measured this air temperature. @param range `WEATHER_C` where a person typed it */
export function isTemperature(
  temperature: Measure<"temperature">,
  { least, most }: { readonly least: number; readonly most: number } = TEMPERATURE_C,
): boolean {
  const { value } = convert("temperature", temperature, "C");
  return value >= least && value <= most;
}
