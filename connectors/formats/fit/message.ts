/**
 * Reads single values of a message by field number. This is for rare messages. Records have their own faster reader
 * (`record.ts`).
 */
import { type Field, integerAt, integersAt, type Source, textAt } from "./values.ts";
import { type Definition, readFields } from "./walk.ts";

/** The fields of one message. A value is undefined if the message has no such field, or the field is empty. */
export interface Message {
  /** The stored integer, unscaled. */
  number(field: number): number | undefined;
  /** The stored integers of an array, unscaled; empty if there are none. */
  numbers(field: number): readonly (number | undefined)[];
  text(field: number): string | undefined;
  /** The stored bytes; empty if there is no such field. */
  bytes(field: number): Uint8Array;
}

/** Gives the message at a place. The fields of a definition are listed once for all its messages. */
export function messageReader(source: Source): (definition: Definition, at: number) => Message {
  const known: { definition: Definition; fields: ReadonlyMap<number, Field> }[] = [];
  return (definition, at) => {
    let slot = known[definition.local];
    if (slot?.definition !== definition) {
      // If two fields have one number, the last one counts, as in other readers.
      slot = { definition, fields: new Map(readFields(source, definition).map((field) => [field.number, field])) };
      known[definition.local] = slot;
    }
    const { fields } = slot;
    const { littleEndian } = definition;
    return {
      number(number) {
        const field = fields.get(number);
        return field === undefined ? undefined : integerAt(source, field, at, littleEndian);
      },
      numbers(number) {
        const field = fields.get(number);
        return field === undefined ? [] : integersAt(source, field, at, littleEndian);
      },
      text(number) {
        const field = fields.get(number);
        return field === undefined ? undefined : textAt(source, field, at);
      },
      bytes(number) {
        const { offset = 0, size = 0 } = fields.get(number) ?? {};
        return source.bytes.subarray(at + offset, at + offset + size);
      },
    };
  };
}
