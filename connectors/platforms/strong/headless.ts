/** Tables of Strong that lack a header, or have one in a language that nobody here has seen. The forms of their cells identify them. */
import { csvByForm, type FormColumn } from "../table/sources/form-source.ts";

const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const SET = /^(?:\d{1,3}|[WDF]|[A-Z_]{1,20}|Rest Timer|Note)$/;
const NUMBER = /^[\d.]{0,20}$/;
/** `45m`, `2h 18m`, `35min`: numbers, each with a unit in the language of the phone. */
const CLOCK = /^(?:\d{1,4} ?[^\d\s,;]{1,12} ?){1,3}$/;

/** The layout with units in words. */
const WITH_UNITS: readonly FormColumn[] = [
  ...([["Date", TIME], ["Workout Name"], ["Exercise Name", /\S/], ["Set Order", SET]] as const),
  ...([
    ["Weight", NUMBER],
    ["Weight Unit", /^(?:kgs?|lbs?)$/],
    ["Reps", NUMBER],
    ["RPE", NUMBER],
  ] as const),
  ...([
    ["Distance", NUMBER],
    ["Distance Unit", /^(?:m|km|mi|meters|miles)?$/],
    ["Seconds", NUMBER],
  ] as const),
  ...([["Notes"], ["Workout Notes"]] as const),
];

/** The layout of most tables, which the app translates. */
const TRANSLATED: readonly FormColumn[] = [
  ...([
    ["Date", TIME],
    ["Workout Name", /\S/],
    ["Duration", CLOCK],
    ["Exercise Name", /\S/],
  ] as const),
  ...([
    ["Set Order", SET],
    ["Weight", NUMBER],
    ["Reps", NUMBER],
    ["Distance", NUMBER],
    ["Seconds", NUMBER],
  ] as const),
  ...([["Notes"], ["Workout Notes"], ["RPE", NUMBER]] as const),
];

/** The same, as newer apps write it. */
const WITH_DURATION: readonly FormColumn[] = [...WITH_UNITS, ["Workout Duration", CLOCK]];

/** The only table without a header. */
export const headless = csvByForm({ layouts: [WITH_UNITS, WITH_DURATION], header: false, of: "a set" });

/** The only table with a header in another language. */
export const inOtherLanguage = csvByForm({ layouts: [TRANSLATED], header: true, of: "a set" });
