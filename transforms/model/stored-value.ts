/**
 * The stored form of a record's value. The journal holds it, and so does the checksum that shows whether the source changed. Journals of
 * earlier versions call the unsupported values `beyond`. This form keeps those journals readable, and keeps an update of logferry from
 * changing any checksum.
 */
import type { Item } from "./item.ts";

type Value = Item["value"];

/** A value, or the values of a record that stays out. */
type Kept = Value | Required<Pick<Value, "unsupported">>;

/** Gives a value in its stored form. */
export function toStored(value: Kept): Readonly<Record<string, unknown>> {
  if (value.unsupported === undefined) return { ...value };
  const { unsupported: beyond, ...rest } = value;
  return { ...rest, beyond };
}

/** Reads a stored value back, the reverse of `toStored`. */
export function fromStored(stored: Readonly<Record<string, unknown>>): Value {
  const { beyond, ...rest } = stored;
  return (beyond === undefined ? rest : { ...rest, unsupported: beyond }) as unknown as Value;
}
