/** The page of the user's grants, with a button to revoke each. */
import type { FastifyInstance } from "fastify";
import { REVOCATION_IS_AT } from "../gaps.ts";
import { type Html, html } from "../pages/html.ts";
import { show } from "../pages/show.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { Grant } from "../store/accounts.ts";
import { nameOf } from "./consent-page.ts";

/** Adds the page of connected applications to the pages for signed-in users. */
export function connectedRoutes(app: FastifyInstance, accounts: AccountStore): void {
  app.get(REVOCATION_IS_AT, async ({ signedIn }, reply) => {
    const grants = await accounts.grants(signedIn?.userId ?? "");
    const body = connectedPage(grants, signedIn?.csrfToken ?? "");
    return show(reply, { title: "Connected applications", body, signedIn, within: REVOCATION_IS_AT });
  });

  app.post<{ Params: { application: string } }>(
    `${REVOCATION_IS_AT}/:application/revoke`,
    async ({ signedIn, params }, reply) => {
      await accounts.revoke(signedIn?.userId ?? "", params.application);
      return reply.redirect(REVOCATION_IS_AT, 303);
    },
  );
}

function connectedPage(grants: readonly Grant[], csrfToken: string): Html {
  if (grants.length === 0) {
    return html`<h1>Connected applications</h1>
<p>No application can use your log. One that wants to sends you here to ask.</p>`;
  }
  return html`<h1>Connected applications</h1>
<p>These can use your log until you revoke them. Revoking takes effect at once.</p>
<table class="plans">
<caption class="hidden">Connected applications</caption>
<thead><tr><th scope="col" class="text">Application</th><th scope="col" class="text">Since</th><th scope="col" class="text">What it may read</th><th scope="col">Revoke</th></tr></thead>
<tbody>
${grants.map((grant) => rowOf(grant, csrfToken))}
</tbody>
</table>`;
}

function rowOf({ applicationId, name, readsProfile, grantedAt }: Grant, csrfToken: string): Html {
  const day = new Date(grantedAt).toISOString().slice(0, 10);
  return html`<tr>
<th scope="row">${nameOf(name)}</th>
<td class="text" data-name="Since">${grantedAt === 0 ? "the operator set it up" : html`<time datetime="${day}">${day}</time>`}</td>
<td class="text" data-name="May read">${readsProfile ? "your log and your profile" : "your log, not your profile"}</td>
<td><form method="post" action="${REVOCATION_IS_AT}/${encodeURIComponent(applicationId)}/revoke">
<input type="hidden" name="_csrf" value="${csrfToken}">
<button type="submit" class="danger" aria-label="Revoke ${name}">Revoke</button>
</form></td>
</tr>
`;
}
