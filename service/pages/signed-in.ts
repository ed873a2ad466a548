/** The user who looks at a page. */

/** A signed-in user. */
export interface SignedIn {
  readonly userId: string;
  /** Every form that changes something sends it along, as `_csrf`. */
  readonly csrfToken: string;
}
