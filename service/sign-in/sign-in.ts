/** Signing in and out. */
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Query } from "../http/parameters.ts";
import { type Html, html, verbatim } from "../pages/html.ts";
import { show } from "../pages/show.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { PasswordGuard, Verdict } from "./guard.ts";
import type { Sessions } from "./sessions.ts";

/** The parts that signing in works with. */
export interface SignInParts {
  readonly accounts: AccountStore;
  readonly sessions: Sessions;
  readonly guard: PasswordGuard;
  /** Finds the address that a browser goes to next. */
  readonly destination: (next: unknown) => string;
}

interface SignInForm {
  readonly csrfToken: string;
  readonly next: string;
  readonly login?: string;
  /** The problem with the last try. */
  readonly problem?: string;
}

/** Adds `/sign-in` and `/sign-out`. */
export function signInRoutes(app: FastifyInstance, { sessions, guard, destination }: SignInParts): void {
  const isPublic = { config: { isPublic: true } };

  app.get("/sign-in", isPublic, async (request, reply) => {
    const next = destination((request.query as Query).next);
    return show(reply, { title: "Sign in", body: signInPage({ next, csrfToken: sessions.formToken(request, reply) }) });
  });

  app.post("/sign-in", isPublic, async (request, reply) => {
    const form = request.body as Query;
    const [next, login] = [destination(form.next), textOf(form, "login")];
    const verdict = await guard.check(login, textOf(form, "password"), request.ip);
    if (verdict.kind === "right") {
      await sessions.begin(request, reply, verdict.account.userId);
      return reply.redirect(next, 303);
    }
    const problem = describeError(reply, verdict, "Login and password don't fit together.");
    const body = signInPage({ next, login, problem, csrfToken: sessions.formToken(request, reply) });
    return show(reply, { title: "Sign in", body }, reply.statusCode);
  });

  app.get("/sign-out", async ({ signedIn }, reply) =>
    show(reply, { title: "Sign out", body: signOutPage(signedIn?.csrfToken ?? ""), signedIn }),
  );

  app.post("/sign-out", async (request, reply) => {
    await sessions.end(request, reply);
    return reply.redirect("/sign-in", 303);
  });
}

/** The text of a field; empty when the field is missing or was sent twice. */
export function textOf(form: Query, name: string): string {
  const value = form[name];
  return typeof value === "string" ? value : "";
}

/** Sets status and headers of the answer to a refused password. @returns the sentence for the user */
export function describeError(
  reply: FastifyReply,
  verdict: Exclude<Verdict, { kind: "right" }>,
  wrong: string,
): string {
  if (verdict.kind === "wrong") {
    reply.code(403);
    return wrong;
  }
  reply.code(429).header("Retry-After", verdict.seconds);
  return `Too many wrong passwords. Try again in ${durationOf(verdict.seconds)}.`;
}

function durationOf(seconds: number): string {
  if (seconds === 1) return "a second";
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function signInPage({ csrfToken, next, login = "", problem }: SignInForm): Html {
  return html`<h1>Sign in</h1>
${problem !== undefined && html`<p role="alert">${problem}</p>`}
<form method="post" action="/sign-in">
<input type="hidden" name="_csrf" value="${csrfToken}">
<input type="hidden" name="next" value="${verbatim(next)}">
<p><label for="login">Login</label>
<input id="login" name="login" value="${verbatim(login)}" required autocomplete="username" autocapitalize="none" spellcheck="false"></p>
<p><label for="password">Password</label>
<input id="password" name="password" type="password" required autocomplete="current-password"></p>
<p><button type="submit">Sign in</button></p>
</form>`;
}

function signOutPage(csrfToken: string): Html {
  return html`<h1>Sign out</h1>
<form method="post" action="/sign-out">
<input type="hidden" name="_csrf" value="${csrfToken}">
<p><button type="submit">Sign out</button></p>
</form>`;
}
