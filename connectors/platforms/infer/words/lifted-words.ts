/** Words that tell the weight of a body from what somebody lifts or carries, in the languages of sheets. All folded. */

/** Words for the weight of a body. */
const OF_BODY =
  /body|korper|corporel|corporal|corporeo|lichaam|kropp|krop|ciala|poids (?:de|du) corps|体重|(?:^|[\s(/-])bw(?:$|[\s)/-])|^(?:mass[ea]?|waage|scales?)(?:$|[\s(])/;

/** Exercises that are nothing else. */
const EXERCISES =
  /(?:^|[\s(/-])(?:squat|bench|dead ?lift|kniebeug|bankdruck|schulterdruck|beinpresse?|kreuzheb|klimmzug|langhantel|kurzhantel|hantel|sentadilla|dominada|mancuerna|developpe|souleve|haltere|barbell|dumbbell|kettlebell|thruster|agachamento|supino|stacco|panca|bilanciere|manubri|bankdrukken|kniebuiging|knaboj|bankpress|marklyft|skivstang|baenkpres|bankpres|dodloft|przysiad|wyciskanie|martwy|sztang|hantl)|スクワット|ベンチプレス|デッドリフト/;

/** What is weighed beside a body, and what is said of a weight that somebody lifts: bars, bags and bikes, its own fat, the top set and the most. */
const THINGS =
  /(?:^|[\s(/-])(?:fat|muscles?|water|bones?|fettmasse|muskelmasse|grasse|musculaire|grasa|muscular|bar|bag|pack|backpack|vest|bike|bicycle|shoes?|stange|rucksack|rad|barre|sac|barra|mochila|zaino|velo|plates?|machine|cable|press|ohp|rows?|curls?|lunges?|pull-?ups?|chin-?ups?|dips?|cleans?|snatch|jerk|swings?|legs?|pulldowns?|db|kb|bb|lift|lifts|lifted|lifting|load|working|work|top|topsatz|max|maxi|maximum|maximal|maximo|maxima|massimo|maks|peak|heaviest|best|\d?rm|ziel|zielgewicht|wunschgewicht|streefgewicht|cible|alvo|malvikt|malvaegt|docelowa|ideal|ideale|arbeitsgewicht|rucksackgewicht|fahrradgewicht|hantelgewicht|maximalgewicht|zusatzgewicht|muerto|muscu|tractions?|banca|carga|charge|carico|trazioni|trabajo|travail|lavoro)(?:$|[\s)/-])/;

/** Words and units of weight. */
const WEIGHTS =
  /weight|gewicht|poids|peso|(?:^|[\s(/-])(?:kgs?|lbs?|pounds|vikt|malvikt|vaegt|malvaegt|waga)(?:$|[\s)/-])/;

/** Whether a header says the weight of a body. @param header folded */
export const namesBody = (header: string) => OF_BODY.test(header);

/** Whether a header says a weight that somebody lifts or carries: `Squat`, `Bench (kg)`, `Max weight`, `Bar weight`. @param header folded */
export function namesLift(header: string): boolean {
  return !namesBody(header) && (EXERCISES.test(header) || (THINGS.test(header) && WEIGHTS.test(header)));
}
