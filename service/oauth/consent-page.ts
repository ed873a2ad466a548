/** The consent page, and the page that shows the code when there is no address to go back to. */
import { type Html, html, shortened } from "../pages/html.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { parseOrigin } from "./redirect-uris.ts";

/** A longer name is cut, so that it doesn't push the question off the page. */
const MAX_NAME_LENGTH = 80;

/** The name of an application in text: cut, and isolated in its own reading direction. */
export function nameOf(name: string): Html {
  return html`<bdi>${shortened(name, MAX_NAME_LENGTH)}</bdi>`;
}

/** Names and values of the consent form. */
export const CONSENT = {
  decision: "decision",
  allow: "allow",
  refuse: "refuse",
  profile: "profile",
} as const;

/**
 * The page on which a user lets an application in. "The user must have granted access to private information": how an application asks for it without
 * scopes is not shown. The page has a separate box for it, empty until the user ticks it. One grant of an application may include it while a later
 * one doesn't.
 */
export function consentPage(request: AuthorizationRequest, login: string, csrfToken: string): Html {
  const { application, redirectURI, address } = request;
  const origin = parseOrigin(redirectURI);
  const name = nameOf(application.name);
  return html`<h1>Let ${name} use your log?</h1>
<p>The application <strong>${name}</strong> asks for access to the training log of <strong>${login}</strong>.</p>
<p>It will be able to, until you revoke it:</p>
<ul>
<li>read, add and change your workouts, courses and equipment</li>
<li>import workouts and course maps from files</li>
<li>read your training plans</li>
<li>read and change your preference: units and time offset</li>
</ul>
<p>It will not learn your password, and can't delete anything.</p>
<form method="post" action="${address}">
<input type="hidden" name="_csrf" value="${csrfToken}">
<p><input id="profile" type="checkbox" name="${CONSENT.profile}" value="on">
<label for="profile">Also let it read my profile, which is private: name, e-mail address, birth date and gender</label></p>
<p><button type="submit" name="${CONSENT.decision}" value="${CONSENT.allow}">Allow</button>
<button type="submit" name="${CONSENT.decision}" value="${CONSENT.refuse}">Refuse</button></p>
</form>
<p>${
    origin === undefined
      ? "You will be shown a code to enter in the application."
      : html`You will be sent back to <strong>${origin}</strong>.`
  }</p>
<p>Not ${login}? <a href="/sign-in?next=${encodeURIComponent(address)}">Sign in as somebody else</a>.</p>`;
}

/** "The page title is set to the authorization token, and the page shows the token." */
export function codePage(name: string, code: string): Html {
  return html`<h1>Access granted</h1>
<p>Enter this code in ${nameOf(name)}:</p>
<p><output><code>${code}</code></output></p>
<p>It is good for 10 minutes, once. Then you can close this page.</p>`;
}
