/**
 * What a header says of its column, in the languages of people who keep a sheet: English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Swedish, Danish, Polish and Japanese. A word with several meanings has several roles. The values of the column decide between them.
 *
 * Sources: the header words of hand-kept sheets and of a ten-year-old importer for them, and the headers of platforms in these languages.
 */
import { unitSpelt } from "../../../transforms/units.ts";

/** What a column can hold. Roles without a field of the log are counted as unsupported, or follow from others. */
export type Role = keyof typeof WORDS;

/** The meaning of a header. */
export interface HeaderMeaning {
  /** The roles that its words can mean; the likeliest first. Empty for unknown words. */
  readonly roles: readonly Role[];
  /** The unit in the header, in its own spelling: `km` of `Strecke (km)`. */
  readonly unit: string | undefined;
}

const WORDS = {
  date: "date|day|datum|tag|date du jour|jour|fecha|dia|data|giorno|dag|dato|dzien|日付|日|年月日|entry date|log date|workout date|when",
  datetime:
    "datetime|date time|timestamp|date and time|start|start time|startzeit|beginn|debut|inicio|inizio|starttid|starttijd|poczatek|開始|日時|datum und uhrzeit|date et heure|fecha y hora|data e ora|data e hora",
  time: "time of day|start time|clock|time|logtime|uhrzeit|startzeit|heure|heure de depart|hora|hora de inicio|ora|orario|tijdstip|starttijd|tid|klockslag|starttid|klokkeslaet|godzina|時刻|開始時刻|am/pm",
  duration:
    "duration|time|elapsed time|total time|moving time|run time|tottime|dauer|zeit|laufzeit|gesamtzeit|trainingszeit|duree|temps|temps total|duracion|tiempo|durata|tempo|duracao|tempo total|duur|tijd|looptijd|varaktighet|tid|loptid|lobetid|varighed|czas|czas trwania|所要時間|タイム|走行時間|時間",
  hours: "hours|hrs|hour|stunden|std|heures|horas|ore|uren|timmar|timer|godziny|godz",
  minutes: "minutes|mins|min|minuten|minuti|minutos|minuter|minutter|minuty|分",
  seconds: "seconds|secs|sec|sekunden|sek|secondes|segundos|secondi|seconden|sekunder|sekundy|秒",
  distance:
    "distance|dist|km|kms|k|kilometer|kilometers|kilometres|kilometre|mi|miles|mile|mileage|total distance|run|length|metres|meters|distanz|strecke|entfernung|distancia|recorrido|kilometros|distanza|chilometri|quilometros|afstand|distans|stracka|dystans|odleglosc|距離|走行距離",
  pace: "pace|avg pace|average pace|min/km|min/mi|min/mile|per mile|per km|mpm|tempo|schnitt|pace moyen|allure|allure moyenne|ritmo|ritmo medio|passo|andatura|ritmo medio|tempo medio|snelheid per km|ペース|平均ペース",
  speed:
    "speed|avg speed|average speed|mph|km/h|kmh|kph|geschwindigkeit|vitesse|vitesse moyenne|velocidad|velocita|velocidade|snelheid|hastighet|hastighed|fart|predkosc|速度|平均速度",
  avgHR:
    "hr|avg hr|average hr|ahr|heart rate|avg heart rate|average heart rate|heartrate|pulse|avg pulse|bpm|puls|o puls|durchschnittspuls|herzfrequenz|hf|o hf|fc|fc moy|fc moyenne|frequence cardiaque|frecuencia cardiaca|pulsaciones|fc media|frequenza cardiaca|frequencia cardiaca|hartslag|gem hartslag|gemiddelde hartslag|medelpuls|snitpuls|gns puls|gennemsnitspuls|tetno|tetno srednie|srednie tetno|心拍|心拍数|平均心拍|平均心拍数",
  maxHR:
    "max hr|maximum hr|mhr|max heart rate|peak hr|hr max|max pulse|maxpuls|max puls|max hf|fc max|fcmax|frequence cardiaque max|frecuencia cardiaca max|fc maxima|fc massima|max hartslag|maximale hartslag|tetno max|tetno maksymalne|最大心拍|最大心拍数",
  restHR:
    "rhr|resting hr|rest hr|resting heart rate|morning pulse|ruhepuls|fc repos|fc de repos|fc reposo|fc riposo|fc repouso|rusthartslag|rustpols|vilopuls|hvilepuls|tetno spoczynkowe|安静時心拍|安静時心拍数",
  weight: "weight|body weight|bodyweight|wt|lbs|lb|kg|gewicht|korpergewicht|poids|peso|vikt|vaegt|waga|体重",
  activity:
    "activity|sport|activity type|discipline|exercise|type|category|sportart|aktivitat|disziplin|activite|actividad|deporte|attivita|sport|atividade|esporte|desporto|modalidade|activiteit|aktivitet|gren|idraet|aktywnosc|dyscyplina|種目|スポーツ|アクティビティ",
  type: "type|workout type|workout|training type|training|kind|session|run type|subtype|art|trainingsart|einheit|typ|type de seance|seance|tipo|tipo de entrenamiento|entrenamiento|tipo di allenamento|allenamento|tipo de treino|treino|soort|soort training|trainingstype|pass|passtyp|traening|traeningstype|rodzaj|rodzaj treningu|trening|練習|練習内容|種類|メニュー",
  course:
    "route|course|location|where|loop|place|strecke|ort|parcours|lieu|itineraire|ruta|lugar|percorso|luogo|percurso|local|locatie|plaats|bana|plats|rute|sted|trasa|miejsce|コース|場所",
  equipment:
    "shoes|shoe|gear|equipment|bike|schuhe|schuh|laufschuhe|ausrustung|chaussures|chaussure|zapatillas|zapatos|scarpe|tenis|sapatilhas|calcado|schoenen|skor|sko|lobesko|buty|obuwie|シューズ|靴",
  notes:
    "notes|note|comments|comment|remarks|remark|description|details|diary|how it went|bemerkung|bemerkungen|notiz|notizen|kommentar|beschreibung|remarque|remarques|commentaire|commentaires|notas|comentarios|comentario|observaciones|commenti|commento|osservazioni|observacoes|opmerking|opmerkingen|notities|anteckning|anteckningar|kommentarer|noter|bemaerkning|bemaerkninger|uwagi|notatki|komentarz|メモ|備考|感想|コメント",
  name: "name|title|workout name|titel|bezeichnung|titre|nom|titulo|nombre|titolo|nome|naam|namn|rubrik|navn|nazwa|tytul|タイトル|名前",
  temperature: "temp|temperature|temperatur|temperatura|lufttemperatur|degrees|気温|温度|tempº|grad",
  conditions:
    "weather|conditions|wetter|meteo|temps|tiempo|clima|tempo|weer|vader|vejr|pogoda|天気|天候|bedingungen|condiciones|condizioni|condicoes",
  effort:
    "effort|rpe|intensity|perceived exertion|exertion|anstrengung|belastung|intensitat|intensite|esfuerzo|intensidad|sforzo|fatica|esforco|intensidade|inspanning|anstrangning|indsats|anstrengelse|wysilek|強度|きつさ",
  quality:
    "quality|feel|feeling|how felt|how i felt|rating|mood|befinden|gefuhl|qualitat|sensation|sensations|ressenti|sensacion|sensaciones|sensazione|sensazioni|sensacao|gevoel|kansla|folelse|samopoczucie|体調|調子",
  elevation:
    "elevation|elev|elevation gain|climb|climbed|ascent|vert|hohenmeter|hm|aufstieg|denivele|denivele positif|d+|desnivel|desnivel positivo|dislivello|ganho de elevacao|hoogtemeters|hojdmeter|hojdemeter|przewyzszenie|獲得標高|標高",
  calories:
    "calories|cals|cal|kcal|kalorien|calorias|calorie|calorieen|kalorier|kalorie|カロリー|消費カロリー|energy|energie",
  cadence:
    "cadence|spm|steps per minute|trittfrequenz|schrittfrequenz|cadencia|cadenza|cadans|kadens|kadencja|ピッチ|ケイデンス",
  power: "power|watts|avg power|leistung|puissance|potencia|potenza|vermogen|effekt|moc|パワー",
  steps: "steps|schritte|pas|pasos|passi|passos|stappen|steg|skridt|kroki|歩数",
  fieldPlacement:
    "place|overall|overall place|finish|position|platz|platzierung|rang|classement|clasificacion|puesto|posizione|classifica|classificacao|klassering|placering|pozycja|順位",
  weekday:
    "day|weekday|day of week|dow|wochentag|tag|jour|jour de la semaine|dia|dia de la semana|giorno|giorno della settimana|dia da semana|dag|weekdag|veckodag|ugedag|dzien tygodnia|曜日",
  week: "week|wk|week no|week number|woche|kw|kalenderwoche|semaine|semana|settimana|vecka|uge|tydzien|週",
  total:
    "total|weekly total|week total|ytd|cumulative|running total|month total|summe|gesamt|wochensumme|wochenkilometer|cumul|total semaine|acumulado|totale|totaal|totalt|sum|i alt|suma|razem|合計|累計",
  id: "id|activity id|workout id",
} as const;

