/** Workouts as rows of a table: name, distance, time, pace and heart rate. */
import type { Entry } from "../store/log-views.ts";
import { shortDay, splitDate, weekdayName } from "./dates.ts";
import { type Html, html, shortened } from "./html.ts";
import { activityText, kindOf, type View } from "./view.ts";
import { distanceText, durationText, metresIn, paceText } from "./wording.ts";

/** The longest name of a workout in a list. */
const NAME_LENGTH = 80;

/** The name of a workout: the first line of its notes, else its activity and type. */
export function workoutName(view: View, { notes, activityID, workoutID }: Entry["workout"]): string {
  const line = notes?.split(/\r?\n/).find((one) => one.trim() !== "");
  return line === undefined ? activityText(view, activityID, workoutID) : shortened(line.trim(), NAME_LENGTH);
}

/** The head of a table of workouts. */
export const WORKOUT_HEAD: Html = html`<thead><tr><th scope="col">Day</th><th scope="col">Workout</th><th scope="col">Distance</th><th scope="col">Time</th><th scope="col">Pace</th><th scope="col"><abbr title="Average heart rate, beats a minute">HR</abbr></th></tr></thead>`;

/** One row. */
export function workoutRow(view: View, entry: Entry, options: { readonly hasYear?: boolean } = {}): Html {
  const { units } = view;
  const { id, workout, courseName, equipmentName } = entry;
  const { date, time, activityID, workoutID, details, health } = workout;
  const metres = metresIn(details?.distance);
  const name = workoutName(view, workout);
  const what = activityText(view, activityID, workoutID);
  const more = [name === what ? undefined : what, courseName, equipmentName, time?.slice(0, 5)].filter(
    (part) => part !== undefined && part !== "",
  );
  const day = options.hasYear === true ? shortDay(date) : `${weekdayName(date)} ${splitDate(date).day}`;
  return html`<tr class="workout"><td class="day"><time datetime="${date}">${day}</time></td><td class="what"><span class="key ${kindOf(activityID)}"></span><a href="/workouts/${id}">${name}</a> <span class="muted">${shortened(more.join(" · "), 160)}</span></td>${number("Distance", details?.distance && distanceText(details.distance, units))}${number("Time", details?.duration === undefined ? undefined : durationText(details.duration))}${number("Pace", paceText(metres, details?.duration ?? 0, activityID, units))}${number("Average heart rate", health?.avgHR === undefined ? undefined : `${health.avgHR} bpm`)}</tr>`;
}

function number(name: string, text: string | undefined): Html {
  return text === undefined ? html`<td class="none"></td>` : html`<td data-name="${name}">${text}</td>`;
}
