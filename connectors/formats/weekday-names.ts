/** The names of the weekdays, as exports and spreadsheets write them. */

/**
 * Short and long names by weekday from Monday on, in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Polish, Finnish,
 * Hungarian, Turkish, Croatian, Czech, Russian and Japanese. If a language has several short names, all are listed. Dots and capitals don't count.
 */
const WEEKDAYS: readonly string[] = [
  "mo mon monday montag lun lundi lunes lunedì seg segunda segunda-feira ma maa maandag mån må måndag man mandag pon pn poniedziałek ma maanantai hétfő hétf pzt pazartesi ponedjeljak pondělí понедельник пн 月 月曜 月曜日",
  "tu tue tues tuesday di die dienstag mar mardi martes martedì ter terça terça-feira di dinsdag tis ti tisdag tir tirsdag wt wto wtorek tiistai kedd sal salı uto utorak úterý вторник вт 火 火曜 火曜日",
  "we wed weds wednesday mi mit mittwoch mer mercredi mié mie miércoles mercoledì qua quarta quarta-feira wo woe woensdag ons on onsdag śr śro środa ke keskiviikko szerda sze szer çar çarş çarşamba sri srijeda středa среда ср 水 水曜 水曜日",
  "th thu thur thurs thursday do don donnerstag jeu jeudi jue jueves gio giovedì qui quinta quinta-feira do donderdag tors tor to torsdag czw cz czwartek torstai csütörtök csüt per perşembe čet četvrtak čtvrtek четверг чт 木 木曜 木曜日",
  "fr fri friday fre freitag ven vendredi vie viernes venerdì sex sexta sexta-feira vr vrij vrijdag fre fredag pt pią piątek pe perjantai péntek pén cum cuma pet petak pátek пятница пт 金 金曜 金曜日",
  "sa sat saturday sam samstag sonnabend samedi sáb sab sábado sabato za zat zaterdag lör lö lördag lør lørdag sob sb so sobota la lauantai szombat szo cmt cumartesi sub subota суббота сб 土 土曜 土曜日",
  "su sun sunday so son sonntag dim dimanche dom domingo domenica zo zon zondag sön sö söndag søn søndag niedz nd ndz niedziela sunnuntai vasárnap vas paz pazar ned nedjelja neděle воскресенье вс 日 日曜 日曜日",
];

const days = new Map<string, Set<number>>();
for (const [index, names] of WEEKDAYS.entries())
  for (const name of names.split(" ")) days.set(name, (days.get(name) ?? new Set()).add(index));

/** Whether a word is the name of a weekday. Some are those of two days in two languages, and of a month: `mar`. */
export function isWeekday(name: string): boolean {
  return days.has(folded(name));
}

/** The weekdays that a name can mean, Monday 0. `so` is Sunday in German and Saturday in Polish. */
export function weekdaysNamed(name: string): ReadonlySet<number> {
  return days.get(folded(name)) ?? new Set();
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase().replace(/\.$/, "");
}
