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
  /** Whether its words are English, or of another language; undefined for words of both. */
  readonly isEnglish: boolean | undefined;
}

const WORDS = {
  date: {
    english: "date|day|entry date|log date|workout date|run date|training date|when",
    others: "datum|dat|tag|date du jour|jour|date seance|fecha|dia|data|giorno|dag|dato|dzien|日付|日|年月日|月日",
  },
  datetime: {
    english: "datetime|date time|timestamp|date and time|start|start time|started|begin",
    others:
      "startzeit|beginn|debut|depart|inicio|inizio|starttid|starttijd|poczatek|start|開始|日時|datum und uhrzeit|date et heure|fecha y hora|data e ora|data e hora",
  },
  time: {
    english: "time of day|start time|start|clock|time|logtime|am/pm",
    others:
      "uhrzeit|startzeit|zeit|tijd|czas|beginn|heure|heure de depart|depart|debut|hora|hora de inicio|inicio|ora|ora inizio|inizio|orario|tijdstip|starttijd|tid|klockslag|klockan|kl|starttid|klokkeslaet|klokken|tidspunkt|godzina|godz|poczatek|時刻|開始時刻|時間帯|開始",
  },
  duration: {
    english:
      "duration|time|elapsed time|elapsed|total time|moving time|run time|finish time|tottime|how long|length of time|chip time|net time",
    others:
      "dauer|zeit|laufzeit|nettozeit|gesamtzeit|trainingszeit|duree|temps|tps|crono|temps total|chrono|duracion|tiempo|tpo|durata|tempo|tempo totale|duracao|tempo total|tempo gasto|duur|tijd|looptijd|eindtijd|varaktighet|tid|loptid|lobetid|sluttid|varighed|czas|czas trwania|czas biegu|所要時間|タイム|走行時間|時間|練習時間|運動時間",
  },
  hours: {
    english: "hours|hrs|hour|hr|h",
    others: "stunden|std|heures|horas|ore|uren|uur|timmar|tim|timer|t|godziny|godz|時",
  },
  minutes: {
    english: "minutes|mins|min|m",
    others: "minuten|minuti|minutos|minuter|minutter|minuty|分",
  },
  seconds: {
    english: "seconds|secs|sec|s",
    others: "sekunden|sek|secondes|segundos|seg|secondi|seconden|sekunder|sekundy|秒",
  },
  distance: {
    english:
      "distance|dist|km|kms|k|kilometer|kilometers|kilometres|kilometre|mi|miles|mile|mileage|total distance|run|length|metres|meters|how far|yards",
    others:
      "distanz|strecke|entfernung|lange|umfang|distance parcourue|longueur|nb km|distancia|recorrido|kilometros|distanza|distanza percorsa|chilometri|lunghezza|percurso|quilometros|distancia percorrida|afstand|gelopen afstand|lengte|aantal km|distans|stracka|langd|straekning|laengde|avstand|dystans|odleglosc|dlugosc|距離|走行距離|ラン距離",
  },
  pace: {
    english: "pace|avg pace|average pace|min/km|min/mi|min/mile|per mile|per km|mpm|split",
    others:
      "tempo|schnitt|pace moyen|allure|allure moyenne|rythme|ritmo|ritmo medio|passo|passo medio|andatura|tempo medio|snelheid per km|km tid|kmtid|kilometertid|kilometerzeit|zeit pro km|min per km|min pro km|ペース|平均ペース",
  },
  speed: {
    english: "speed|avg speed|average speed|mph|km/h|kmh|kph|v",
    others:
      "geschwindigkeit|vitesse|vitesse moyenne|velocidad|velocita|velocidade|snelheid|hastighet|hastighed|fart|km/t|km/u|predkosc|速度|平均速度|時速",
  },
  avgHR: {
    english: "hr|avg hr|average hr|ahr|heart rate|avg heart rate|average heart rate|heartrate|pulse|avg pulse|bpm",
    others:
      "puls|durchschnittspuls|herzfrequenz|hf|fc|fc moy|fc moyenne|frequence cardiaque|pouls|frecuencia cardiaca|pulso|pulsaciones|ppm|fc media|fc med|frequenza cardiaca|battito|battiti|frequencia cardiaca|pulsacao|batimento|batimentos|hartslag|gem hartslag|gemiddelde hartslag|medelpuls|snitpuls|gns puls|gennemsnitspuls|tetno|tetno srednie|srednie tetno|心拍|心拍数|平均心拍|平均心拍数",
  },
  maxHR: {
    english: "max hr|maximum hr|mhr|max heart rate|peak hr|hr max|max pulse",
    others:
      "maxpuls|maximalpuls|max puls|max hf|fc max|fcmax|frequence cardiaque max|frecuencia cardiaca max|fc maxima|fc massima|max hartslag|maximale hartslag|tetno max|tetno maksymalne|最大心拍|最大心拍数",
  },
  restHR: {
    english: "rhr|resting hr|rest hr|resting heart rate|morning pulse|morning hr",
    others:
      "ruhepuls|fc repos|fc de repos|fc reposo|pulso en reposo|fc riposo|fc repouso|rusthartslag|rustpols|vilopuls|hvilepuls|tetno spoczynkowe|安静時心拍|安静時心拍数",
  },
  weight: {
    english: "weight|body weight|bodyweight|wt|lbs|lb|kg",
    others:
      "gewicht|korpergewicht|kilo|kilos|poids|poids du corps|peso|peso corporal|peso corporeo|lichaamsgewicht|vikt|kroppsvikt|vaegt|kropsvaegt|waga|masa ciala|体重",
  },
  activity: {
    english: "activity|sport|activity type|discipline|exercise|type|category|what",
    others:
      "sportart|aktivitat|disziplin|art|activite|discipline|actividad|deporte|disciplina|tipo|attivita|atividade|esporte|desporto|modalidade|activiteit|soort|aktivitet|gren|traningsform|idraet|motion|aktywnosc|dyscyplina|rodzaj|typ|type|種目|スポーツ|アクティビティ",
  },
  type: {
    english: "type|workout type|workout|training type|training|kind|session|run type|type of run|subtype",
    others:
      "art|trainingsart|einheit|typ|type|type de seance|seance|tipo|tipo de entrenamiento|entrenamiento|sesion|tipo di allenamento|allenamento|tipo de treino|treino|sessao|soort|soort training|trainingstype|pass|passtyp|traening|traeningstype|rodzaj|rodzaj treningu|trening|練習|練習内容|種類|メニュー",
  },
  course: {
    english: "route|course|location|where|loop|place|loc|venue",
    others:
      "strecke|ort|parcours|lieu|itineraire|circuit|ruta|lugar|sitio|recorrido|percorso|luogo|localita|tracciato|giro|percurso|local|locatie|plaats|parcours|route|bana|plats|runda|rute|sted|rundt|trasa|miejsce|コース|場所",
  },
  equipment: {
    english: "shoes|shoe|gear|equipment|bike",
    others:
      "schuhe|schuh|laufschuhe|ausrustung|material|chaussures|chaussure|baskets|zapatillas|zapatos|calzado|scarpe|scarpa|tenis|sapatilhas|calcado|schoenen|schoen|materiaal|skor|sko|lobesko|buty|obuwie|シューズ|靴",
  },
  notes: {
    english: "notes|note|comments|comment|remarks|remark|description|details|diary|how it went|thoughts",
    others:
      "bemerkung|bemerkungen|bem|notiz|notizen|kommentar|beschreibung|remarque|remarques|obs|observations|commentaire|commentaires|notas|comentarios|comentario|observaciones|commenti|commento|osservazioni|observacoes|opmerking|opmerkingen|notities|anteckning|anteckningar|kommentarer|noter|bemaerkning|bemaerkninger|uwagi|notatki|komentarz|メモ|備考|感想|コメント",
  },
  name: {
    english: "name|title|workout name",
    others: "titel|bezeichnung|titre|nom|titulo|nombre|titolo|nome|naam|namn|rubrik|navn|nazwa|tytul|タイトル|名前",
  },
  temperature: {
    english: "temp|temperature|degrees|deg|air temp",
    others: "temperatur|temperatuur|lufttemperatur|temperatura|grad|grados|gradi|graus|graden|grader|stopnie|気温|温度",
  },
  conditions: {
    english: "weather|conditions|wx",
    others:
      "wetter|wetterlage|witterung|bedingungen|meteo|temps|temps qu'il fait|tiempo|clima|condiciones|tempo|condizioni|condicoes|weer|weersomstandigheden|vader|vejr|vejret|pogoda|天気|天候",
  },
  effort: {
    english: "effort|rpe|intensity|perceived exertion|perceived effort|exertion|effort level",
    others:
      "anstrengung|belastung|intensitat|intensite|effort|difficulte|esfuerzo|intensidad|sforzo|fatica|esforco|intensidade|inspanning|anstrangning|indsats|anstrengelse|wysilek|強度|きつさ",
  },
  quality: {
    english: "quality|feel|feeling|how it felt|how felt|how i felt|felt|rating|mood",
    others:
      "befinden|gefuhl|qualitat|form|note|sensation|sensations|ressenti|forme|sensacion|sensaciones|sensazione|sensazioni|sensacao|gevoel|kansla|dagsform|folelse|karakter|samopoczucie|体調|調子|気分",
  },
  elevation: {
    english: "elevation|elev|elevation gain|climb|climbed|ascent|vert",
    others:
      "hohenmeter|hm|aufstieg|denivele|denivele positif|d+|desnivel|desnivel positivo|dislivello|ganho de elevacao|hoogtemeters|hojdmeter|stigning|hojdemeter|przewyzszenie|獲得標高|標高",
  },
  calories: {
    english: "calories|cals|cal|kcal|energy",
    others: "kalorien|calorias|calorie|calorieen|kalorier|kalorie|energie|カロリー|消費カロリー",
  },
  cadence: {
    english: "cadence|spm|steps per minute",
    others: "trittfrequenz|schrittfrequenz|cadencia|cadenza|cadans|kadens|kadencja|frekvens|ピッチ|ケイデンス",
  },
  power: {
    english: "power|watts|avg power",
    others: "leistung|puissance|potencia|potenza|vermogen|effekt|moc|パワー",
  },
  steps: {
    english: "steps",
    others: "schritte|pas|pasos|passi|passos|stappen|steg|skridt|kroki|歩数",
  },
  fieldPlacement: {
    english: "place|overall|overall place|finish|position",
    others:
      "platz|platzierung|rang|classement|clasificacion|puesto|posizione|classifica|classificacao|klassering|placering|pozycja|順位",
  },
  weekday: {
    english: "day|weekday|day of week|dow",
    others:
      "wochentag|tag|jour|jour de la semaine|dia|dia de la semana|giorno|giorno della settimana|dia da semana|dag|weekdag|veckodag|ugedag|ugedag navn|dzien|dzien tygodnia|曜日",
  },
  week: {
    english: "week|wk|week no|week number",
    others: "woche|kw|kalenderwoche|semaine|semana|settimana|vecka|uge|tydzien|週",
  },
  total: {
    english: "total|weekly total|week total|ytd|year to date|cumulative|running total|month total|weekly|cum",
    others:
      "summe|gesamt|wochensumme|wochenkilometer|cumul|cumul km|total semaine|acumulado|totale|totaal|totalt|sum|i alt|suma|razem|合計|累計",
  },
  id: {
    english: "id|activity id|workout id",
    others: "",
  },
} as const;

