/** Describes the two addresses where an application gets its token. They answer browsers and forms, so no JSON schema checks them. */
import Type from "typebox";

const ERRORS = [
  "access_denied",
  "invalid_request",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
  "unauthorized_client",
  "unsupported_response_type",
];

const TokenError = Type.Object({ error: Type.Enum(ERRORS), error_description: Type.String() });

/** The operations by method and path. */
export const OAUTH_OPERATIONS: Readonly<Record<string, object>> = {
  "GET /oauth2/authorize": {
    operationId: "authorize",
    summary: "Ask the user for access",
    description:
      "For the user's browser: signs the user in, asks for consent and redirects to `redirect_uri` with `code` and `state`, or with " +
      "`error`, `error_description` and `state`. For `urn:ietf:wg:oauth:2.0:oob` a page shows the code. Never redirects to an address " +
      "that isn't registered.",
    querystring: {
      type: "object",
      required: ["response_type", "client_id", "redirect_uri"],
      properties: {
        response_type: { type: "string", enum: ["code"], description: "Must be `code`" },
        client_id: { type: "string", description: "The application key issued at registration" },
        redirect_uri: { type: "string", description: "Must exactly match a registered value" },
        state: { type: "string", description: "Opaque; returned to the application" },
      },
    },
    produces: ["text/html"],
    response: {
      200: { type: "string", description: "A page: sign-in, consent, or the code" },
      302: { type: "null", description: "To sign in, or back to the application" },
      400: { type: "string", description: "An application or address that isn't registered" },
    },
  },
  "POST /oauth2/token": {
    operationId: "exchangeAuthorizationToken",
    summary: "Exchange authorization token",
    description: "A code is good once, for 10 minutes, for the application and the address it was given for.",
    consumes: ["application/x-www-form-urlencoded"],
    body: Type.Object({
      client_id: Type.String(),
      client_secret: Type.String(),
      code: Type.String({ description: "The authorization token" }),
      redirect_uri: Type.String({ description: "The exact value used in the authorization step" }),
      grant_type: Type.Enum(["authorization_code"]),
    }),
    response: {
      200: Type.Object(
        { access_token: Type.String({ maxLength: 32 }), token_type: Type.Enum(["bearer"]) },
        { description: "Success" },
      ),
      400: { ...TokenError, description: "The request can't be granted" },
      405: { ...TokenError, description: "Not a POST" },
      413: { ...TokenError, description: "The body is too large" },
      415: { ...TokenError, description: "The body isn't a form" },
      429: { ...TokenError, description: "Too many wrong secrets or codes: wait as `Retry-After` says" },
      503: { ...TokenError, description: "The service can't read or write just now" },
    },
  },
};
