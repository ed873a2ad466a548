/** The kinds of options: what each takes as its value. A row of the tables is a kind with a line of help. */
import { defined } from "../../transforms/model/defined.ts";
import { DURATION, SIZE } from "./option-checks.ts";
import type { Check, OptionSpec } from "./option-spec.ts";

type More = Omit<OptionSpec, "type" | "help" | "metavar">;

/** The option makes no sense in a config file or the environment. */
export const FLAG_ONLY = { flagOnly: true } as const;

function option<T extends OptionSpec["type"]>(type: T, metavar: string | undefined, help: string, more: More = {}) {
  return { type, help, ...defined({ metavar }), ...more } as OptionSpec & { readonly type: T };
}

/** True or false, also in a config file. */
export const yes = (help: string, more?: More) => option("boolean", undefined, help, more);

/** True when it is typed. */
export const flag = (help: string, more?: More) => option("boolean", undefined, help, { ...FLAG_ONLY, ...more });

/** A text. @param metavar the placeholder of the value in the help; undefined if the value is one of the choices */
export const text = (metavar: string | undefined, help: string, more?: More) => option("string", metavar, help, more);

/** Several texts. */
export const texts = (metavar: string, help: string, more?: More) => option("strings", metavar, help, more);

/** A number. */
export const number = (metavar: string, help: string, more?: More) => option("number", metavar, help, more);

/** A number of things. @param check the numbers that are allowed */
export const count = (check: Check, help: string, more?: More) => number("N", help, { check, ...more });

/** The path of a file. */
export const file = (help: string, more?: More) => text("FILE", help, more);

/** A name. */
export const name = (help: string, more?: More) => text("NAME", help, more);

/** A span of time: `2h30m`. */
export const duration = (help: string, more?: More) => text("DURATION", help, { check: DURATION, ...more });

/** A number of bytes: `64M`. */
export const size = (help: string, more?: More) => text("SIZE", help, { check: SIZE, ...more });
