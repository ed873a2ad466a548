/** What is thrown when an archive, or something in it, can't be read. */

/**
 * An entry that can't be unpacked. `rule` names why, as in an Issue: `archive/crc`, `archive/too-large`, `archive/ratio`.
 * The reader of the entry turns it into an Issue; the other entries go on.
 */
export class ArchiveError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArchiveError";
    this.rule = rule;
  }
}
