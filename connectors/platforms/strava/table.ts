/** The Strava bulk export: activities.csv, device files that its rows name, gear and routes. README.md lists the parts that are read or left out. */
import type { OwnRules } from "../table/mapping/own-rules.ts";
import { platform } from "../table/platform.ts";
import { csvByPlace } from "../table/sources/placed-source.ts";
import { judgePlaces } from "./agreement.ts";
import { COLUMNS } from "./columns.ts";
import { findLayout } from "./generations.ts";

/** Names in journals and messages from before this connector became a table. */
export const RULES: OwnRules = {
  "table/no-table": { rule: "strava/no-activities", expected: "activities.csv" },
  "table/unknown-columns": {
    rule: "strava/unknown-columns",
    expected:
      "the columns of an export of 2018 to 2026. Were columns taken away or moved, begin with logferry map show strava; what is new in yours has to be added to the connector",
  },
  "table/unplaced-column": { rule: "strava/unknown-column" },
  "table/unfamiliar-column": { rule: "strava/unfamiliar-column" },
  "table/unknown-language": { rule: "strava/unknown-language" },
  "table/row-width": { rule: "strava/row-width" },
  "table/bad-id": { rule: "strava/bad-id" },
  "table/same-id": { rule: "strava/same-id", field: "Activity ID" },
  "table/id-of-another": { rule: "strava/id-of-another", field: "Activity ID" },
  "table/bad-date": { rule: "strava/bad-date", expected: "a date and a time of UTC" },
  "table/no-date": { rule: "strava/bad-date", field: "Activity Date", expected: "a date and a time of UTC" },
  "table/bad-number": { rule: "strava/bad-number" },
  "table/elapsed-below-moving": { rule: "strava/elapsed-below-moving" },
  "table/missing-file": { rule: "strava/missing-file", field: "Filename" },
  "table/missing-course": { rule: "strava/missing-file", field: "Route Filename" },
  "table/no-times": { rule: "strava/no-times" },
  "table/several-recordings": { rule: "strava/several-recordings" },
  "table/transition": { rule: "strava/transition" },
  "table/unlisted-gear": { rule: "strava/unlisted-gear", field: "Activity Gear" },
  "table/same-gear": { rule: "strava/same-gear" },
  "strava/other-files": { rule: "strava/other-files", expected: "files of a Strava bulk export" },
};

const social = "other people, and what was said to them";
const none = "goals, segments, challenges and events: the log has none";
const pictures = "the log has no place for pictures";
const account = "the account: settings, sign-ins, purchases, consents";

export const strava = platform({
  name: "strava",
  title: "Strava bulk export",
  howToGet:
    "strava.com > Settings > My Account > Download or Delete Your Account > Request Your Archive; the zip comes by mail.",
  workouts: [
    {
      from: csvByPlace({
        file: "activities.csv",
        layout: findLayout,
        judge: judgePlaces,
        sure: 5,
        siblings: ["shoes.csv", "bikes.csv", "routes.csv", "profile.csv"],
        languages: "English, German, French, Dutch or Spanish",
      }),
      // Activity Date is UTC in every language, in any zone of the athlete. It agrees to the second with the FIT files.
      dates: { order: "shown", zone: "utc" },
      // The second block has plain floats in every language.
      decimal: "float",
      columns: COLUMNS,
      // The file is the original upload. If the row lacks a value, the athlete left it out, so the file doesn't add it.
      filesFill: false,
      // The log accepts any flag. It shows clear, overcast, snow and windy. Its exports have used the other words.
      // Source: 977 real rows, with the cloud cover, precipitation, visibility and wind beside the number. The findings were 1: cloud 0.07, 2:
      // 0.51, 3: 0.92, 4: visibility 1.6 to 4.9 km, 5: 0.8 mm/h, 6: precipitation type snow, 8: wind 7.3 m/s. 7 was never seen.
      conditions: {
        1: ["clear"],
        2: ["partlyCloudy"],
        3: ["overcast"],
        4: ["fog"],
        5: ["rain"],
        6: ["snow"],
        8: ["windy"],
      },
    },
  ],
  calledGear: { lists: { "shoes.csv": "shoe", "bikes.csv": "bike" } },
  courses: { file: "routes.csv", folder: "routes/" },
  // Both tables have begun with these columns since 2018.
  owner: [
    { file: "profile.csv", cells: ["id", "email", "givenName", "familyName", "sex", undefined, "weight"] },
    { file: "general_preferences.csv", cells: ["born", "weight", undefined, "maxHR"] },
  ],
  rules: RULES,
  recordings: /(^|\/)activities\/./,
  leaves: {
    ...because(pictures, "media/, media.csv, photos/, photos.csv, profile.jpg"),
    "components.csv": "the log keeps whole bikes",
    "structured_details.csv": "sets of strength training: the log keeps the workout",
    "starred_routes.csv": "routes of others, without their line",
    ...because(
      none,
      `goals.csv, segments.csv, starred_segments.csv, local_legend_segments.csv, global_challenges.csv,
      group_challenges.csv, monthly_recap_achievements.csv, events.csv, favorites.csv`,
    ),
    ...because(
      social,
      `clubs.csv, clubs/, comments.csv, community_content.json, community_personal_data.json, contacts.csv, followers.csv,
      following.csv, blocks.csv, memberships.csv, messaging.json, posts.csv, reactions.csv, kudos.csv`,
    ),
    ...because(
      account,
      `applications.csv, connected_apps.csv, email_preferences.csv, flags.csv, general_preferences.csv, intercom_tickets.csv,
      logins.csv, metering.csv, mobile_device_identifiers.csv, orders.csv, partner_opt_outs.csv, privacy_zones.csv,
      profile.csv, social_settings.csv, support_tickets.csv, visibility_settings.csv,
      categories_of_personal_information_we_collect.pdf, information_we_disclose_for_a_business_purpose.pdf`,
    ),
  },
});

/** Gives several files the same reason for being left out. */
function because(why: string, names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(",").map((name) => [name.trim(), why]));
}
