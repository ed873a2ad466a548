/** Errors of a database that doesn't answer. */

/** The database is busy, full or out of reach just now. The request is correct, and it changed nothing. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** The connection to the database was lost while a write was being confirmed. The write may be kept, or not. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}
