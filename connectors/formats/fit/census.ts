/** Counts the messages of a FIT file by their numbers, and lists their fields. It reads no value. */
import { FIT_CAPS, readStructure } from "./structure.ts";
import { sourceOf } from "./values.ts";
import { type Definition, readFields } from "./walk.ts";

/** One kind of message. */
export interface MessageCount {
  /** `mesg_num` of the profile. */
  readonly message: number;
  readonly count: number;
  /** Its fields in their first definition: number, bytes, base type. */
  readonly fields: readonly { readonly number: number; readonly size: number; readonly baseType: number }[];
  /** Bytes of the fields that apps added. */
  readonly appBytes: number;
}

/** The messages of a file, and the rules of its problems. */
export interface Census {
  readonly files: number;
  readonly messages: readonly MessageCount[];
  readonly rules: readonly string[];
}

/** The most kinds of messages that are counted apart. The profile has some 120. */
const MOST_KINDS = 400;

/** Counts the messages of a file. Never throws because of the file's content. */
export function takeCensus(bytes: Uint8Array): Census {
  const source = sourceOf(bytes);
  const kinds = new Map<number, { definition: Definition; count: number }>();
  const visitor = {
    message(definition: Definition): void {
      const known = kinds.get(definition.global);
      if (known !== undefined) known.count++;
      else if (kinds.size < MOST_KINDS) kinds.set(definition.global, { definition, count: 1 });
    },
  };
  const { parts, issues } = readStructure(source, FIT_CAPS, () => visitor);
  const messages = [...kinds].map(([message, { definition, count }]) => {
    const fields = readFields(source, definition).map(({ number, size, baseType }) => ({ number, size, baseType }));
    const own = fields.reduce((sum, { size }) => sum + size, 0);
    return { message, count, fields, appBytes: definition.size - own };
  });
  return {
    files: parts.length,
    messages: messages.sort((a, b) => a.message - b.message),
    rules: [...new Set(issues.map(({ rule }) => rule))],
  };
}
