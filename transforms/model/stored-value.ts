/**
 * How a record's value stands in a journal, and in the checksum that tells whether its source changed. Journals of earlier versions call the
 * values without a field in the log `beyond`. They stay readable, and an update of logferry makes no record look changed.
 */
import type { Item } from "./item.ts";

type Value = Item["value"];

/** A value as it is stored. */
export function toStored(value: Value): Readonly<Record<string, unknown>> {
  if (value.unsupported === undefined) return { ...value };
  const { unsupported: beyond, ...rest } = value;
  return { ...rest, beyond };
}

/** What `toStored` made of a value, read back. */
export function fromStored(stored: Readonly<Record<string, unknown>>): Value {
  const { beyond, ...rest } = stored;
  return (beyond === undefined ? rest : { ...rest, unsupported: beyond }) as unknown as Value;
}
