/** Equipment: pieces in use and retired pieces, with the distance of each. */
import { type Equipment, nameOfEquipment } from "../model/equipment.ts";
import type { UsedEquipment } from "../store/log-views.ts";
import { shortDay } from "./dates.ts";
import { type Html, html, shortened } from "./html.ts";
import type { Page } from "./layout.ts";
import { totalFigures } from "./sums.ts";
import { activityText, fields, figures, kindOf, pager, prose, trail, type View } from "./view.ts";
import { numberText, totalDistance } from "./wording.ts";
import { WORKOUT_HEAD, workoutRow } from "./workout-rows.ts";

const LIMIT = 100;

/** The list. */
export async function equipmentListPage(view: View, offset: number): Promise<Page> {
  const { entries, total } = await view.store.views.equipment(view.userId, { limit: LIMIT, offset });
  const inUse = entries.filter((entry) => !entry.isRetired);
  const retired = entries.filter((entry) => entry.isRetired);
  const names = entries.map(({ equipment }) => pieceName(view, equipment));
  const body = html`<h1>Equipment</h1>
${
  total === 0 &&
  html`<section class="card"><p>There is no equipment in this log yet. Shoes and bikes come with what an application brings; a workout names the one it was done with, and
the distance adds up here.</p></section>`
}
${inUse.length > 0 && table(view, "In use", inUse, names)}
${retired.length > 0 && table(view, "Retired", retired, names)}
${pager("/equipment", { offset, limit: LIMIT, total })}`;
  return { title: "Equipment", body, signedIn: view.signedIn, within: "/equipment" };
}

/** @param names of all pieces on the page: pieces with the same name get their details added */
function table(view: View, name: string, entries: readonly UsedEquipment[], names: readonly string[]): Html {
  const longest = Math.max(...entries.map((entry) => entry.use.metres));
  const rows = entries.map((entry) => {
    const { id, equipment, use } = entry;
    const piece = pieceName(view, equipment);
    const isTwice = names.indexOf(piece) !== names.lastIndexOf(piece);
    const length = longest > 0 ? Math.round((use.metres / longest) * 100) : 0;
    return html`<tr><td class="what"><span class="key ${kindOf(equipment.activityID)}"></span><a href="/equipment/${id}">${piece}</a> <span class="muted">${[activityText(view, equipment.activityID), ...(isTwice ? tellingApart(entry) : [])].join(", ")}</span></td><td class="meter"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="8"/><rect class="a1" width="${length}" height="8"/></svg></td><td data-name="Distance">${totalDistance(use.metres, view.units)}</td><td data-name="Workouts">${numberText(use.workouts)}</td><td data-name="Last used">${use.last === undefined ? "never" : shortDay(use.last)}</td></tr>`;
  });
  return html`<section><h2>${name}</h2><table class="pieces"><caption class="hidden">Equipment: ${name}</caption><thead><tr><th scope="col">Piece</th><td></td><th scope="col">Distance</th><th scope="col">Workouts</th><th scope="col">Last used</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

/** The title of a piece: its name, else its activity. */
export function pieceName(view: View, equipment: Equipment): string {
  const name = nameOfEquipment(equipment);
  return name === "" ? `${activityText(view, equipment.activityID)} equipment without a name` : shortened(name, 120);
}

/** More details of a piece beside its name: serial and day of purchase. */
export function pieceDetails(equipment: Equipment): readonly string[] {
  const { brandName, modelName, serial, purchaseDate } = equipment;
  const isNamed = (brandName ?? modelName ?? "") !== "";
  return [
    ...(serial === undefined || !isNamed ? [] : [`serial ${shortened(serial, 60)}`]),
    ...(purchaseDate === undefined ? [] : [`bought ${shortDay(purchaseDate)}`]),
  ];
}

/** The details that distinguish pieces of one name: serial and day of purchase, else the first use, else the id. */
function tellingApart({ id, equipment, use }: UsedEquipment): readonly string[] {
  const details = pieceDetails(equipment);
  if (details.length > 0) return details;
  return [use.first === undefined ? `id ${id.slice(0, 8)}` : `first used ${shortDay(use.first)}`];
}

/** One piece; undefined when the user has no such piece. */
export async function equipmentPage(view: View, id: string, offset: number): Promise<Page | undefined> {
  const { store, userId } = view;
  const found = await store.equipment(userId, id);
  if (found === undefined) return undefined;
  const { equipment } = found;
  const [use, isRetired, workouts] = await Promise.all([
    store.views.use(userId, "equipment", id),
    store.views.isRetired(userId, id),
    store.views.entriesOf(userId, "equipment", id, { limit: 50, offset }),
  ]);
  const { activityID, brandName, modelName, serial, gender, notes, ratings, purchaseDate, price } = equipment;
  const body = html`${trail([["/equipment", "Equipment"]])}
<h1>${pieceName(view, equipment)}${isRetired && html` <span class="badge">retired</span>`}</h1>
${figures(totalFigures(use, view))}
${notes !== undefined && html`<section class="card"><h2>Notes</h2>${prose(notes)}</section>`}
<section class="card"><h2>The whole record</h2>${fields([
    ["Activity", `${activityText(view, activityID)} (${activityID})`],
    ["Brand", brandName && shortened(brandName, 2000)],
    ["Model", modelName && shortened(modelName, 2000)],
    ["Serial", serial && shortened(serial, 2000)],
    ["Gender", gender && shortened(gender, 2000)],
    ["Rating", ratings?.avgRating === undefined ? undefined : `${numberText(ratings.avgRating, 2)} of 10`],
    ["Bought", purchaseDate === undefined ? undefined : shortDay(purchaseDate)],
    ["Price", price === undefined ? undefined : numberText(price, 2)],
    ["Retired", isRetired ? "yes" : "no"],
    ["First used", use.first === undefined ? undefined : shortDay(use.first)],
    ["Last used", use.last === undefined ? undefined : shortDay(use.last)],
    ["Id", html`<code>${id}</code>`],
  ])}</section>
${workouts.total > 0 && html`<section><h2>Workouts with it</h2><table class="workouts"><caption class="hidden">Workouts with it, the latest first</caption>${WORKOUT_HEAD}<tbody>${workouts.entries.map((entry) => workoutRow(view, entry, { hasYear: true }))}</tbody></table>${pager(`/equipment/${id}`, { offset, limit: 50, total: workouts.total })}</section>`}`;
  return { title: pieceName(view, equipment), body, signedIn: view.signedIn, within: "/equipment" };
}
