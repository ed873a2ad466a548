/** What an option is: its type, its words, and what a value of it must be. */

/** What a value must be, beyond its type. */
export interface Check {
  readonly isRight: (value: string | number) => boolean;
  /** For the message: `a number from 1 to 64`. */
  readonly expected: string;
  /** What was probably meant, as the end of the message; the empty text where nothing is near. */
  readonly meant?: (value: string) => string;
}

/** One option. */
export interface OptionSpec {
  readonly type: "string" | "number" | "boolean" | "strings";
  /** One line for `--help` and the docs. */
  readonly help: string;
  readonly alias?: string;
  readonly default?: string | number | boolean;
  readonly choices?: readonly string[];
  readonly check?: Check;
  /** What stands for the value in the help: `FILE`. */
  readonly metavar?: string;
  /** True when it makes no sense in a config file or the environment. */
  readonly flagOnly?: true;
  /** What a value with a secret in it looks like: that may stand in the config file and the environment, and on no command line. */
  readonly secret?: RegExp;
}
