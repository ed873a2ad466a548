/** Who looks at a page. */

/** Somebody who is signed in. */
export interface SignedIn {
  readonly userId: string;
  /** To be sent along, as `_csrf`, with every form that changes something. */
  readonly csrfToken: string;
}
