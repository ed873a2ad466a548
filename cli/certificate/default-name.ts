/** The name of a certificate, where the person gives none. */
export const DEFAULT_CERTIFICATE = "logferry-certificate.json";
