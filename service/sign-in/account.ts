/** The user's account page, with the form for a new password. A new password signs every other browser out. */
import type { FastifyInstance } from "fastify";
import type { Query } from "../http/parameters.ts";
import { type Html, html, verbatim } from "../pages/html.ts";
import { show } from "../pages/show.ts";
import type { SignedIn } from "../pages/signed-in.ts";
import { hashOfPassword, PASSWORD_LENGTH, problemWith } from "./passwords.ts";
import { describeError, type SignInParts, textOf } from "./sign-in.ts";

/** The address of the page. */
const ACCOUNT = "/account";

/** The content of the page beside its forms. */
interface Said {
  readonly login: string;
  readonly problem?: string;
  readonly isChanged?: boolean;
}

/** Adds the page, and `/account/password`. */
export function accountRoutes(app: FastifyInstance, { accounts, sessions, guard }: SignInParts): void {
  const page = (signedIn: SignedIn | undefined, said: Said) =>
    ({ title: "Account", body: accountPage(signedIn?.csrfToken ?? "", said), signedIn, within: ACCOUNT }) as const;
  const loginFor = async (signedIn: SignedIn | undefined) =>
    (await accounts.accountOf(signedIn?.userId ?? ""))?.login ?? "";

  app.get(ACCOUNT, async ({ signedIn, query }, reply) => {
    const isChanged = (query as Query).changed !== undefined;
    return show(reply, page(signedIn, { login: await loginFor(signedIn), isChanged }));
  });

  app.post(`${ACCOUNT}/password`, async (request, reply) => {
    const { signedIn } = request;
    const form = request.body as Query;
    const login = await loginFor(signedIn);
    const password = textOf(form, "new-password");
    const again = (problem: string) => show(reply, page(signedIn, { login, problem }), reply.statusCode);
    const verdict = await guard.check(login, textOf(form, "password"), request.ip);
    if (verdict.kind !== "right") return again(describeError(reply, verdict, "This is not your current password."));
    const problem = problemWith(password);
    if (problem !== undefined) {
      reply.code(400);
      return again(`Nothing was changed: ${problem}.`);
    }
    if (password !== textOf(form, "again")) {
      reply.code(400);
      return again("Nothing was changed: the new password was typed in two different ways.");
    }
    const { userId } = verdict.account;
    await accounts.replacePassword(userId, await hashOfPassword(password));
    // After the change, so that a sign-in with the old password fails from now on.
    await accounts.removeOtherSessions(userId, await sessions.begin(request, reply, userId));
    return reply.redirect(`${ACCOUNT}?changed`, 303);
  });
}

function accountPage(csrfToken: string, { login, problem, isChanged = false }: Said): Html {
  const { minimum, maximum } = PASSWORD_LENGTH;
  return html`<h1>Account</h1>
<p>You are signed in as <strong>${login}</strong>.</p>
${isChanged && html`<p role="status">Your password was changed. Every other browser has to sign in again.</p>`}
<h2>Change the password</h2>
${problem !== undefined && html`<p role="alert">${problem}</p>`}
<form method="post" action="${ACCOUNT}/password">
<input type="hidden" name="_csrf" value="${csrfToken}">
<input type="hidden" name="login" value="${verbatim(login)}" autocomplete="username">
<p><label for="password">Current password</label>
<input id="password" name="password" type="password" required autocomplete="current-password"></p>
<p><label for="new-password">New password, of at least ${minimum} characters</label>
<input id="new-password" name="new-password" type="password" required minlength="${minimum}" maxlength="${maximum}" autocomplete="new-password"></p>
<p><label for="again">New password once more</label>
<input id="again" name="again" type="password" required autocomplete="new-password"></p>
<p><button type="submit">Change it</button></p>
</form>`;
}
