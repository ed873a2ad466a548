/** Holds a certificate against a log, or against a backup of it: which records changed since, and in which fields. */
import { savedForm } from "../../connectors/api/saved-form.ts";
import type { Repository } from "../../connectors/repository/repository.ts";
import type { Snapshot } from "../../connectors/repository/snapshot.ts";
import { recordsOfSnapshot } from "../../connectors/repository/source.ts";
import { type Sink, tryToRead } from "../../connectors/sink.ts";
import type { Kind } from "../../transforms/model/item.ts";
import { forEachConcurrently } from "../load/concurrently.ts";
import type { OpenedCertificate } from "./read.ts";
import { changedFields, hashRecord, type RecordHash } from "./record-hash.ts";
import type { CertifiedRecord } from "./schema.ts";

/** A record that is not as the certificate says. */
export interface CertificateDifference {
  readonly record: CertifiedRecord;
  readonly found: "missing" | "changed" | "unread";
  /** The fields that changed, by their paths. */
  readonly fields: readonly string[];
}

/** The result of a check. */
export interface CheckedCertificate {
  /** Records with a value in the log that were compared. */
  readonly checked: number;
  readonly differing: number;
  /** The first differences. */
  readonly differences: readonly CertificateDifference[];
  /** Whether its classes add up to the records of its inventory, counted anew. */
  readonly isBalanced: boolean;
}

/** Most differences that are kept. All of them are counted. */
const MOST_KEPT = 1000;

type CertifiedInLog = CertifiedRecord & { readonly kind: Kind; readonly logId: string } & RecordHash;

/**
 * Compares every record that the certificate saw in the log with the log of now.
 *
 * @throws the errors of reading the log
 */
export async function checkAgainstLog(
  certificate: OpenedCertificate,
  sink: Pick<Sink, "read">,
  { concurrency, signal, onProgress }: CheckContext,
): Promise<CheckedCertificate> {
  const tally = new Tally(certificate);
  await forEachConcurrently(certificate.records(), concurrency, signal, async (record) => {
    tally.records++;
    if (!isInLog(record)) return;
    const read = await tryToRead(() => sink.read(record.kind, record.logId, signal));
    tally.compare(record, "refused" in read ? "unread" : read.found);
    onProgress(tally.checked);
  });
  return tally.result();
}

/** The settings of a check. */
export interface CheckContext {
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/**
 * Compares every record that the certificate saw in the log with a snapshot.
 *
 * @throws as `compareWithSnapshot`
 */
export function checkAgainstSnapshot(
  certificate: OpenedCertificate,
  repository: Repository,
  snapshot: Snapshot,
): Promise<CheckedCertificate> {
  return compareWithSnapshot(certificate.records(), repository, snapshot, new Tally(certificate));
}

/**
 * Compares every record that was seen in the log with a snapshot. Memory holds the hashes of the records.
 *
 * @throws FatalError `repository/damaged`
 */
export async function compareWithSnapshot(
  records: AsyncIterable<CertifiedRecord>,
  repository: Repository,
  snapshot: Snapshot,
  tally = new Tally(),
): Promise<CheckedCertificate> {
  const certified = new Map<string, CertifiedInLog[]>();
  for await (const record of records) {
    tally.records++;
    if (!isInLog(record)) continue;
    const key = `${record.kind} ${record.logId}`;
    certified.set(key, [...(certified.get(key) ?? []), record]);
  }
  for await (const { kind, value } of recordsOfSnapshot(repository, snapshot)) {
    if (kind !== "workout" && kind !== "equipment" && kind !== "course") continue;
    const key = `${kind} ${String(value.id)}`;
    for (const record of certified.get(key) ?? []) tally.compare(record, savedForm(kind, value));
    certified.delete(key);
  }
  for (const same of certified.values()) for (const record of same) tally.compare(record, undefined);
  return tally.result();
}

class Tally {
  /** All records, and those with a value in the log that were compared. */
  records = 0;
  checked = 0;
  #differing = 0;
  readonly #inventory: number;
  readonly #differences: CertificateDifference[] = [];

  constructor(opened?: OpenedCertificate) {
    const sum = opened?.certificate.classes.reduce((total, { count }) => total + count, 0) ?? Number.NaN;
    // Classes that don't add up make the recount fail, whatever the records are.
    this.#inventory = sum === opened?.certificate.inventory.records ? sum : Number.NaN;
  }

  compare(record: CertifiedInLog, now: Readonly<Record<string, unknown>> | "unread" | undefined): void {
    this.checked++;
    const hash = now === undefined || now === "unread" ? undefined : hashRecord(now);
    if (hash?.log === record.log) return;
    this.#differing++;
    if (this.#differences.length >= MOST_KEPT) return;
    const found = now === "unread" ? "unread" : now === undefined ? "missing" : "changed";
    this.#differences.push({
      record,
      found,
      fields: hash === undefined ? [] : changedFields(record.fields, hash.fields),
    });
  }

  result(): CheckedCertificate {
    return {
      checked: this.checked,
      differing: this.#differing,
      differences: this.#differences,
      isBalanced: this.records === this.#inventory,
    };
  }
}

function isInLog(record: CertifiedRecord): record is CertifiedInLog {
  return record.kind !== "set-aside" && record.logId !== undefined && record.log !== undefined;
}
