/**
 * The document's error code for each condition. There are seven codes. The token endpoint answers with the same seven ("using the error
 * codes above"), so it has no `invalid_client`, `invalid_grant` or `unsupported_grant_type`.
 */

/** "`error` is one of". */
export const OAUTH_ERRORS = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
] as const;

/** One of the seven. */
export type OAuthError = (typeof OAUTH_ERRORS)[number];

/**
 * Every condition, its code, and its `error_description` ("for debugging"). The authorization endpoint tells the application of the
 * conditions here. It tells only the user when the application or the address isn't registered.
 */
export const CONDITIONS = {
  // Authorization endpoint, in the order of the checks.
  "repeated state": ["invalid_request", "state: given more than once"],
  "state too long": ["invalid_request", "state: longer than 2048 bytes"],
  "repeated parameter": ["invalid_request", "a parameter is given more than once"],
  "suspended application": ["unauthorized_client", "the operator of this service has suspended the application"],
  "no response_type": ["invalid_request", "response_type: is required"],
  "unknown response_type": ["unsupported_response_type", "response_type: must be code"],
  "unknown scope": ["invalid_scope", "scope: this service has none; the user decides about private information"],
  "unknown challenge method": ["invalid_request", "code_challenge_method: must be S256"],
  "no challenge": ["invalid_request", "code_challenge: is required with code_challenge_method"],
  "bad challenge": ["invalid_request", "code_challenge: must be 43 letters, digits, - or _"],
  "refused by the user": ["access_denied", "the user has refused access"],
  // Both endpoints.
  "store unavailable": ["temporarily_unavailable", "the service can't read or write just now; try again later"],
  bug: ["server_error", "the service failed; this is a bug of it"],
  // Token endpoint, in the order of the checks.
  "bad method": ["invalid_request", "only POST can be asked of this address"],
  "not a form": ["invalid_request", "the body must be application/x-www-form-urlencoded, in UTF-8 and not compressed"],
  "too large": ["invalid_request", "the body is larger than any form of this kind"],
  unreadable: ["invalid_request", "the request can't be read"],
  "parameter in the address": ["invalid_request", "parameters are taken from the form body alone"],
  "second way in": ["invalid_request", "client_id and client_secret are taken from the form body alone"],
  "repeated in the form": ["invalid_request", "a parameter is given more than once"],
  "no client_id": ["invalid_request", "client_id: is required"],
  "no client_secret": ["invalid_request", "client_secret: is required"],
  "no code": ["invalid_request", "code: is required"],
  "no grant_type": ["invalid_request", "grant_type: is required"],
  "no redirect_uri": ["invalid_request", "redirect_uri: is required, as in the authorization step"],
  "unknown grant_type": ["invalid_request", "grant_type: must be authorization_code"],
  "too many mistakes": ["temporarily_unavailable", "too many wrong secrets or codes; wait as Retry-After says"],
  "unknown application": ["unauthorized_client", "client_id or client_secret: not of a registered application"],
  "unknown code": ["invalid_request", "code: unknown, used before, or expired"],
  "code of another": ["invalid_request", "code: was not given to this application"],
  "another redirect_uri": ["invalid_request", "redirect_uri: not the value used in the authorization step"],
  "no verifier": ["invalid_request", "code_verifier: is required, because a code_challenge was sent"],
  "verifier without challenge": ["invalid_request", "code_verifier: no code_challenge was sent"],
  "wrong verifier": ["invalid_request", "code_verifier: doesn't fit the code_challenge"],
} as const satisfies Readonly<Record<string, readonly [OAuthError, string]>>;

/** Name of a condition. */
export type Condition = keyof typeof CONDITIONS;
