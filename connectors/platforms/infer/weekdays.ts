/** Names of weekdays in the languages of sheets, for columns that repeat what the date says. */
import { foldHeader } from "./header-words.ts";

/** By the day of the week, Monday first: short and long names, folded. */
const NAMES: readonly string[] = [
  "mo mon monday montag lun lundi lunes lunedi seg segunda segunda-feira ma maandag man mandag mandag pn pon poniedzialek 月 月曜 月曜日 mandag",
  "tu tue tues tuesday di dienstag mar mardi martes martedi ter terca terca-feira dinsdag tis tisdag tir tirsdag wt wto wtorek 火 火曜 火曜日",
  "we wed wednesday mi mittwoch mer mercredi mie miercoles mercoledi qua quarta quarta-feira wo woensdag ons onsdag sr sro sroda 水 水曜 水曜日",
  "th thu thur thurs thursday do donnerstag jeu jeudi jue jueves gio giovedi qui quinta quinta-feira donderdag tor torsdag cz czw czwartek 木 木曜 木曜日",
  "fr fri friday freitag ven vendredi vie viernes venerdi sex sexta sexta-feira vr vrijdag fre fredag pt pia piatek 金 金曜 金曜日",
  "sa sat saturday samstag sonnabend sam samedi sab sabado sabato za zaterdag lor lordag so sob sobota 土 土曜 土曜日",
  "su sun sunday so sonntag dim dimanche dom domingo domenica zo zondag son sondag nd nie niedziela 日 日曜 日曜日",
];

const DAYS = new Map<string, Set<number>>();
for (const [day, names] of NAMES.entries()) {
  for (const name of names.split(" ")) DAYS.set(name, (DAYS.get(name) ?? new Set()).add(day));
}

/** The days of the week that a name can mean, Monday 0. Some short names mean several: `so` is Sunday in German and Saturday in Polish. */
export function weekdaysNamed(name: string): ReadonlySet<number> {
  return DAYS.get(foldHeader(name)) ?? new Set();
}

/** Whether a cell is the name of a weekday. */
export function isWeekday(cell: string): boolean {
  return weekdaysNamed(cell).size > 0;
}
