/** The error for an archive, or an entry of it, that can't be read. */

/**
 * An entry that can't be unpacked. `rule` names the reason, as in an Issue: `archive/crc`, `archive/too-large`, `archive/ratio`. The reader
 * of the entry turns the error into an Issue, and continues with the other entries.
 */
export class ArchiveError extends Error {
  readonly rule: string;

  constructor(rule: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArchiveError";
    this.rule = rule;
  }
}
