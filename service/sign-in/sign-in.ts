/** Signing in and out. */
import type { FastifyInstance } from "fastify";
import { type Html, html, verbatim } from "../pages/html.ts";
import type { Query } from "../parameters.ts";
import type { AccountStore } from "../store/accounts.ts";
import { Lockout, networkOf, OF_AN_ACCOUNT, OF_AN_ADDRESS } from "./lockout.ts";
import { isPasswordOf, loginOf, MAX_LOGIN_LENGTH, PASSWORD_LENGTH } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";
import { show } from "./show.ts";

/** What signing in works with. */
export interface SignInParts {
  readonly accounts: AccountStore;
  readonly sessions: Sessions;
  /** Where a browser may go next. */
  readonly destination: (next: unknown) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface SignInForm {
  readonly csrfToken: string;
  readonly next: string;
  readonly login?: string;
  /** What went wrong the last time. */
  readonly trouble?: string;
}

/** Adds `/sign-in` and `/sign-out`. */
export function signInRoutes(app: FastifyInstance, { accounts, sessions, destination, now }: SignInParts): void {
  const ofAnAccount = new Lockout(now, OF_AN_ACCOUNT);
  const ofAnAddress = new Lockout(now, OF_AN_ADDRESS);
  const isPublic = { config: { isPublic: true } };

  app.get("/sign-in", isPublic, async (request, reply) => {
    const next = destination((request.query as Query).next);
    return show(reply, { title: "Sign in", body: signInPage({ next, csrfToken: sessions.formToken(request, reply) }) });
  });

  app.post("/sign-in", isPublic, async (request, reply) => {
    const form = request.body as Query;
    const next = destination(form.next);
    const login = typeof form.login === "string" ? loginOf(form.login) : "";
    const password = typeof form.password === "string" ? form.password : "";
    const again = (status: number, trouble: string) => {
      const body = signInPage({ next, login, trouble, csrfToken: sessions.formToken(request, reply) });
      return show(reply, { title: "Sign in", body }, status);
    };
    if (login.length > MAX_LOGIN_LENGTH || password.length > PASSWORD_LENGTH.maximum) return again(403, WRONG);

    const address = networkOf(request.ip);
    const account = JSON.stringify([login, address]);
    const waitMs = Math.max(ofAnAccount.waitMs(account), ofAnAddress.waitMs(address));
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      reply.header("Retry-After", seconds);
      return again(429, `Too many wrong passwords. Try again in ${durationOf(seconds)}.`);
    }
    // Counted before the slow part, so that a hundred guesses at once are still a hundred.
    ofAnAccount.count(account);
    ofAnAddress.count(address);
    const found = await accounts.account(login);
    if (!(await isPasswordOf(found, password)) || found === undefined) return again(403, WRONG);
    ofAnAccount.forgive(account);
    ofAnAddress.takeBack(address);
    await sessions.begin(request, reply, found.userId);
    return reply.redirect(next, 303);
  });

  app.get("/sign-out", async (request, reply) => {
    const { signedIn } = request;
    return show(reply, { title: "Sign out", body: signOutPage(signedIn?.csrfToken ?? ""), signedIn });
  });

  app.post("/sign-out", async (request, reply) => {
    await sessions.end(request, reply);
    return reply.redirect("/sign-in", 303);
  });
}

/** The same for a login nobody has and for a wrong password. */
const WRONG = "Login and password don't fit together.";

function durationOf(seconds: number): string {
  if (seconds === 1) return "a second";
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

function signInPage({ csrfToken, next, login = "", trouble }: SignInForm): Html {
  return html`<h1>Sign in</h1>
${trouble !== undefined && html`<p role="alert">${trouble}</p>`}
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
