/**
 * The shared texts of a workbook (`sharedStrings.xml`), read as far as rows need them. Programs number the texts in the order of their first use, so
 * the head of a sheet needs only the beginning.
 */
import { attribute, type Collector, readPart, withoutDoctype } from "../sheets/read-part.ts";
import { SHEET_CAPS } from "../sheets/sheet.ts";
import type { XmlAttributes } from "../xml/reader.ts";
import { TextStore } from "./text-store.ts";
import { asSpaced, unescaped } from "./texts.ts";

/** The texts of an open workbook. Close it when done. */
export class SharedTexts {
  readonly #store = new TextStore();
  readonly #reading: AsyncGenerator<string> | undefined;
  #isComplete: boolean;
  /** The reason why no more of them can be read. Each sheet that needs more has it. */
  #fault: unknown;

  /** @param chunks the part; undefined if the workbook has none */
  constructor(chunks: AsyncIterable<Uint8Array> | undefined) {
    this.#reading = chunks && readPart(chunks, new TextCollector());
    this.#isComplete = chunks === undefined;
  }

  /** Whether a text was read already. */
  has(number: number): boolean {
    return number < this.#store.count;
  }

  /** Reads on until the text of this number is there, or to the end. */
  async readTo(number: number): Promise<void> {
    if (this.#fault !== undefined && !this.has(number)) throw this.#fault;
    try {
      await this.#readOn(number);
    } catch (error) {
      this.#fault = error;
      throw error;
    }
  }

  async #readOn(number: number): Promise<void> {
    while (!this.#isComplete && this.#store.count <= number) {
      const step = await this.#reading?.next();
      if (step === undefined || step.done === true) {
        this.#isComplete = true;
        if (step !== undefined) withoutDoctype(step.value);
      } else await this.#store.add(step.value);
    }
  }

  /** A text that was read; undefined if the workbook has no such text. */
  get(number: number): string | undefined {
    return this.has(number) ? this.#store.get(number) : undefined;
  }

  async close(): Promise<void> {
    await this.#reading?.return(undefined);
    this.#store.close();
  }
}

/** Joins the runs of each text. Readings for pronunciation (`rPh`) are left out. */
class TextCollector implements Collector<string> {
  #ready: string[] = [];
  #item: string | undefined;
  #run: string | undefined;
  #isPreserved = false;

  open(name: string, attributes: XmlAttributes, path: readonly string[]): boolean {
    if (name === "si" && path.length === 1) this.#item = "";
    else if (name === "t" && this.#item !== undefined && path.at(-1) !== "rPh") {
      this.#run = "";
      this.#isPreserved = attribute(attributes, "space") === "preserve";
    }
    return true;
  }

  text(more: string): void {
    if (this.#run !== undefined && this.#run.length <= SHEET_CAPS.cellLength) this.#run += more;
  }

  close(name: string, _: string, path: readonly string[]): void {
    if (name === "t" && this.#run !== undefined) {
      const run = asSpaced(this.#run, this.#isPreserved);
      // A text longer than a cell may be is refused with its row, so its end doesn't matter.
      if (this.#item !== undefined && this.#item.length <= SHEET_CAPS.cellLength) this.#item += run;
      this.#run = undefined;
    } else if (name === "si" && path.length === 1) {
      this.#ready.push(unescaped(this.#item ?? ""));
      this.#item = undefined;
    }
  }

  take(): readonly string[] {
    return this.#ready.splice(0);
  }
}
