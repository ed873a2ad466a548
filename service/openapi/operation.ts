/**
 * A route's description of itself: its name, its parameters and body, and every answer it can give. The service checks with the same
 * objects that it publishes.
 */
import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import { LISTING } from "../gaps.ts";
import { integer } from "../http/parameters.ts";
import { REFUSALS, type RefusalName } from "../http/refusals.ts";

/** The name of an operation, and its description where the name isn't clear enough. */
export interface About {
  /** Stable and unique, because generated clients depend on it. */
  readonly operationId: string;
  /** The document's name of the operation. */
  readonly summary: string;
  readonly description?: string;
  /** Marks an operation that the interface document doesn't show. */
  readonly "x-undocumented"?: true;
}

/** Begins the description of everything that the document doesn't show. */
export const UNDOCUMENTED = "Not shown by the interface document; as clients of such a service know it.";

/** A refused request: the envelope without data, and a sentence for people that names the field or parameter. */
export const Refused = Type.Object(
  { code: Type.Integer({ minimum: 1 }), message: Type.String() },
  { additionalProperties: false },
);

/** Refusals of every operation that takes a token. */
const ALWAYS: readonly RefusalName[] = ["bad-request", "bad-parameter", "unauthorized", "failed", "unavailable"];

/** More refusals of a route with a body. */
export const BODY_REFUSALS: readonly RefusalName[] = ["too-large", "unsupported"];

/** Answers by status, for fastify: the success, and for each refusal the envelope it comes in. */
export function answers<S extends TSchema>(good: S, refusals: readonly RefusalName[] = []): { 200: S } {
  const byStatus = new Map<number, string[]>();
  for (const name of [...ALWAYS, ...refusals]) {
    const { status, code, means } = REFUSALS[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `code ${code}: ${means}`]);
  }
  const refused = [...byStatus].map(([status, meanings]) => [
    status,
    { ...Refused, description: meanings.toSorted((one, other) => one.localeCompare(other)).join("; ") },
  ]);
  return { 200: { description: "Success", ...good }, ...Object.fromEntries(refused) };
}

/** An envelope with data. */
export function envelope<P extends TProperties>(data: P) {
  return Type.Object(
    { code: Type.Literal(0), data: Type.Object(data, { additionalProperties: false }) },
    { additionalProperties: false },
  );
}

/** "Envelope with `code` only; no `data`." */
export const CODE_ONLY = Type.Object({ code: Type.Literal(0) }, { additionalProperties: false });

/** The id that a save answers. */
export const SAVED = envelope({ id: Type.String({ description: "Opaque; case counts" }) });

/** A listing: the entries of the requested page, and how many there are in all. */
export function listing<S extends TSchema>(entry: S) {
  return envelope({
    entries: Type.Array(entry),
    numEntries: Type.Integer({ minimum: 0, description: "The total over all pages" }),
  });
}

/** A path with `:id`. */
export const OF_ID: TObject<{ id: ReturnType<typeof Type.String> }> = Type.Object({
  id: Type.String({ description: "As a save or a listing gave it" }),
});

/** The two parameters of every listing that has pages. */
export const SLICE = {
  limit: integer(LISTING, { description: "Number of records to return", default: LISTING.default }),
  offset: integer(
    { minimum: 0, maximum: 2 ** 31 - 1 },
    { description: "0-based index of the first item returned", default: 0 },
  ),
};
