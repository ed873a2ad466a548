/**
 * Keeps the shared texts of a workbook, of which it may have millions. The first ones stay in memory. With more, all are kept in a temporary database
 * of SQLite, which lies in a file without a name and is gone with the process.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Texts that are stored and fetched together, because rows mostly name texts that follow each other. */
const BLOCK_TEXTS = 64;

/** UTF-16 units of a block, apart from its last text. */
const BLOCK_LENGTH = 64 * 1024;

/** UTF-16 units of the blocks in memory: as all there is of a small workbook, or as those that were fetched last. */
const HELD_LENGTH = 2 ** 20;

/** Stands between the texts of a block. No text has it. */
const BETWEEN = "\0";

const NO_BLOCK = { first: 0, joined: "" };

interface Block {
  readonly first: number;
  readonly texts: readonly string[];
  readonly length: number;
}

/** Texts by their number. */
export class TextStore {
  #count = 0;
  #open: string[] = [];
  #openLength = 0;
  #openFirst = 0;
  /** The blocks in memory. The one that was used last is the last. */
  readonly #held: Block[] = [];
  #heldLength = 0;
  #database: { readonly file: DatabaseSync; readonly insert: StatementSync; readonly find: StatementSync } | undefined;

  get count(): number {
    return this.#count;
  }

  /** Adds a text under the next number. */
  async add(text: string): Promise<void> {
    this.#open.push(text);
    this.#openLength += text.length;
    this.#count++;
    if (this.#open.length < BLOCK_TEXTS && this.#openLength < BLOCK_LENGTH) return;
    const block = { first: this.#openFirst, texts: this.#open, length: this.#openLength };
    this.#open = [];
    this.#openLength = 0;
    this.#openFirst = this.#count;
    if (this.#database === undefined && this.#heldLength + block.length > HELD_LENGTH) await this.#begin();
    if (this.#database === undefined) this.#hold(block);
    else this.#store(block);
  }

  /** The text of a number below `count`. */
  get(number: number): string {
    if (number >= this.#openFirst) return this.#open[number - this.#openFirst] ?? "";
    const block = this.#blockOf(number);
    return block.texts[number - block.first] ?? "";
  }

  /** Removes the temporary file. */
  close(): void {
    this.#database?.file.close();
    this.#database = undefined;
    this.#held.length = 0;
  }

  #blockOf(number: number): Block {
    const at = this.#held.findLastIndex(({ first, texts }) => number >= first && number < first + texts.length);
    const held = this.#held[at];
    if (held === undefined) return this.#fetch(number);
    if (at < this.#held.length - 1) this.#held.push(...this.#held.splice(at, 1));
    return held;
  }

  #fetch(number: number): Block {
    const { first, joined } = (this.#database?.find.get(number) ?? NO_BLOCK) as typeof NO_BLOCK;
    const block = { first, texts: joined.split(BETWEEN), length: joined.length };
    while (this.#held.length > 0 && this.#heldLength + block.length > HELD_LENGTH)
      this.#heldLength -= this.#held.shift()?.length ?? 0;
    this.#hold(block);
    return block;
  }

  #hold(block: Block): void {
    this.#held.push(block);
    this.#heldLength += block.length;
  }

  async #begin(): Promise<void> {
    const { DatabaseSync } = await import("node:sqlite");
    // Without a name, SQLite makes a temporary file and removes it at once.
    const file = new DatabaseSync("");
    file.exec(
      "PRAGMA journal_mode = OFF; PRAGMA cache_size = -1024; CREATE TABLE block (first INTEGER PRIMARY KEY, joined TEXT)",
    );
    const insert = file.prepare("INSERT INTO block VALUES (?, ?)");
    const find = file.prepare("SELECT first, joined FROM block WHERE first <= ? ORDER BY first DESC LIMIT 1");
    this.#database = { file, insert, find };
    for (const block of this.#held.splice(0)) this.#store(block);
    this.#heldLength = 0;
  }

  #store({ first, texts }: Block): void {
    this.#database?.insert.run(first, texts.join(BETWEEN));
  }
}
