/** Says why a connection to PostgreSQL can't be trusted, and what to write in its address. */

const NAME_THE_AUTHORITY =
  "Name the certificate of the authority in the address: ?sslmode=verify-full&sslrootcert=/path/to/ca.pem";

const UNKNOWN = `this computer doesn't know the authority that signed its certificate, or sslrootcert names another one. ${NAME_THE_AUTHORITY}`;

/** Codes of OpenSSL, as Node names them: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const REASONS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN,
  CERT_SIGNATURE_FAILURE: UNKNOWN,
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is signed by itself. ${NAME_THE_AUTHORITY}`,
  CERT_HAS_EXPIRED: "its certificate has expired. Whoever runs the database makes a new one",
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Look at the clock of this computer",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host. Write the host that it names into the address",
};

/** @returns undefined for an error of another kind */
export function untrustedReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/server does not support SSL/i.test(error.message))
    return "the address asks for TLS, and the database has none. Whoever runs it turns ssl on; on this computer alone, leave sslmode out";
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? undefined : REASONS[code];
}
