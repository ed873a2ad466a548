/**
 * The profile as a form. On the pages only its owner sees and writes it. Applications read it where the owner granted access to private
 * information.
 */
import { checkOf } from "../model/check.ts";
import { MOST_CHARACTERS, type Profile, ProfileBody } from "../model/user.ts";
import { type Html, html, verbatim } from "./html.ts";

/** The form as it was sent: text, and any field may be missing. */
export type ProfileForm = Readonly<Record<string, unknown>>;

/** Each field: its name, its label, the kind of input, and what a browser may fill it with. */
const FIELDS = [
  ["screenName", "Screen name", "text", "nickname"],
  ["givenName", "Given name", "text", "given-name"],
  ["familyName", "Family name", "text", "family-name"],
  ["email", "Email", "email", "email"],
  ["birthDate", "Date of birth", "date", "bday"],
  ["gender", "Gender", "text", "sex"],
] as const;

const check = checkOf(ProfileBody);

/**
 * Reads a profile from a sent form. An empty field saves nothing.
 * @returns the profile, or a sentence that names the field to blame
 */
export function parseProfile(form: ProfileForm): Profile | string {
  const filled = FIELDS.map(([name]) => [name, form[name]] as const)
    .map(([name, value]) => [name, typeof value === "string" ? value.trim() : value] as const)
    .filter(([, value]) => value !== undefined && value !== "");
  const body = Object.fromEntries(filled);
  const refusal = check(body);
  if (refusal !== undefined) return refusal.message;
  const { screenName, ...person } = body as { screenName: string };
  return { screenName, person };
}

/** The form with the saved values, or with the typed values that couldn't be saved. */
export function profileForm(
  { screenName, person }: Profile,
  csrfToken: string,
  { problem, typed }: { readonly problem?: string | undefined; readonly typed?: ProfileForm | undefined },
): Html {
  const values: ProfileForm = typed ?? { screenName, ...person };
  const inputs = FIELDS.map(
    ([name, label, type, autocomplete]) => html`<p class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${String(MOST_CHARACTERS)}" value="${verbatim(String(values[name] ?? ""))}"${name === "screenName" && html` required`}${problem?.startsWith(`${name}:`) && html` aria-invalid="true"`}></p>`,
  );
  return html`<form class="card" method="post" action="/preference/profile">
<h2>Profile</h2>
<p class="muted">You alone see this, and applications that you granted access to private information.</p>
<input type="hidden" name="_csrf" value="${csrfToken}">
${inputs}
<p><button class="main">Update profile</button></p>
</form>`;
}
