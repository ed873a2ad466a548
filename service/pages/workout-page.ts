/** One workout: its totals, its map and charts from its own track, its intervals, and every field of the record. */
import type { FoundEquipment } from "../model/equipment.ts";
import type { FoundWorkout, Workout } from "../model/workout.ts";
import type { Neighbour } from "../store/log-views.ts";
import { dayText, monthName, periodText, shortDay, weekdayName } from "./dates.ts";
import { mapOf } from "./draw/map.ts";
import { pieceDetails, pieceName } from "./equipment-pages.ts";
import { type Html, html } from "./html.ts";
import type { Page } from "./layout.ts";
import type { Outline } from "./track/outline.ts";
import { type NoOutline, outlineOfFile } from "./track/outlines.ts";
import { splitTable, trackCharts } from "./track-charts.ts";
import { activityText, fields, figures, kindOf, prose, trail, type View } from "./view.ts";
import {
  distanceText,
  durationText,
  flagText,
  lapMetres,
  metresIn,
  numberText,
  paceText,
  savedText,
  speedStyle,
  temperatureText,
  weightText,
} from "./wording.ts";
import { workoutName } from "./workout-rows.ts";

/** The most intervals shown of one workout. */
const MAX_INTERVALS = 300;

/** The page; undefined when the user has no such workout. */
export async function workoutPage(view: View, id: string): Promise<Page | undefined> {
  const { store, userId, units } = view;
  const found = await store.workout(userId, id);
  if (found === undefined) return undefined;
  const { workout } = found;
  const { date, time, activityID, workoutID, details, health } = workout;
  const [around, track, piece] = await Promise.all([
    store.views.neighbours(userId, id),
    store.track(userId, id),
    found.equipment && store.equipment(userId, found.equipment.id),
  ]);
  const outline = track && (await outlineOfFile(track, track.recording, lapMetres(units)));
  const title = workoutName(view, { id, workout, hasTrack: track !== undefined }.workout);
  // The title is the first line of the notes. Notes of one line would appear twice, so they are left out.
  const notes = workout.notes?.trim() === title ? undefined : workout.notes;
  const metres = metresIn(details?.distance);
  const body = html`${trail([
    ["/", "Log"],
    [`/log/${date.slice(0, 4)}`, periodText(date.slice(0, 4))],
    [`/log/${date.slice(0, 7)}`, monthName(date)],
  ])}
<div class="head"><h1>${title}</h1>${steps(view, around)}</div>
<p class="lead"><span class="key ${kindOf(activityID)}"></span> ${activityText(view, activityID, workoutID)} on <time datetime="${date}">${weekdayName(date, 9)} ${dayText(date)}</time>${time !== undefined && ` at ${timeText(time)}`}</p>
${figures([
  ["Distance", details?.distance && distanceText(details.distance, units)],
  ["Time", details?.duration === undefined ? undefined : durationText(details.duration, true)],
  [speedStyle(activityID, units).name, paceText(metres, details?.duration ?? 0, activityID, units)],
  ["Average heart rate", bpm(health?.avgHR)],
  ["Highest heart rate", bpm(health?.maxHR)],
])}
${notes !== undefined && html`<section class="card"><h2>Notes</h2>${prose(notes)}</section>`}
${outline !== undefined && trackSections(view, outline, activityID)}
<div class="columns">${outline !== undefined && !("problem" in outline) && splitTable(view, outline, activityID)}${intervals(view, workout)}</div>
${record(view, found, track?.format, piece)}`;
  return { title: `${title}, ${dayText(date)}`, body, signedIn: view.signedIn, within: "/" };
}

/** Seconds of a start are rarely anything but noise. The record below has them. */
function timeText(time: string): string {
  return time.slice(0, 5);
}

function bpm(beats: number | undefined): string | undefined {
  return beats === undefined ? undefined : `${beats} bpm`;
}

function steps(view: View, { older, newer }: { readonly older?: Neighbour; readonly newer?: Neighbour }): Html {
  const to = (one: Neighbour | undefined, rel: "prev" | "next") => {
    if (one === undefined) return undefined;
    const label = `${rel === "prev" ? "Before" : "After"}: ${activityText(view, one.activityID)}, ${shortDay(one.date)}`;
    return html`<a class="button" rel="${rel}" href="/workouts/${one.id}" aria-label="${label}" title="${label}">${rel === "prev" ? "‹ Before" : "After ›"}</a>`;
  };
  return html`<nav class="steps" aria-label="Other workouts">${to(older, "prev")}${to(newer, "next")}</nav>`;
}

function trackSections(view: View, outline: Outline | NoOutline, activityID: number): Html | undefined {
  if ("problem" in outline) {
    return html`<section class="card"><h2>Track</h2><p>The file this workout was imported from ${outline.problem}.</p></section>`;
  }
  const map = mapOf(outline, { id: "map", title: "Map of the track", units: view.units });
  const charts = trackCharts(view, outline, activityID);
  if (map === undefined && charts.length === 0) return undefined;
  return html`<div class="${map === undefined ? "track" : "track with-map"}">
${map !== undefined && html`<section class="card map-card"><h2>Map</h2>${map}</section>`}
${charts.length > 0 && html`<section class="card charts-card"><h2>Along the way</h2>${charts}</section>`}
</div>`;
}

