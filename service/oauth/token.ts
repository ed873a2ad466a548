/**
 * The token endpoint. An application sends a code with its key and secret, and gets an access token. The endpoint reads only forms, and
 * slows down guessing.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import formbody from "@fastify/formbody";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { TOKEN_ERROR_STATUS } from "../gaps.ts";
import { contentCodingOf } from "../http/body.ts";
import { hashOf, newToken } from "../http/ids.ts";
import type { Query } from "../http/parameters.ts";
import { asRefusal, type RefusalName } from "../http/refusals.ts";
import { Lockout, networkOf, OF_AN_ACCOUNT } from "../sign-in/lockout.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Application, CodeRecord } from "../store/accounts.ts";
import { CONDITIONS, type Condition } from "./errors.ts";

/** The address of the endpoint. */
export const TOKEN = "/oauth2/token";

/** The parts that the endpoint works with. */
export interface TokenParts {
  readonly accounts: AccountStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Key, secret, code and address are some 200 bytes. The operator allowed the address. */
const MAX_FORM_BYTES = 16 * 1024;

const FORM_TYPE = /^application\/x-www-form-urlencoded(?: *; *charset="?utf-8"?)?$/i;

/** RFC 6749 section 5.1: on every answer that could hold a token. */
const HEADERS = { "Cache-Control": "no-store", Pragma: "no-cache" };

/** The reason why there is no token. */
class NoToken extends Error {
  readonly condition: Condition;
  readonly statusCode: number;
  /** Seconds to wait; undefined where waiting doesn't help. */
  readonly retryAfter: number | undefined;

  constructor(condition: Condition, statusCode: number = TOKEN_ERROR_STATUS, retryAfter?: number) {
    super(CONDITIONS[condition][1]);
    this.condition = condition;
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

/** Adds the endpoint to its own part of the app. */
export async function tokenRoutes(app: FastifyInstance, { accounts, now }: TokenParts): Promise<void> {
  const lockout = new Lockout(accounts.mistakes, now);
  app.removeAllContentTypeParsers();
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES });
  app.setErrorHandler(answerError);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    if (request.method === "POST") lookAtHead(request);
  });
  app.route({
    method: ["GET", "PUT", "PATCH", "DELETE"],
    url: TOKEN,
    handler: async (_request, reply) => {
      reply.header("Allow", "POST");
      throw new NoToken("bad method", 405);
    },
  });

  app.post(TOKEN, async (request) => {
    const form = formOf(request.body as Query);
    const guesser = JSON.stringify(["application", form.client_id, networkOf(request.ip)]);
    const waitMs = await lockout.waitMs(guesser);
    if (waitMs > 0) throw new NoToken("too many mistakes", 429, Math.ceil(waitMs / 1000));
    const application = authenticated(await accounts.application(form.client_id), form.client_secret);
    if (application === undefined) {
      await lockout.count({ key: guesser, patience: OF_AN_ACCOUNT });
      throw new NoToken("unknown application");
    }
    if (application.isSuspended) throw new NoToken("suspended application");
    const taken = await accounts.takeCode(hashOf(form.code), application.id);
    if (taken === undefined) await lockout.count({ key: guesser, patience: OF_AN_ACCOUNT });
    if (taken?.state !== "fresh") throw new NoToken("unknown code");
    const { code } = taken;
    const condition = problemWith(code, form, now());
    if (condition !== undefined) throw new NoToken(condition);
    const token = newToken();
    const { userId, readsProfile } = code;
    const record = { hash: hashOf(token), userId, application: application.id, readsProfile };
    // The token isn't kept when the code was used again, or the user revoked the application, in the meantime. The answer is the same as
    // if that had happened right after it. This was the first use of the code, and its token is worth nothing by now.
    await accounts.addTokenForCode(record, code.hash, now());
    await lockout.forgive(guesser);
    return { access_token: token, token_type: "bearer" };
  });
}

const REQUIRED = ["client_id", "client_secret", "code", "grant_type", "redirect_uri"] as const;

type Form = Readonly<Record<(typeof REQUIRED)[number] | "code_verifier", string>>;

const NAMES: readonly string[] = [...REQUIRED, "code_verifier"];

function lookAtHead(request: FastifyRequest): void {
  const { "content-type": type, "content-encoding": encoding, authorization } = request.headers;
  if (type === undefined || !FORM_TYPE.test(type) || contentCodingOf(encoding) !== "identity")
    throw new NoToken("not a form", 415);
  // A secret in an address ends up in every log on the way.
  if (Object.keys(request.query as Query).some((name) => NAMES.includes(name))) {
    throw new NoToken("parameter in the address");
  }
  if (authorization !== undefined) throw new NoToken("second way in");
}

/** The complete form. An empty field counts as missing (RFC 6749 section 3.2). */
function formOf(body: Query): Form {
  if (Object.values(body).some(Array.isArray)) throw new NoToken("repeated in the form");
  for (const name of REQUIRED) if ((body[name] ?? "") === "") throw new NoToken(`no ${name}`);
  if (body.grant_type !== "authorization_code") throw new NoToken("unknown grant_type");
  return { code_verifier: "", ...body } as Form;
}

/** The secret's hash for an unknown application: the hash of a random text. */
const NOBODYS = hashOf(newToken());

/** The application, if the secret is its own. An unknown application costs the same hash and the same comparison. */
function authenticated(application: Application | undefined, secret: string): Application | undefined {
  const kept = Buffer.from(application?.secretHash ?? NOBODYS);
  return timingSafeEqual(Buffer.from(hashOf(secret)), kept) ? application : undefined;
}

/** The reason why a fresh code is still refused. The code is used up by now, so there is no second try. */
function problemWith(code: CodeRecord, form: Form, now: number): Condition | undefined {
  if (code.applicationId !== form.client_id) return "code of another";
  if (now >= code.expiresAt) return "unknown code";
  if (code.redirectURI !== form.redirect_uri) return "another redirect_uri";
  const { code_verifier: verifier } = form;
  // A thief of a code could drop the challenge from the request. Then the verifier reveals the theft (RFC 9700 section 4.8.2).
  if (code.challenge === undefined) return verifier === "" ? undefined : "verifier without challenge";
  if (verifier === "") return "no verifier";
  const expected = createHash("sha256").update(verifier).digest("base64url");
  return timingSafeEqual(Buffer.from(expected), Buffer.from(code.challenge)) ? undefined : "wrong verifier";
}

/** The condition for each refusal of our own or of fastify's. */
const BY_REFUSAL: Partial<Record<RefusalName, Condition>> = {
  "too-large": "too large",
  unsupported: "not a form",
  unavailable: "store unavailable",
  failed: "bug",
};

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (error instanceof NoToken) {
    if (error.retryAfter !== undefined) reply.header("Retry-After", error.retryAfter);
    answer(reply, error.statusCode, error.condition);
    return;
  }
  const { refusal, statusCode } = asRefusal(error);
  if (statusCode >= 500) request.log.error(error);
  answer(reply, statusCode, BY_REFUSAL[refusal] ?? "unreadable");
}

function answer(reply: FastifyReply, status: number, condition: Condition): void {
  const [error, description] = CONDITIONS[condition];
  reply.code(status).send({ error, error_description: description });
}