const LETTERS: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", ø: "o", ł: "l", đ: "d", œ: "oe", å: "a" };

/** Folds a header for comparison: `Ø Puls` is `o puls`, `Durée` is `duree`. */
export function foldHeader(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[ßæøłđœå]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .replaceAll(/[_.:*#]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

interface KnownWord {
  readonly roles: Role[];
  english: boolean;
  others: boolean;
}

const KNOWN = new Map<string, KnownWord>();
for (const [role, lists] of Object.entries(WORDS) as [Role, Readonly<Record<"english" | "others", string>>][]) {
  for (const language of ["english", "others"] as const) {
    for (const word of lists[language].split("|").filter((each) => each !== "")) {
      const found = KNOWN.get(foldHeader(word)) ?? { roles: [], english: false, others: false };
      if (!found.roles.includes(role)) found.roles.push(role);
      found[language] = true;
      KNOWN.set(foldHeader(word), found);
    }
  }
}

/** Whether a word is the name of a role. */
export function isRole(word: string): word is Role {
  return Object.hasOwn(WORDS, word);
}

/** Words that don't change what a column is: `My Distance`, `durchschnittliche Herzfrequenz`. */
const FILLERS = new Set(
  foldHeader(
    "my run running ride training total tot avg average ave mean ca der die das la le el il de du del della di do da of in the to o lauf gesamt ges durchschn durchschnittliche durchschnittlicher mittel moy moyen moyenne medio media med prom gem gemiddelde snitt gns genomsnitt sredni srednia srednie aantal nb nr number level navn name burned gain gained totale totaal gesamte laczny laczna toplam taken spent used",
  ).split(" "),
);

/** Words that make a column something else than the words beside them say: the time of a rest is no duration of a workout. */
const OTHERWISE =
  /(?:^|\s)(?:rest|sleep|schlaf|sommeil|sueno|sonno|sono|slaap|somn|sovn|sen|goal|target|planned|plan|ziel|soll|objectif|objetivo|obiettivo|meta|doel|mal|cel|pb|pr|end|ende|fin|zone|lap|laps)(?:\s|$)/;

/** Signs of the highest and of the resting heart rate. */
const HIGHEST =
  /(?:^|\s)(?:max|maxi|maximum|maximal|maximale|maxima|maximo|massima|massimo|maks|maksymalne|peak|hoogste|hogsta|hojeste|najwyzsze)(?:\s|$)|^max/;
const RESTING =
  /(?:^|\s)(?:rest|resting|ruhe|repos|reposo|riposo|repouso|rust|vila|vilo|hvile|spoczynkowe|morning|waking|am|morgon|matin|mattino|manha|ochtend|poranne)(?:\s|$)|^(?:ruhe|rust|vilo|hvile|morgen)/;

/** Units that a header may have: in brackets, behind its words, or alone; and what a column with such a unit is. */
const UNITS: Readonly<Record<string, readonly Role[]>> = Object.fromEntries(
  (
    [
      ["km kms k mi mile miles m meter meters metre metres metros yd yds yard yards キロ", ["distance"]],
      [
        "min mins minutes minuten minuti minutos 分 h hr hrs hour hours std stunden s sec secs seconds sek ms",
        ["duration"],
      ],
      ["hmmss hhmmss hmm hhmm mmss mss", ["duration"]],
      ["kg kgs lb lbs pounds キログラム", ["weight"]],
      ["°c °f c f celsius fahrenheit", ["temperature"]],
      ["bpm ppm", ["avgHR"]],
      ["min/km min/mi min/mile /km /mi min/100m", ["pace"]],
      ["km/h km/t km/u kmh kph mph m/s", ["speed"]],
      ["kcal", ["calories"]],
      ["ft feet hm", ["elevation"]],
      ["w", ["power"]],
      ["1-5 1-10 1–5 1–10 0-10 /5 /10", []],
    ] as const
  ).flatMap(([units, roles]) => units.split(" ").map((unit) => [unit, roles])),
);

/** Units that an unknown word may have for many reasons: metres of climb, minutes of rest. */
const SHARED_UNITS = /^(?:m|ft|feet|meters?|metres?|metros|min|mins|minutes|h|s|sec|hr|hrs|w)$/;

/** Forms of durations as a mapping file writes them. */
const CLOCKS: Readonly<Record<string, string>> = {
  ...{ hmmss: "h:mm:ss", hhmmss: "h:mm:ss", hmm: "h:mm", hhmm: "h:mm", mmss: "mm:ss", mss: "mm:ss" },
};

/** Reads a header. */
export function readHeaderWords(header: string): HeaderMeaning {
  const folded = foldHeader(header.replaceAll(/[hms]{1,2}(?::[ms]{2}){1,2}/gi, (clock) => clock.replaceAll(":", "")));
  // A lone letter may be anything, but for the parts of a duration in several columns.
  if (/^[a-z]$/.test(folded))
    return {
      roles: (KNOWN.get(folded)?.roles ?? []).filter((role) => PARTS.has(role)),
      unit: undefined,
      isEnglish: undefined,
    };
  const { before, inside } = bracketed(folded);
  if (inside !== undefined && Object.hasOwn(UNITS, inside)) return meaningOf(before.trim(), inside);
  // `Distance km`, `Time min`, `Distance, km`.
  const { first, last } = lastWord(folded);
  const isUnit = first !== undefined && last !== undefined && Object.hasOwn(UNITS, last);
  const words = first?.replace(/ in$/, "") ?? "";
  if (isUnit && KNOWN.get(folded) === undefined && wordsIn(words).length > 0) return meaningOf(words, last);
  if (!isUnit) return meaningOf(folded, Object.hasOwn(UNITS, folded) ? folded : undefined);
  // `Aantal km` is a length, `Ave HR` no time.
  const alone = meaningOf(folded, undefined);
  return alone.roles.some((role) => UNITS[last]?.includes(role))
    ? meaningOf(folded, last)
    : alone.roles.length > 0 || SHARED_UNITS.test(last)
      ? alone
      : meaningOf("", last);
}

/** Parts of a duration that may have columns of their own. */
const PARTS: ReadonlySet<Role> = new Set(["hours", "minutes", "seconds"]);

/** `strecke (km)` in two parts: `strecke` and `km`. A bracket that isn't closed counts, too. */
function bracketed(header: string): { readonly before: string; readonly inside: string | undefined } {
  const at = header.search(/[([]/);
  if (at === -1) return { before: header, inside: undefined };
  const rest = header.slice(at + 1).trim();
  const inside = rest.endsWith(")") || rest.endsWith("]") ? rest.slice(0, -1).trim() : rest;
  return { before: header.slice(0, at).trim(), inside: inside.startsWith("in ") ? inside.slice(3) : inside };
}

/** `distance, km` in two parts; both undefined for a single word. */
function lastWord(header: string): { readonly first: string | undefined; readonly last: string | undefined } {
  const words = header.split(/[\s,/-]/).filter((word) => word !== "");
  const last = header
    .split(/[\s,]/)
    .filter((word) => word !== "")
    .at(-1);
  // A unit may have a slash in it: `tempo min/km`.
  const unit = last !== undefined && Object.hasOwn(UNITS, last) ? last : words.at(-1);
  if (words.length < 2 || unit === undefined) return { first: undefined, last: undefined };
  let end = header.lastIndexOf(unit);
  while (end > 0 && " ,/-".includes(header[end - 1] ?? "")) end--;
  return end === 0 ? { first: undefined, last: undefined } : { first: header.slice(0, end), last: unit };
}

function meaningOf(words: string, unit: string | undefined): HeaderMeaning {
  const found = wordsIn(words);
  const english = found.filter((word) => word.english && !word.others).length;
  const others = found.filter((word) => word.others && !word.english).length;
  const isEnglish = english === others ? undefined : english > others;
  // Two words that mean one thing: `Temps de course` is a time, `Lieu du parcours` a place.
  const [some, ...more] = found.map(({ roles }) => roles);
  const shared = (some ?? []).filter((role) => more.every((roles) => roles.includes(role)));
  const byUnit = unit === undefined ? [] : (UNITS[unit] ?? []);
  // `Percurso (km)` is a length, though a `percurso` may be a route.
  const both = shared.filter((role) => byUnit.includes(role));
  // The time of a kilometre is the pace.
  if (byUnit.includes("distance") && shared.includes("duration")) return { roles: ["pace"], unit, isEnglish };
  const isTelling = unit !== undefined && words !== unit && byUnit.length > 0 && !SHARED_UNITS.test(unit);
  const roles =
    both.length > 0
      ? both
      : isTelling
        ? byUnit
        : shared.length > 0 && !(byUnit.length > 0 && shared.every((role) => TEXTS.has(role)))
          ? shared
          : byUnit.length > 0
            ? byUnit
            : ends(found);
  return { roles: heartRate(roles, words), unit: CLOCKS[unit ?? ""] ?? unit, isEnglish };
}

/** Roles of text. A column of text has no unit. */
const TEXTS: ReadonlySet<Role> = new Set(["course", "name", "notes", "type", "activity", "equipment"]);

/** The roles of the first and the last word, where they differ: one of them is what the column is, and the values say which. */
function ends(found: readonly KnownWord[]): readonly Role[] {
  return [...new Set([found[0], found.at(-1)].flatMap((word) => word?.roles ?? []))];
}

/** A heart rate that is the highest one, or the one at rest. */
function heartRate(roles: readonly Role[], words: string): readonly Role[] {
  if (!roles.includes("avgHR")) return roles;
  if (HIGHEST.test(words)) return ["maxHR"];
  return RESTING.test(words) ? ["restHR"] : roles;
}

/** The known words of a header: the whole of it, or its parts without fillers. Empty where a part makes it something else. */
function wordsIn(words: string): readonly KnownWord[] {
  const whole = KNOWN.get(words) ?? KNOWN.get(words.replaceAll(" ", ""));
  if (whole !== undefined) return [whole];
  if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(words)) return longestWithin(words);
  const isHeart = RESTING.test(words) && words.split(/[\s/,-]+/).some((token) => known(token)?.roles.includes("avgHR"));
  if (OTHERWISE.test(words) && !isHeart) return [];
  const tokens = words.split(/[\s/,-]+/).filter((token) => token !== "" && !FILLERS.has(token));
  const kept = KNOWN.get(tokens.join(" "));
  if (kept !== undefined) return [kept];
  const found = tokens.filter((token) => !HIGHEST.test(token) && !RESTING.test(token)).map(known);
  // One unknown word beside a known one may be an adjective. More make it a header of its own.
  const unknown = found.filter((word) => word === undefined).length;
  return unknown > 1 || unknown === found.length ? [] : found.filter((word) => word !== undefined);
}

/** Letters of the shortest word that may end a compound: `Körpergewicht`, `kroppsvikt`, `sluttid`. */
const SHORTEST_END = 3;

function known(token: string): KnownWord | undefined {
  // A lone letter among words is a unit, or nothing.
  if (/^[a-z]$/.test(token)) return undefined;
  const whole = KNOWN.get(token);
  if (whole !== undefined) return whole;
  if (/^(?:start|begin|beginn|anfangs)/.test(token)) return KNOWN.get("start time");
  for (let at = 2; at <= token.length - SHORTEST_END; at++) {
    const end = KNOWN.get(token.slice(at));
    if (end?.others) return end;
  }
  return undefined;
}

/** The longest known word in a text without blanks between its words. */
function longestWithin(text: string): readonly KnownWord[] {
  const [longest] = [...KNOWN.keys()]
    .filter((word) => /[^\u0000-\u024f]/.test(word) && word.length > 1 && text.includes(word))
    .toSorted((a, b) => b.length - a.length);
  const found = longest === undefined ? undefined : KNOWN.get(longest);
  return found === undefined ? [] : [found];
}

/** The unit of length that a header's unit means. */
export function lengthUnit(unit: string | undefined): "mi" | "km" | "m" | "yd" | undefined {
  if (unit === undefined) return undefined;
  if (unit === "キロ") return "km";
  return unitSpelt("distance", unit === "metros" ? "m" : unit);
}