function intervals(view: View, { intervalSet, activityID }: Workout): Html | undefined {
  const all = intervalSet?.intervals ?? [];
  if (all.length === 0) return undefined;
  const rows = all.slice(0, MAX_INTERVALS).map(({ type, distance, duration }, index) => {
    const metres = metresIn(distance);
    return html`<tr><th scope="row">${index + 1}</th><td class="text">${type}</td><td>${distance && distanceText(distance, view.units)}</td><td>${duration === undefined ? undefined : durationText(duration, true)}</td><td>${paceText(metres, duration ?? 0, activityID, view.units)}</td></tr>`;
  });
  const rest = all.length - rows.length;
  return html`<section class="card"><h2>Intervals</h2><div class="scroll" tabindex="0" role="region" aria-label="Intervals"><table class="numbers"><caption class="hidden">Intervals</caption><thead><tr><th scope="col">No.</th><th scope="col" class="text">Type</th><th scope="col">Distance</th><th scope="col">Time</th><th scope="col">${speedStyle(activityID, view.units).name}</th></tr></thead><tbody>${rows}</tbody></table></div>${rest > 0 && html`<p class="muted">${rest} more are not shown.</p>`}</section>`;
}

/** Every field of the record, by the document's groups. */
function record(
  view: View,
  { id, workout, course }: FoundWorkout,
  format: string | undefined,
  piece: FoundEquipment | undefined,
): Html {
  const { units } = view;
  const { activityID, workoutID, date, time, details, health, intervalSet, raceStats, ratings, weather } = workout;
  const place = (placement: number | undefined, size: number | undefined) => {
    if (placement === undefined) return size === undefined ? undefined : `${size} runners`;
    return size === undefined ? numberText(placement) : `${numberText(placement)} of ${numberText(size)}`;
  };
  const flags = Object.entries(weather?.conditions ?? {}).map(([flag, isSet]) =>
    isSet ? flagText(flag) : `not ${flagText(flag)}`,
  );
  const groups: readonly (readonly [string, Html | undefined])[] = [
    [
      "Workout",
      fields([
        ["Activity", `${activityText(view, activityID)} (${activityID})`],
        ["Workout type", workoutID === undefined ? undefined : `${typeName(view, workout)} (${workoutID})`],
        ["Date", date],
        ["Time of day", time],
        ["Course", course && html`<a href="/courses/${course.id}">${course.name}</a>`],
        [
          "Equipment",
          piece &&
            html`<a href="/equipment/${piece.id}">${pieceName(view, piece.equipment)}</a>${pieceDetails(piece.equipment).map((detail) => `, ${detail}`)}`,
        ],
        ["Distance, as saved", details?.distance && savedText(details.distance)],
        ["Duration, as saved", details?.duration === undefined ? undefined : `${details.duration} s`],
      ]),
    ],
    [
      "Health",
      fields([
        ["Average heart rate", bpm(health?.avgHR)],
        ["Highest heart rate", bpm(health?.maxHR)],
        ["Resting heart rate", bpm(health?.restHR)],
        ["Weight", health?.weight && weightText(health.weight, units)],
      ]),
    ],
    [
      "Ratings",
      fields([
        ["Effort", ratings?.effort === undefined ? undefined : `${ratings.effort} of 10`],
        ["Quality", ratings?.quality === undefined ? undefined : `${ratings.quality} of 10`],
      ]),
    ],
    [
      "Weather",
      fields([
        ["Conditions", flags.join(", ")],
        ["Temperature", weather?.temperature && temperatureText(weather.temperature, units)],
      ]),
    ],
    [
      "Race",
      fields([
        ["Place", place(raceStats?.fieldPlacement, raceStats?.fieldSize)],
        ["Place in the group", place(raceStats?.groupPlacement, raceStats?.groupSize)],
        ["Ages of the group", agesText(raceStats?.groupMinAge, raceStats?.groupMaxAge)],
      ]),
    ],
    [
      "Interval set",
      fields([
        ["Name", intervalSet?.name],
        ["Id", intervalSet?.id],
      ]),
    ],
    [
      "Kept with it",
      fields([
        ["Id", html`<code>${id}</code>`],
        ["Track", format && `from a ${format} file`],
      ]),
    ],
  ];
  const shown = groups.map(([name, list]) => list && html`<div><h3>${name}</h3>${list}</div>`);
  return html`<section class="card"><h2>The whole record</h2><div class="groups">${shown}</div></section>`;
}

function typeName(view: View, { activityID, workoutID }: Workout): string {
  return activityText(view, activityID, workoutID).slice(activityText(view, activityID).length + 3) || "without a name";
}

function agesText(least: number | undefined, most: number | undefined): string | undefined {
  if (least === undefined) return most === undefined ? undefined : `up to ${most}`;
  return most === undefined ? `from ${least}` : `${least} to ${most}`;
}
