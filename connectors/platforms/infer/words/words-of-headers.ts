/**
 * The words of headers, in the languages of people who keep a sheet: English, German, French, Spanish, Italian, Portuguese, Dutch,
 * Swedish, Danish, Polish and Japanese. The most frequent ones, and those of heart rates, are also in Hungarian, Czech, Finnish, Russian and Turkish. A
 * word with several meanings has several roles. The values of the column decide between them.
 *
 * Sources: the header words of hand-kept sheets and of a ten-year-old importer for them, and the headers of platforms in these languages.
 */

/** What a column can hold. Roles without a field of the log are counted as unsupported, or follow from others. */
export type Role = keyof typeof WORDS;

const WORDS = {
  date: {
    english: "date|day|entry date|log date|workout date|run date|training date|when",
    others:
      "datum|dat|tag|date du jour|jour|date seance|fecha|dia|data|giorno|dag|dato|dzien|日付|日|年月日|月日|pvm|paivamaara|дата|tarih",
  },
  datetime: {
    english: "datetime|date time|timestamp|date and time|start|start time|started|begin",
    others:
      "startzeit|beginn|debut|depart|inicio|inizio|starttid|starttijd|poczatek|start|開始|日時|datum und uhrzeit|date et heure|fecha y hora|data e ora|data e hora",
  },
  time: {
    english:
      "time of day|start time|start|started|started at|began|began at|set off|set off at|went out at|left at|clock|time|logtime|am/pm",
    others:
      "uhrzeit|startzeit|gestartet|gestartet um|start um|zeit|tijd|czas|beginn|heure|heure de depart|depart|debut|hora|hora de inicio|inicio|ora|ora inizio|inizio|orario|tijdstip|starttijd|tid|klockslag|klockan|kl|starttid|klokkeslaet|klokken|tidspunkt|godzina|godz|poczatek|時刻|開始時刻|時間帯|開始",
  },
  duration: {
    english:
      "duration|time|elapsed time|elapsed|total time|moving time|moving|time moving|time in motion|run time|finish time|tottime|how long|length of time|chip time|net time",
    others:
      "čas|kesto|aika|dauer|zeit|laufzeit|nettozeit|gesamtzeit|gehzeit|fahrzeit|marschzeit|wanderzeit|bewegungszeit|zeit in bewegung|gesamtdauer|trainingszeit|duree|temps|tps|crono|temps total|temps de marche|temps de course|temps roule|temps en mouvement|temps de deplacement|temps ecoule|duree totale|duree en mouvement|chrono|duracion|tiempo|tiempo en movimiento|tiempo de movimiento|tiempo de marcha|tiempo de carrera|tiempo total|tiempo transcurrido|duracion total|tpo|durata|tempo|tempo totale|tempo in movimento|tempo di movimento|tempo di marcia|tempo di corsa|tempo di cammino|tempo complessivo|tempo trascorso|durata totale|duracao|tempo total|tempo em movimento|tempo de movimento|tempo de corrida|tempo decorrido|duracao total|tempo gasto|duur|tijd|looptijd|bewegingstijd|tijd in beweging|wandeltijd|rijtijd|fietstijd|totale tijd|totaaltijd|verstreken tijd|eindtijd|varaktighet|tid|loptid|lobetid|tid i rorelse|rorelsetid|tid i bevaegelse|bevaegelsestid|tid i bevegelse|bevegelsestid|gangtid|total tid|totaltid|forfluten tid|samlet tid|forlobet tid|medgatt tid|sluttid|varighed|varighet|czas|czas trwania|czas biegu|czas ruchu|czas w ruchu|czas jazdy|czas marszu|czas calkowity|calkowity czas|laczny czas|移動時間|経過時間|総時間|合計時間|所要時間|タイム|走行時間|時間|練習時間|運動時間|idotartam|ido|futasido|doba trvani|kesto|время|длительность|продолжительность",
  },
  hours: {
    english: "hours|hrs|hour|hr|h|hh",
    others: "stunden|std|heures|horas|ore|uren|uur|timmar|tim|timer|t|godziny|godz|時",
  },
  minutes: {
    english: "minutes|mins|min|m|mm",
    others: "minuten|minuti|minutos|minuter|minutter|minuty|分",
  },
  seconds: {
    english: "seconds|secs|sec|s|ss",
    others: "sekunden|sek|secondes|segundos|seg|secondi|seconden|sekunder|sekundy|秒",
  },
  distance: {
    english:
      "distance|dist|km|kms|k|kilometer|kilometers|kilometres|kilometre|mi|miles|mile|mileage|total distance|run|length|metres|meters|how far|yards",
    others:
      "vzdálenost|táv|távolság|distanz|strecke|entfernung|lange|umfang|distance parcourue|longueur|nb km|distancia|recorrido|kilometros|distanza|distanza percorsa|chilometri|lunghezza|percurso|quilometros|distancia percorrida|afstand|gelopen afstand|lengte|aantal km|distans|stracka|langd|straekning|laengde|avstand|dystans|odleglosc|dlugosc|kilometrage|kilometraje|quilometragem|chilometraggio|kilometrering|dyst|距離|走行距離|ラン距離|metri|metry|kilometry|メートル|tav|tavolsag|vzdalenost|matka|дистанция|расстояние|mesafe",
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
    english:
      "hr|avg hr|average hr|ahr|hravg|avghr|heart rate|avg heart rate|average heart rate|heartrate|pulse|avg pulse|bpm",
    others:
      "puls|durchschnittspuls|herzfrequenz|hf|fc|fc moy|fc moyenne|frequence cardiaque|pouls|frecuencia cardiaca|pulso|pulsaciones|ppm|fc media|fc med|frequenza cardiaca|battito|battiti|frequencia cardiaca|pulsacao|batimento|batimentos|hartslag|gem hartslag|gemiddelde hartslag|medelpuls|snitpuls|gns puls|gennemsnitspuls|tetno|tetno srednie|srednie tetno|心拍|心拍数|平均心拍|平均心拍数|pulzus|atlag pulzus|atlagpulzus|atlagos pulzus|tf|prum tf|prumerna tf|prumerny tep|tepova frekvence|tepova frekvencia|priemerny tep|tep|syke|keskisyke|keskim syke|sykkeen keskiarvo|пульс|ср пульс|средний пульс|чсс|ср чсс|средняя чсс|nabiz|ort nabiz|ortalama nabiz|nabız|ort nabız|ortalama nabız|kalp atisi|kalp atış hızı|пулс|puls med|tepova frekvence|prumerna tepova frekvence|kalp atışı|ort kalp atışı|ortalama kalp atışı",
  },
  maxHR: {
    english: "max hr|maximum hr|mhr|max heart rate|peak hr|hr max|hrmax|maxhr|max pulse",
    others:
      "maxpuls|maximalpuls|max puls|max hf|hfmax|pulsmax|pulsmaks|pulsazioni max|freq card max|fc max|fcmax|frequence cardiaque max|frecuencia cardiaca max|fc maxima|fc massima|max hartslag|maximale hartslag|tetno max|tetno maksymalne|最大心拍|最大心拍数|max pulzus|maximalis pulzus|max tf|maximalni tf|max tep|maximalny tep|maksimisyke|maksimi syke|maksimisyke|макс пульс|максимальный пульс|макс чсс|максимальная чсс|maks nabiz|maks nabız|maksimum nabız|en yuksek nabız",
  },
  restHR: {
    english: "rhr|resting hr|rest hr|resting heart rate|morning pulse|morning hr",
    others:
      "ruhepuls|morgenpuls|morgonpuls|ochtendpols|fc au reveil|fc al despertar|battiti al risveglio|polso al mattino|fc ao acordar|fc repos|fc de repos|fc reposo|pulso en reposo|fc riposo|fc repouso|rusthartslag|rustpols|vilopuls|hvilepuls|tetno spoczynkowe|安静時心拍|安静時心拍数|nyugalmi pulzus|klidova tf|klidovy tep|leposyke|пульс покоя|чсс покоя|dinlenme nabzı|dinlenik nabız",
  },
  weight: {
    english: "weight|body weight|bodyweight|bw|wt|lbs|lb|kg",
    others:
      "gewicht|korpergewicht|kilo|kilos|poids|poids du corps|peso|peso corporal|peso corporeo|lichaamsgewicht|vikt|kroppsvikt|vaegt|kropsvaegt|waga|masa ciala|体重",
  },
  activity: {
    english: "activity|sport|activity type|discipline|exercise|type|category|what",
    others:
      "laji|druh|sportart|aktivitat|disziplin|art|activite|discipline|actividad|deporte|disciplina|tipo|attivita|atividade|esporte|desporto|modalidade|activiteit|soort|aktivitet|gren|traningsform|idraet|motion|aktywnosc|dyscyplina|rodzaj|typ|type|種目|スポーツ|アクティビティ|sportag|laji|вид спорта",
  },
  type: {
    english: "type|workout type|workout|training type|training|kind|session|run type|type of run|subtype",
    others:
      "økt|art|trainingsart|einheit|typ|type|type de seance|seance|tipo|tipo de entrenamiento|entrenamiento|sesion|tipo di allenamento|allenamento|tipo de treino|treino|sessao|soort|soort training|trainingstype|pass|passtyp|traening|traeningstype|rodzaj|rodzaj treningu|trening|練習|練習内容|種類|メニュー",
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
      "poznámka|poznámky|huomiot|muistiinpanot|megjegyzés|bemerkung|bemerkungen|bem|notiz|notizen|kommentar|beschreibung|remarque|remarques|obs|observations|commentaire|commentaires|notas|comentarios|comentario|observaciones|commenti|commento|osservazioni|observacoes|opmerking|opmerkingen|notitie|notities|anteckning|anteckningar|kommentarer|noter|bemaerkning|bemaerkninger|uwagi|notatki|komentarz|メモ|備考|感想|コメント|megjegyzes|poznamka|poznamky|huomiot|комментарий|заметки|примечание|notlar",
  },
  name: {
    english: "name|title|workout name|activity name|session name|run name",
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
    english: "effort|rpe|borg|session rpe|srpe|intensity|perceived exertion|perceived effort|exertion|effort level",
    others:
      "anstrengung|belastung|intensitat|intensite|effort|difficulte|esfuerzo|intensidad|sforzo|fatica|esforco|intensidade|inspanning|pse|anstrangning|indsats|anstrengelse|wysilek|強度|きつさ",
  },
  quality: {
    english: "quality|feel|feeling|how it felt|how felt|how i felt|felt|rating|mood",
    others:
      "befinden|gefuhl|qualitat|form|note|schulnote|sensation|sensations|ressenti|forme|sensacion|sensaciones|sensazione|sensazioni|sensacao|gevoel|kansla|dagsform|folelse|karakter|samopoczucie|体調|調子|気分",
  },
  elevation: {
    english: "elevation|elev|elevation gain|climb|climbed|ascent|vert",
    others:
      "elevacao|elevacion|elevazione|altimetria|hoogtewinst|hojdvinst|anstieg|hohenmeter|hm|aufstieg|denivele|denivele positif|d+|desnivel|desnivel positivo|dislivello|ganho de elevacao|hoogtemeters|hojdmeter|stigning|hojdemeter|przewyzszenie|獲得標高|標高",
  },
  descent: {
    english: "descent|total descent|elevation loss|elev loss|loss of elevation|descended",
    others:
      "hm ab|hm abwarts|hm bergab|hm abstieg|abstieg hm|abstieg|hohenmeter ab|hohenmeter abwarts|hohenmeter bergab|hohenmeter abstieg|denivele negatif|d-|desnivel negativo|desnivel acumulado negativo|dislivello negativo|perda de elevacao|hoogteverlies|nedstigning|下降量|累積下降",
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
    english: "place|overall|overall place|finish|finish place|position|pos",
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
  // Told by its own patterns, because any word beside these is a plan as well.
  plan: { english: "", others: "" },
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

/** A word of a header. */
export interface KnownWord {
  readonly roles: Role[];
  english: boolean;
  others: boolean;
}

/** The words, folded. */
export const KNOWN = new Map<string, KnownWord>();
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
