/** What keeps the database from answering. */

/** The database is busy, full or out of reach just now: nothing is wrong with the request, and it did not act. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The connection to the database went while a write was being confirmed: it may be kept, or not. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}
