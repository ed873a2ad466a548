/** Checks the parts of a certificate that a later check of it reads. Anybody can sign a file of any shape with a key of their own. */
import { z } from "zod";
import { CLASS_NAMES, type ClassName } from "./classes.ts";
import type { Certificate, CertifiedRecord } from "./schema.ts";
import type { Signature } from "./signature.ts";

const count = z.int().nonnegative();
const text = z.string();
const className = z.string().refine((name) => CLASS_NAMES.includes(name as ClassName));

const SIGNATURE = z.object({ algorithm: z.literal("Ed25519"), publicKey: text, sha256: text, value: text });

/** Certificates of older versions lack what is optional here. */
const HEAD = z.object({
  format: z.literal("logferry certificate"),
  issuedAt: text,
  run: z.object({ number: count }),
  verdict: z.object({
    canClose: z.boolean(),
    sentence: text,
    obstacles: z.array(z.object({ code: text, count, text, todo: text })),
  }),
  acceptance: z.object({ conditions: z.array(text).optional() }),
  levels: z.array(z.object({ level: text, isReached: z.boolean().optional() })),
  inventory: z.object({ records: count, sources: z.array(z.object({ name: text })) }),
  classes: z.array(z.object({ class: className, count })),
  isBalanced: z.boolean(),
  losses: z.array(z.object({ field: text, count })),
  notAdded: z.object({ workouts: count }).optional(),
});

const RECORD = z.object({
  id: text,
  kind: z.enum(["workout", "equipment", "course", "set-aside"]),
  origin: z.object({ archive: text, entry: text, locator: text.optional() }),
  logId: text.optional(),
  log: text.optional(),
  fields: z.record(text, text).optional(),
});

export function isSignature(value: unknown): value is Signature {
  return SIGNATURE.safeParse(value).success;
}

export function isHead(value: unknown): value is Certificate {
  return HEAD.safeParse(value).success;
}

export function isRecordOfCertificate(value: unknown): value is CertifiedRecord {
  const found = RECORD.safeParse(value);
  return found.success && (found.data.log === undefined || found.data.fields !== undefined);
}