const LETTERS: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", ł: "l", đ: "d", œ: "oe", å: "a" };

/** Folds a header for comparison: `Ø Puls` is `o puls`, `Durée` is `duree`. */
export function foldHeader(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[ßæøłđœå]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .normalize("NFC")
    .replaceAll(/[_.:*#]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

const ROLES = new Map<string, Role[]>();
for (const [role, list] of Object.entries(WORDS) as [Role, string][]) {
  for (const word of list.split("|")) {
    const roles = ROLES.get(foldHeader(word)) ?? [];
    if (!roles.includes(role)) ROLES.set(foldHeader(word), [...roles, role]);
  }
}

/** Whether a word is the name of a role. */
export function isRole(word: string): word is Role {
  return Object.hasOwn(WORDS, word);
}

/** Words that don't change what a column is: `Run Distance`, `Total km`, `durchschnittliche Herzfrequenz`. */
const FILLERS =
  /^(?:my|run|running|ride|workout|training|total|tot|avg|average|mean|ca|der|die|la|le|el|il|o|lauf|gesamt|ges|durchschn|durchschnittliche|durchschnittlicher|moy|moyenne|medio|media|prom|gem|gemiddelde|snitt|gns|sredni|srednia|平均) | (?:total|totale|totaal|run|in|en|i|w|avg|average|moy|moyenne|media|medio|gem|o|moyen|srednia|srednie)$/u;

/** Units that a header may have: in brackets, after a blank or a slash, or alone. */
const UNIT =
  /^(?:km|kms|k|mi|mile|miles|m|meters?|metres?|metros|yds?|yards?|min|mins|minutes|minuten|minuti|minutos|h|hrs?|hours|std|stunden|s|sec|secs|seconds|sek|ms|kg|kgs|lbs?|pounds|°?c|°?f|celsius|fahrenheit|ft|feet|bpm|kcal|hm|h:mm:ss|hh:mm:ss|h:mm|hh:mm|mm:ss|m:ss|min\/km|min\/mi|min\/mile|km\/h|kmh|kph|mph|m\/s|\/km|\/mi|w|1-5|1-10|キロ|分|キログラム)$/;

/** Reads a header. */
export function readHeaderWords(header: string): HeaderMeaning {
  const folded = foldHeader(header);
  const [, before = folded, inside] = /^([^([]*?)\s*[([]([^)\]]*)[)\]]?\s*$/.exec(folded) ?? [];
  const words = before.trim();
  const bracketed = inside?.trim().replace(/^in /, "");
  if (bracketed !== undefined && UNIT.test(bracketed)) return { roles: rolesOf(words), unit: bracketed };
  // `Distance km`, `Time min`, `Distance, km`.
  const [, first, last] = /^(.+?)[\s,/-]+([^\s,]+)$/u.exec(words) ?? [];
  if (first !== undefined && last !== undefined && UNIT.test(last) && ROLES.get(words) === undefined) {
    const roles = rolesOf(first.replace(/ in$/, ""));
    if (roles.length > 0) return { roles, unit: last };
  }
  return { roles: rolesOf(words), unit: UNIT.test(words) ? words : undefined };
}

function rolesOf(words: string): readonly Role[] {
  for (let text = words; ; ) {
    const roles = ROLES.get(text) ?? ROLES.get(text.replaceAll(" ", ""));
    if (roles !== undefined) return roles;
    const less = text.replace(FILLERS, "").trim();
    if (less === text || less === "") return [];
    text = less;
  }
}

/** The unit of length that a header's unit means. */
export function lengthUnit(unit: string | undefined): "mi" | "km" | "m" | "yd" | undefined {
  if (unit === undefined) return undefined;
  if (unit === "キロ") return "km";
  return unitSpelt("distance", unit === "metros" ? "m" : unit);
}
