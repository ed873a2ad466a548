/** Words that make a heart rate, a time or a rating something else than that of the workout, in the languages of sheets. All folded. */
import type { Role } from "./words-of-headers.ts";

/** A heart rate of the night, of a threshold, of before or after, or how much it varies. Some words begin compounds: `Schwellenpuls`, `Erholungspuls`. */
const OTHER_RATES =
  /(?:^|[\s/-])(?:variabilit|erholungs|schwelle|threshold|seuil|umbral|soglia|limiar|drempel|troskel|taerskel|progow|grenz|endpuls|slutpuls|malpuls|doelhartslag|docelow|partner|husband|wife|sleep|schlaf|sommeil|slaap|nacht|laktat|lactat)|(?:^|[\s/-])(?:hrv|ever|predicted|alvo|cible|of (?:dog|partner)|dog's|limit|asleep|sueno|sonno|sono|somn|sovn|sen|night|nuit|noche|notte|noite|natt|nat|noc|bed|bett|lit|before|vor|vorher|avant|antes|prima|voor|fore|innan|przed)(?:$|[\s/)-])|睡眠|就寝|夜間|回復|閾値|変動/;

/** Beats that somebody counted for some seconds: `Pulse 15 sec`. */
const OF_SECONDS = /\d ?(?:s|secs?|seconds|sek|sekunden)(?:$|[\s)])/;

/** A heart rate of the morning, which is the one at rest. */
const OF_MORNING =
  /(?:^|[\s/-])(?:morgens|morgon|morgen|fruh|reveil|despertar|risveglio|acordar|mattina|rano|wakker|aufwachen)|起床/;

/** A temperature of something else than the air. */
const OTHER_TEMPERATURES =
  /(?:^|[\s/'’-])(?:water|wasser|pool|becken|eau|agua|acqua|vatten|vand|wody|body|korper|corps|cuerpo|corporal|corporel|skin|haut|core|kern|indoor|room|raum|zimmer|tomorrow|demain|low|lowest|feels|felt|apparent|gefuhlt|ressenti|gevoels|sensacion|sensacao|percepit|upplevd|foles|odczuw|shoes?)|水温|体温|体感/;

/** Whether a header with a word for a heart rate says one that is no mean of a workout. @param header folded */
export const namesOtherRate = (header: string) => OTHER_RATES.test(header) || OF_SECONDS.test(header);

/** Whether a header with a word for a heart rate says that of the morning. @param header folded */
export const namesMorning = (header: string) => OF_MORNING.test(header);

/** Times and ratings of the night, of meals, of the sun and of work. */
const OF_THE_DAY =
  /(?:^|[\s/(-])(?:dinner|breakfast|fruhstuck|abendessen|bed ?time|bed$|to bed|in bed|wake|woke|waking|sleep|asleep|sunrise|sunset|schlaf|einschlaf|aufsteh|aufgestanden|aufwach|sonnenauf|sonnenunter|arbeitsbeginn|arbeitsende|arbeitszeit|feierabend|of work|coucher|lever(?:$|\s)|sommeil|dormir|despert|levant|sueno|sveglia|risveglio|sonno|acordar|sono(?:$|\s)|slaap|bedtijd|opstaan|somn|sovn|sengetid|uppstig|pobudka|wstan|zasypian|reveil|snu(?:$|\s))|起床|就寝|睡眠/;

/** Ratings of something else than the workout. */
const OF_OTHER_THINGS =
  /(?:^|[\s/(-])(?:weather|wetter|meteo|clima|weer|vader|vejr|pogod|food|essen|ernahrung|nutrition|diet|route|course|strecke|coffee|shoes?)(?:$|[\s)/-])|天気/;

/** What is said of shoes, and names none. */
const OF_SHOES =
  /(?:^|[\s/(-])(?:price|cost|size|preis|kosten|grosse|schuhgrosse|prix|taille|pointure|precio|talla|prezzo|misura|preco|tamanho|prijs|maat|pris|storlek|storrelse|cena|rozmiar)(?:$|[\s)/-])/;

/** A sport or a kind of training of somebody else, or of another day. */
const OF_OTHER_SPORTS =
  /(?:^|[\s/(-])(?:other|next|tv|fernsehen|favou?rite|partner|partner's|partners|husband|husband's|wife|wife's|kids?|tomorrow)(?:$|[\s)/-])/;

const OF_PARKING = /(?:^|[\s/(-])(?:parking|park(?:platz|plats|ering)|parkeer)/;

/** Roles that the night, the sun and work have times and ratings of. */
const OF_DAY_ROLES: ReadonlySet<Role> = new Set(["time", "datetime", "duration", "hours", "quality", "effort"]);

/** The roles of a header without those that another word of it takes away: `Bedtime`, `Weather rating`, `Shoe size`. @param header folded */
export function withoutOthers(roles: readonly Role[], header: string): readonly Role[] {
  const isOther = (role: Role) =>
    (OF_DAY_ROLES.has(role) && namesDay(header)) ||
    (role === "quality" && OF_OTHER_THINGS.test(header)) ||
    (role === "equipment" && OF_SHOES.test(header)) ||
    ((role === "fieldPlacement" || role === "course") && OF_PARKING.test(header)) ||
    ((role === "activity" || role === "type") && OF_OTHER_SPORTS.test(header)) ||
    (role === "temperature" && OTHER_TEMPERATURES.test(header));
  return roles.some(isOther) ? roles.filter((role) => !isOther(role)) : roles;
}

/** Whether a header says a sport of somebody else, or of another day. @param header folded */
export const namesOtherSport = (header: string) => OF_OTHER_SPORTS.test(header);

/** Whether a header is about the night, the sun or work. @param header folded */
export const namesDay = (header: string) => OF_THE_DAY.test(header);
