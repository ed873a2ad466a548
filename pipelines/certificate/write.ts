/**
 * Writes a certificate as JSON: first everything else, then one line for each record, and the signature as the last member. The records wait in
 * a temporary file, so memory doesn't grow with the archive.
 */
import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onDisk, safeJson, writeWhole } from "../report/write.ts";
import { RECORDS_BEGIN, RECORDS_END, SIGNATURE_BEGINS } from "./layout.ts";
import type { Certificate, CertifiedRecord } from "./schema.ts";
import { type Signature, signDigest } from "./signature.ts";

/** Records that wait for their certificate, in a private file beside it. */
export class WaitingRecords implements AsyncDisposable {
  readonly #path: string;
  readonly #beside: string;
  readonly #file: FileHandle;
  #text = "";

  private constructor(path: string, beside: string, file: FileHandle) {
    this.#path = path;
    this.#beside = beside;
    this.#file = file;
  }

  /**
   * Opens the file.
   *
   * @param beside the path of the certificate
   * @throws ReportError when its folder can't be written
   */
  static async open(beside: string): Promise<WaitingRecords> {
    const path = join(dirname(beside), `.logferry-${randomBytes(6).toString("hex")}.tmp`);
    return new WaitingRecords(path, beside, await onDisk(beside, () => open(path, "wx+", 0o600)));
  }

  /** Adds a record. @throws ReportError when the disk doesn't take it */
  async add(record: CertifiedRecord): Promise<void> {
    this.#text += `${safeJson(JSON.stringify(record))}\n`;
    if (this.#text.length < PIECE) return;
    await this.#write();
  }

  /** All records, each as a line of JSON. */
  async *lines(): AsyncIterable<string> {
    await this.#write();
    yield* this.#file.readLines({ start: 0, autoClose: false });
  }

  /** All records. */
  async *records(): AsyncIterable<CertifiedRecord> {
    for await (const line of this.lines()) yield JSON.parse(line) as CertifiedRecord;
  }

  async #write(): Promise<void> {
    const full = this.#text;
    this.#text = "";
    await onDisk(this.#beside, () => this.#file.appendFile(full));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}

const PIECE = 64 * 1024;

/**
 * Writes a certificate and signs it.
 *
 * @returns its signature
 * @throws ReportError when it can't be written; a file of that name then stays as it was
 */
export async function writeCertificate(
  path: string,
  certificate: Certificate,
  records: WaitingRecords,
  key: KeyObject,
): Promise<Signature> {
  let signature: Signature | undefined;
  const hash = createHash("sha256");
  await writeWhole(path, signed());
  return signature as unknown as Signature;

  async function* signed(): AsyncIterable<string> {
    for await (const chunk of textOf(certificate, records)) {
      hash.update(chunk);
      yield chunk;
    }
    signature = signDigest(hash.digest(), key);
    yield `${SIGNATURE_BEGINS}${JSON.stringify(signature)}\n}\n`;
  }
}

async function* textOf(certificate: Certificate, records: WaitingRecords): AsyncIterable<string> {
  const head = safeJson(JSON.stringify(certificate, undefined, 2));
  yield `${head.slice(0, head.lastIndexOf("\n}"))},\n${RECORDS_BEGIN}\n`;
  let separator = "";
  for await (const line of records.lines()) {
    yield `${separator}    ${line}`;
    separator = ",\n";
  }
  yield `\n${RECORDS_END}\n`;
}
