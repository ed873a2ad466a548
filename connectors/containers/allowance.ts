/** Limits how much of one archive may be unpacked in total. Many files, each harmless by itself, could keep logferry busy for a day. */
import { printable } from "../../transforms/text/printable.ts";
import { ArchiveError } from "./archive-error.ts";
import { type Limits, limitsOf, type OpenOptions } from "./options.ts";
import { sizeInWords } from "./sizes.ts";

/** The caps of an open archive, and the number of bytes unpacked from it so far. */
export class Allowance {
  readonly limits: Limits;
  #unpackedBytes = 0;

  constructor(options?: OpenOptions) {
    this.limits = limitsOf(options);
  }

  /**
   * Counts unpacked bytes. A file that is read twice counts twice, because it costs twice.
   *
   * @param path for the message
   * @throws ArchiveError `archive/unpacked` when the total exceeds the cap
   */
  spend(path: string, bytes: number): void {
    this.#unpackedBytes += bytes;
    const { unpackedBytes } = this.limits;
    if (this.#unpackedBytes <= unpackedBytes) return;
    const state = `with it, more than ${sizeInWords(unpackedBytes)} of this archive were unpacked; raise --max-unpacked if you trust it`;
    throw new ArchiveError("archive/unpacked", `Cannot read ${printable(path)}: ${state}`);
  }
}
