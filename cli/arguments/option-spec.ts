/** Describes an option: its type, its texts, and the rule for its values. */

/** A rule for a value, beyond its type. */
export interface Check {
  readonly isRight: (value: string | number) => boolean;
  /** For the message: `a number from 1 to 64`. */
  readonly expected: string;
  /** The word that the person probably meant, as the end of the message; an empty text if no word is near. */
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
  /** The placeholder of the value in the help: `FILE`. */
  readonly metavar?: string;
  /** True for an option that makes no sense in a config file or the environment. */
  readonly flagOnly?: true;
  /**
   * The pattern of a value that contains a secret. Such a value may be in the config file and the environment, but never on a command line.
   */
  readonly secret?: RegExp;
}
