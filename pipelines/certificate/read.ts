/** Reads a certificate line by line, and checks its signature. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { FatalError } from "../../connectors/errors.ts";
import { RECORDS_BEGIN, RECORDS_END, SIGNATURE_BEGINS } from "./layout.ts";
import { isHead, isRecordOfCertificate, isSignature } from "./parse.ts";
import type { Certificate, CertifiedRecord } from "./schema.ts";
import { isSignedBy, type Signature } from "./signature.ts";

/** A file whose signature doesn't belong to it. Nothing in it can be trusted, nor its shape. */
export interface ChangedCertificate {
  readonly isSigned: false;
}

/** A certificate that was opened. */
export interface OpenedCertificate {
  readonly isSigned: true;
  readonly certificate: Certificate;
  readonly signature: Signature;
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
export async function openCertificate(path: string): Promise<OpenedCertificate | ChangedCertificate> {
  const hash = createHash("sha256");
  let head = "";
  let signature: unknown;
  let part: "head" | "records" | "end" | "signature" = "head";
  for await (const line of linesOf(path)) {
    // A member after the signature would be signed by nobody.
    if (part === "signature" && line !== "}") throw noCertificate(path);
    if (part === "end" && line.startsWith(SIGNATURE_BEGINS)) {
      signature = parsed(path, line.slice(SIGNATURE_BEGINS.length));
      part = "signature";
    }
    if (part === "signature") continue;
    hash.update(`${line}\n`);
    if (part === "head" && line === RECORDS_BEGIN) part = "records";
    else if (part === "records" && line === RECORDS_END) part = "end";
    else if (part === "head") head += `${line}\n`;
    if (head.length > LONGEST_HEAD) break;
  }
  const certificate = part === "head" ? undefined : parsed(path, `${head.replace(/,\n$/, "")}\n}`);
  if (!isOurs(certificate) || !isSignature(signature)) throw noCertificate(path);
  if (!isSignedBy(hash.digest(), signature)) return { isSigned: false };
  if (!isHead(certificate)) throw noCertificate(path);
  return { isSigned: true, certificate, signature, records: () => recordsOf(path) };
}

function isOurs(value: unknown): boolean {
  return typeof value === "object" && value !== null && "format" in value && value.format === "logferry certificate";
}

async function* recordsOf(path: string): AsyncIterable<CertifiedRecord> {
  let isInside = false;
  for await (const line of linesOf(path)) {
    if (line === RECORDS_BEGIN) isInside = true;
    else if (isInside && line === RECORDS_END) return;
    else if (isInside && line !== "") {
      const record = parsed(path, line.replace(/,$/, ""));
      if (!isRecordOfCertificate(record)) throw noCertificate(path);
      yield record;
    }
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

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
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
