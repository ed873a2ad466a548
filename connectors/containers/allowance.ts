/** What may be unpacked of one archive, all in all: many files, none of which is odd by itself, can fill a day. */
import { printable } from "../../transforms/text/printable.ts";
import { ArchiveError } from "./archive-error.ts";
import { type Limits, limitsOf, type OpenOptions } from "./options.ts";
import { sizeInWords } from "./sizes.ts";

/** The caps of an open archive, and the account of what was unpacked of it. */
export class Allowance {
  readonly limits: Limits;
  #unpackedBytes = 0;

  constructor(options?: OpenOptions) {
    this.limits = limitsOf(options);
  }

  /**
   * Counts bytes that come out of a packing. The same file read twice counts twice: it costs twice.
   *
   * @param path for the message
   * @throws ArchiveError `archive/unpacked` once it is more than the cap
   */
  spend(path: string, bytes: number): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytes } = this.limits;
    if (this.#unpackedBytes <= unpackedBytes) return;
    const state = `with it, more than ${sizeInWords(unpackedBytes)} of this archive were unpacked; raise --max-unpacked if you trust it`;
    throw new ArchiveError("archive/unpacked", `Cannot read ${printable(path)}: ${state}`);
  }
}
