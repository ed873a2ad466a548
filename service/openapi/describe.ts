/**
 * The description of the service for programs: `/openapi.json`. It is made of the schemas the routes check with, so it always matches the
 * service's behaviour.
 */
import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema, RouteOptions } from "fastify";
import Type from "typebox";
import { bodyRule } from "../http/body.ts";
import type { About } from "./operation.ts";

declare module "fastify" {
  interface FastifySchema extends Partial<About> {}
}

/** The address of the description. */
export const DESCRIPTION_PATH = "/openapi.json";

/** An OpenAPI document: the members that this service reads. */
export interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/** One operation of an OpenAPI document. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly "x-undocumented"?: true;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

/** One parameter of an operation. */
export interface DescribedParameter {
  readonly in: "query" | "path" | "header";
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly "x-undocumented"?: true;
  readonly schema: JsonSchema;
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** A JSON Schema: the members that this service reads. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly const?: string | number;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly "x-undocumented"?: true;
}

const INFO = {
  title: "Training log",
  // "Versioning: not shown." The format requires a version. It is the version of this description alone.
  version: "1",
  description:
    "Read and write a user's training log once the user has granted access. Every answer is an object with an integer `code`, 0 for " +
    "success, and `data` where data is returned. What is marked `x-undocumented` is not part of the interface document.",
};

const SECURITY_SCHEMES = {
  accessToken: {
    type: "apiKey",
    in: "query",
    name: "access_token",
    description:
      "The OAuth 2.0 token of the current user. At most 32 characters; doesn't expire; the user may revoke it.",
  },
  oauth: {
    type: "oauth2",
    description: "How a token is got. It is sent as the query parameter `access_token`, never in a header.",
    flows: {
      authorizationCode: { authorizationUrl: "/oauth2/authorize", tokenUrl: "/oauth2/token", scopes: {} },
    },
  },
} as const;

/** Describes the routes that are added to `app` from here on. It must be called before the first route. */
export function describeRoutes(app: FastifyInstance): void {
  app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: INFO,
      servers: [{ url: "/" }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: ({ schema, url, route }) => ({ schema: published(schema, route), url }),
    transformObject: (document) =>
      "openapiObject" in document ? (finished(document.openapiObject as never) as never) : {},
  });
  app.register(async (rest) => {
    rest.get(DESCRIPTION_PATH, { schema: { hide: true } }, async () => rest.swagger());
  });
}

/** A route's schema in the form that the description needs. A route without a name is no operation: pages, assets, refusals of methods. */
function published(schema: FastifySchema | undefined, { method, url, config }: RouteOptions): FastifySchema {
  const known = OAUTH_OPERATIONS[`${method} ${url}`];
  if (known !== undefined) return { ...known, security: [] } as FastifySchema;
  if (schema?.operationId === undefined) return { hide: true } as FastifySchema;
  const isOpen = !url.startsWith("/rest/");
  return {
    ...schema,
    ...(config?.body !== undefined && bodyOf(schema, bodyRule(config.body))),
    security: isOpen ? [] : [{ accessToken: [] }, { oauth: [] }],
  } as FastifySchema;
}

function bodyOf(schema: FastifySchema, { json, gzip }: { readonly json: boolean; readonly gzip: boolean }): object {
  return {
    ...(!json && { body: { description: "The file's content, whatever media type it is sent as" }, consumes: ["*/*"] }),
    ...(json && { body: schema.body, consumes: ["application/json"] }),
    ...(gzip && {
      headers: {
        type: "object",
        properties: { "Content-Encoding": { enum: ["gzip"], description: "Where the body is compressed with GZIP" } },
      },
    }),
  };
}

interface Draft {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
}

/**
 * Completes the plugin's document. OpenAPI takes `/workouts/{id}` and `/workouts/{type}` for one path, so each type gets a path of its
 * own. The marks of a parameter move from its schema to the parameter.
 */
function finished(document: Draft): Draft {
  const paths: Draft["paths"] = {};
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const [at, one] of ofEachType(path, operation)) paths[at] = { ...paths[at], [method]: marked(one) };
    }
  }
  return { ...document, paths };
}

function ofEachType(path: string, operation: DescribedOperation): readonly (readonly [string, DescribedOperation])[] {
  const type = operation.parameters?.find((parameter) => parameter.in === "path" && parameter.name === "type");
  if (type === undefined) return [[path, operation]];
  const parameters = operation.parameters?.filter((parameter) => parameter !== type) ?? [];
  return (type.schema.enum ?? []).map((name) => [
    path.replace("{type}", String(name)),
    {
      ...operation,
      operationId: `${operation.operationId}_${name}`,
      summary: `${operation.summary}: ${name}`,
      parameters,
    },
  ]);
}

function marked(operation: DescribedOperation): DescribedOperation {
  if (operation.parameters === undefined) return operation;
  const parameters = operation.parameters.map(({ schema, ...parameter }) => {
    const { "x-undocumented": mark, description: _description, ...plain } = schema;
    return { ...parameter, ...(mark !== undefined && { "x-undocumented": mark }), schema: plain };
  });
  return { ...operation, parameters };
}

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
const OAUTH_OPERATIONS: Readonly<Record<string, object>> = {
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
