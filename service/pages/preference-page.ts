/** The preference and the profile, each as a form that saves. */
import { UNITS, UTC_OFFSET_HOURS } from "../gaps.ts";
import { checkPreference, type Preference } from "../model/preference.ts";
import { type Html, html, verbatim } from "./html.ts";
import type { Page } from "./layout.ts";
import { profileForm } from "./profile-form.ts";
import type { View } from "./view.ts";
import { numberText } from "./wording.ts";

/** The form as it was sent: text, and any field may be missing. */
export type PreferenceForm = Readonly<Record<string, unknown>>;

/** The fields of the form, the same as in the document's Preference. */
const NAMES = ["distanceUnit", "weightUnit", "temperatureUnit", "utcOffset"] as const;

const UNIT_NAMES: Readonly<Record<string, string>> = {
  mi: "miles",
  km: "kilometres",
  m: "metres",
  lb: "pounds",
  kg: "kilograms",
  F: "Fahrenheit",
  C: "Celsius",
};

/**
 * Reads a preference from a sent form. An empty field saves nothing. Fields other than the preference's are ignored.
 * @returns the preference, or a sentence that names the field to blame
 */
export function preferenceOf(form: PreferenceForm): Preference | string {
  const filled = NAMES.map((name) => [name, form[name]] as const).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  const preference = Object.fromEntries(
    filled.map(([name, value]) => [name, name === "utcOffset" ? hoursOf(value) : value]),
  );
  const refusal = checkPreference(preference);
  return refusal === undefined ? (preference as Preference) : refusal.message;
}

/** Reads a number written with a point or a comma. Any other text stays as it is, and is refused. */
function hoursOf(text: unknown): unknown {
  if (typeof text !== "string" || !/^\s*[+−-]?\d{1,2}([.,]\d+)?\s*$/.test(text)) return text;
  return Number(text.replace("−", "-").replace(",", "."));
}

/** The message beside the forms: which form was saved, or why one was refused, with the typed values. */
export interface PreferenceNote {
  readonly saved?: "preference" | "profile" | undefined;
  readonly failed?: {
    readonly form: "preference" | "profile";
    readonly problem: string;
    readonly typed: PreferenceForm;
  };
}

/** The page. */
export async function preferencePage(view: View, { saved: done, failed }: PreferenceNote): Promise<Page> {
  const { store, userId, signedIn } = view;
  const [saved, profile] = await Promise.all([store.preference(userId), store.profile(userId)]);
  const { problem, typed } = failed?.form === "preference" ? failed : {};
  const values: PreferenceForm = typed ?? saved;
  const body = html`<h1>Preference</h1>
${done !== undefined && html`<p class="good" role="status">${done === "profile" ? "Your profile is saved." : "Saved."}</p>`}
${failed !== undefined && html`<p class="bad" role="alert">Not saved. ${failed.problem}</p>`}
<form class="card" method="post" action="/preference">
<input type="hidden" name="_csrf" value="${signedIn.csrfToken}">
${unitField("distanceUnit", "Distance", UNITS.distance, values)}
${unitField("weightUnit", "Weight", UNITS.weight, values)}
${unitField("temperatureUnit", "Temperature", UNITS.temperature, values)}
<p class="field"><label for="utcOffset">Hours from UTC</label>
<input id="utcOffset" name="utcOffset" type="text" inputmode="text" autocomplete="off" size="6" value="${verbatim(String(values.utcOffset ?? ""))}" aria-describedby="utcOffset-hint"${problem?.startsWith("utcOffset") && html` aria-invalid="true"`}>
<span class="hint" id="utcOffset-hint">From ${numberText(UTC_OFFSET_HOURS.minimum)} to ${numberText(UTC_OFFSET_HOURS.maximum)}, such as 1 or −3.5, without summer time. A watch file that is imported gets its local time by it.</span></p>
<p><button class="main">Save</button></p>
</form>
${profileForm(profile, signedIn.csrfToken, failed?.form === "profile" ? failed : {})}`;
  return { title: "Preference", body, signedIn, within: "/preference" };
}

function unitField(name: string, label: string, units: readonly string[], values: PreferenceForm): Html {
  const options = ["", ...units].map(
    (unit) =>
      html`<option value="${unit}"${(values[name] ?? "") === unit && html` selected`}>${unit === "" ? "not set" : UNIT_NAMES[unit]}</option>`,
  );
  return html`<p class="field"><label for="${name}">${label}</label> <select id="${name}" name="${name}">${options}</select></p>`;
}
