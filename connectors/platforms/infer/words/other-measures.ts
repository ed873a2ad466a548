/** Words beside a heart rate or a temperature that make it something else than the mean of the workout or the temperature of the air, in the languages of sheets. All folded. */

/** A heart rate of the night, of a threshold, of before or after, or how much it varies. Some words begin compounds: `Schwellenpuls`, `Erholungspuls`. */
const OTHER_RATES =
  /(?:^|[\s/-])(?:variabilit|erholungs|schwelle|threshold|seuil|umbral|soglia|limiar|drempel|troskel|taerskel|progow|grenz|sleep|schlaf|sommeil|slaap|nacht|laktat|lactat)|(?:^|[\s/-])(?:hrv|limit|asleep|sueno|sonno|sono|somn|sovn|sen|night|nuit|noche|notte|noite|natt|nat|noc|bed|bett|lit|before|vor|vorher|avant|antes|prima|voor|fore|innan|przed)(?:$|[\s/)-])|睡眠|就寝|夜間|回復|閾値|変動/;

/** A heart rate of the morning, which is the one at rest. */
const OF_MORNING =
  /(?:^|[\s/-])(?:morgens|morgon|morgen|fruh|reveil|despertar|risveglio|acordar|mattina|rano|wakker|aufwachen)|起床/;

/** A temperature of something else than the air. */
const OTHER_TEMPERATURES =
  /(?:^|[\s/-])(?:water|wasser|pool|becken|eau|agua|acqua|vatten|vand|wody|body|korper|corps|cuerpo|corporal|corporel|skin|haut|core|kern|indoor|room|raum|zimmer)|水温|体温/;

/** Whether a header with a word for a heart rate says one that is no mean of a workout. @param header folded */
export const namesOtherRate = (header: string) => OTHER_RATES.test(header);

/** Whether a header with a word for a heart rate says that of the morning. @param header folded */
export const namesMorning = (header: string) => OF_MORNING.test(header);

/** Whether a header with a word for a temperature says that of water, of a body or of a room. @param header folded */
export const namesOtherTemperature = (header: string) => OTHER_TEMPERATURES.test(header);
