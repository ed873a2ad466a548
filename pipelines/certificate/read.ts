/** Reads a certificate line by line, and checks its signature. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { FatalError } from "../../connectors/errors.ts";
import { RECORDS_BEGIN, RECORDS_END, SIGNATURE_BEGINS } from "./layout.ts";
import type { Certificate, CertifiedRecord } from "./schema.ts";
import { isSignedBy, type Signature } from "./signature.ts";

/** A certificate that was opened. */
export interface OpenedCertificate {
  readonly certificate: Certificate;
  readonly signature: Signature;
  /** Whether the signature belongs to this file. */
  readonly isSigned: boolean;
  /** Its records, one by one. Each call starts again. */
  records(): AsyncIterable<CertifiedRecord>;
}

/** The longest head of a certificate that is read, in characters. */
const LONGEST_HEAD = 64 * 1024 * 1024;

/**
 * Opens a certificate.
 *
 * @throws FatalError `certificate/unreadable` when the file isn't there or is no certificate
 */
export async function openCertificate(path: string): Promise<OpenedCertificate> {
  const hash = createHash("sha256");
  let head = "";
  let signature: Signature | undefined;
  let part: "head" | "records" | "end" = "head";
  for await (const line of linesOf(path)) {
    if (part === "end" && line.startsWith(SIGNATURE_BEGINS)) {
      signature = parsed(path, line.slice(SIGNATURE_BEGINS.length));
      break;
    }
    hash.update(`${line}\n`);
    if (part === "head" && line === RECORDS_BEGIN) part = "records";
    else if (part === "records" && line === RECORDS_END) part = "end";
    else if (part === "head") head += `${line}\n`;
    if (head.length > LONGEST_HEAD) break;
  }
  const certificate = part === "head" ? undefined : parsed<Certificate>(path, `${head.replace(/,\n$/, "")}\n}`);
  if (certificate?.format !== "logferry certificate" || signature === undefined) throw noCertificate(path);
  return {
    certificate,
    signature,
    isSigned: isSignedBy(hash.digest(), signature),
    records: () => recordsOf(path),
  };
}

async function* recordsOf(path: string): AsyncIterable<CertifiedRecord> {
  let isInside = false;
  for await (const line of linesOf(path)) {
    if (line === RECORDS_BEGIN) isInside = true;
    else if (isInside && line === RECORDS_END) return;
    else if (isInside && line !== "") yield parsed(path, line.replace(/,$/, ""));
  }
}

async function* linesOf(path: string): AsyncIterable<string> {
  const file = await open(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new FatalError(
      "certificate/unreadable",
      "source",
      `Cannot read the certificate ${path}: ${code === "ENOENT" ? "there is no such file" : code}`,
      { cause: error },
    );
  });
  try {
    yield* file.readLines({ autoClose: false });
  } finally {
    await file.close();
  }
}

function parsed<T>(path: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw noCertificate(path, error);
  }
}

function noCertificate(path: string, cause?: unknown): FatalError {
  return new FatalError(
    "certificate/unreadable",
    "source",
    `${path} is no certificate of logferry, or somebody changed its layout. Name the JSON file that logferry certify wrote`,
    { cause },
  );
}
