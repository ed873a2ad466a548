/** Courses: the list with a small map each, and the page of one course with its map and its workouts. */
import type { UsedCourse } from "../store/log-views.ts";
import { shortDay } from "./dates.ts";
import { mapOf, thumbnailOf } from "./draw/map.ts";
import { type Html, html, shortened } from "./html.ts";
import type { Page } from "./layout.ts";
import { totalFigures } from "./sums.ts";
import { outlineOfFile } from "./track/outlines.ts";
import { fields, figures, pager, prose, trail, type View } from "./view.ts";
import { countText, distanceText, flagText, lapMetres, savedText } from "./wording.ts";
import { WORKOUT_HEAD, workoutRow } from "./workout-rows.ts";

/** Courses on one page. Each may have a map to draw. */
const LIMIT = 24;

/** The list. */
export async function coursesPage(view: View, offset: number): Promise<Page> {
  const { store, userId } = view;
  const { entries, total } = await store.views.courses(userId, { limit: LIMIT, offset });
  const cards = await Promise.all(entries.map((entry) => card(view, entry)));
  const none = html`<section class="card"><p>There is no course in this log yet. A course is a way you run again and again; an application saves it, with a map from
a GPX file, and workouts point at it.</p></section>`;
  const body = html`<h1>Courses</h1>
${total === 0 ? none : html`<p class="lead">${countText(total, "course")}, the last used first.</p><ul class="cards">${cards}</ul>${pager("/courses", { offset, limit: LIMIT, total })}`}`;
  return { title: "Courses", body, signedIn: view.signedIn, within: "/courses" };
}

async function card(view: View, { id, course, hasMap, use }: UsedCourse): Promise<Html> {
  const map = hasMap ? await view.store.courseMap(view.userId, id) : undefined;
  const outline = map && (await outlineOfFile(map, undefined, lapMetres(view.units)));
  const thumbnail = outline !== undefined && !("problem" in outline) && thumbnailOf(outline);
  const facts = [
    course.distance && distanceText(course.distance, view.units),
    use.workouts > 0 ? countText(use.workouts, "workout") : "never used",
    use.last === undefined ? undefined : `last ${shortDay(use.last)}`,
  ].filter((fact) => fact !== undefined);
  return html`<li class="card course">${thumbnail === false || thumbnail === undefined ? html`<span class="no-map">No map</span>` : thumbnail}<div><h2><a href="/courses/${id}">${shortened(course.name, 120)}</a></h2><p class="muted">${facts.join(" · ")}</p></div></li>`;
}

/** One course; undefined when the user has no such course. */
export async function coursePage(view: View, id: string, offset: number): Promise<Page | undefined> {
  const { store, userId, units } = view;
  const found = await store.course(userId, id);
  if (found === undefined) return undefined;
  const { course } = found;
  const [use, map, workouts] = await Promise.all([
    store.views.use(userId, "course", id),
    store.courseMap(userId, id),
    store.views.entriesOf(userId, "course", id, { limit: 50, offset }),
  ]);
  const outline = map && (await outlineOfFile(map, undefined, lapMetres(units)));
  const drawing =
    outline !== undefined && !("problem" in outline)
      ? mapOf(outline, { id: "map", title: `Map of ${shortened(course.name, 120)}`, units })
      : undefined;
  const surfaces = Object.entries(course.surfaces ?? {}).map(([flag, isSet]) =>
    isSet ? flagText(flag) : `not ${flagText(flag)}`,
  );
  const body = html`${trail([["/courses", "Courses"]])}
<h1>${shortened(course.name, 300)}</h1>
${figures([["Length", course.distance && distanceText(course.distance, units)], ...(use.workouts > 0 ? totalFigures(use, view) : [])])}
${course.notes !== undefined && html`<section class="card"><h2>Notes</h2>${prose(course.notes)}</section>`}
${drawing !== undefined && html`<section class="card map-card"><h2>Map</h2>${drawing}</section>`}
${outline !== undefined && "problem" in outline && html`<section class="card"><h2>Map</h2><p>Its file ${outline.problem}.</p></section>`}
<section class="card"><h2>The whole record</h2>${fields([
    ["Name", course.name.length > 300 ? shortened(course.name, 2000) : course.name],
    ["Surfaces", surfaces.join(", ")],
    ["Distance, as saved", course.distance && savedText(course.distance)],
    ["First used", use.first === undefined ? undefined : shortDay(use.first)],
    ["Last used", use.last === undefined ? undefined : shortDay(use.last)],
    ["Map", map === undefined ? "none" : `from a ${map.format} file`],
    ["Id", html`<code>${id}</code>`],
  ])}</section>
${workouts.total > 0 && html`<section><h2>Workouts on it</h2><table class="workouts"><caption class="hidden">Workouts on this course, the latest first</caption>${WORKOUT_HEAD}<tbody>${workouts.entries.map((entry) => workoutRow(view, entry, { hasYear: true }))}</tbody></table>${pager(`/courses/${id}`, { offset, limit: 50, total: workouts.total })}</section>`}`;
  return { title: shortened(course.name, 120), body, signedIn: view.signedIn, within: "/courses" };
}
