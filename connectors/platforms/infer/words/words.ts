/** Words that people write for kinds of training, rest days, totals and the weather, in the languages of sheets. */
import type { Activity, WorkoutType } from "../../../../transforms/activities.ts";
import { WORDS_OF_REST } from "../../table/cells/rest-words.ts";
import { foldHeader } from "./header-words.ts";

const TYPES: Readonly<Partial<Record<WorkoutType, string>>> = {
  easy: "easy|easy run|let|let tur|rolig|rolig tur|recovery|recovery run|base|base run|general aerobic|ga|locker|lockerer lauf|lockerer dauerlauf|ruhiger dauerlauf|ruhig|dl|dauerlauf|regeneration|regenerationslauf|footing|ef|endurance fondamentale|endurance|facile|recuperation|rodaje|rodaje suave|suave|facil|recuperacion|lento|corsa lenta|fondo lento|recupero|rodagem|leve|recuperacao|rustig|rustige duurloop|duurloop|herstel|herstelloop|lugn|lugnt|distans|distanspass|aterhamtning|rolig|rolig tur|restitution|spokojny|spokojne|wybieganie|rozbieganie|regeneracja|ジョグ|ジョギング|回復走",
  long: "long|long run|lr|langer lauf|lang|langer dauerlauf|sortie longue|longue|tirada larga|larga|largo|lungo|corsa lunga|longao|longo|lange duurloop|lange loop|langpass|langpas|lang tur|dlugie wybieganie|dlugi|dlugie|ロング|ロング走|距離走|lsd",
  tempo:
    "tempo|tempo run|threshold|tempolauf|schwelle|schwellenlauf|tdl|tempodauerlauf|seuil|allure|umbral|tempo medio|soglia|medio|limiar|ritmo|tempoloop|drempel|troskel|tempopass|tempopas|taerskel|bieg progowy|prog|bieg tempowy|ペース走|閾値走|テンポ走",
  interval:
    "interval|intervals|speed|speedwork|speed work|track|repeats|intervalle|intervalltraining|intervall|bahn|bahntraining|fractionne|vma|series|intervalos|ripetute|intervalado|tiros|intervaltraining|intervalpass|intervallpass|intervaller|intervaltraening|interwaly|interwal|インターバル|インターバル走",
  fartlek: "fartlek|fahrtspiel|ファルトレク",
  hill: "hill|hills|hill repeats|hill run|berg|berglauf|bergsprints|cotes|cote|cuestas|salite|subidas|heuvel|heuvels|heuveltraining|backe|backar|backpass|backintervall|bakke|bakker|bakketraening|podbiegi|坂|坂道|坂ダッシュ",
  race: "race|wettkampf|rennen|wk|competition|compet|competicion|carrera|gara|prova|competicao|wedstrijd|tavling|lopp|konkurrence|lob|stavne|zawody|レース|大会",
};

/** The kind of training that a word means. */
export const TYPE_WORDS: ReadonlyMap<string, WorkoutType> = new Map(
  Object.entries(TYPES).flatMap(([type, words]) =>
    (words ?? "").split("|").map((word) => [foldHeader(word), type as WorkoutType] as const),
  ),
);

const set = (words: string): ReadonlySet<string> => new Set(words.split("|").map(foldHeader));

/** Cells that say that nobody trained on a day. */
export const REST_WORDS = set(WORDS_OF_REST);

/** The log's flags of the weather by the words for it. */
export const WEATHER_WORDS: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        "sunny",
        "sunny|sun|sonnig|sonne|heiter|soleil|ensoleille|soleado|sol|sole|soleggiato|ensolarado|zonnig|zon|soligt|sol|solrigt|slonecznie|slonce|晴れ|晴",
      ],
      ["clear", "clear|klar|clair|degage|despejado|claro|sereno|limpo|helder|klart|bezchmurnie|快晴"],
      [
        "overcast",
        "overcast|cloudy|clouds|bedeckt|bewolkt|wolkig|grau|couvert|nuageux|gris|nublado|nuboso|nuvoloso|coperto|molnigt|mulet|overskyet|skyet|gravejr|pochmurno|zachmurzenie|曇り|曇|くもり",
      ],
      [
        "rain",
        "rain|rainy|wet|regen|regnerisch|nass|pluie|pluvieux|lluvia|lluvioso|pioggia|piovoso|chuva|chuvoso|regn|regnigt|regnvejr|deszcz|deszczowo|雨",
      ],
      ["snow", "snow|snowy|schnee|neige|nieve|neve|sneeuw|sno|snoigt|snevejr|snieg|雪"],
      [
        "windy",
        "wind|windy|windig|sturm|vent|venteux|viento|ventoso|vento|winderig|blasigt|blaest|wietrznie|wiatr|風|強風",
      ],
      [
        "fog",
        "fog|foggy|nebel|neblig|brouillard|niebla|nebbia|nevoa|neblina|mist|mistig|dimma|dimmigt|tage|taget|mgla|霧",
      ],
    ] as const
  ).flatMap(([flag, words]) => words.split("|").map((word) => [foldHeader(word), flag] as const)),
);

/** Words for a sport in a title or a file name: `running_log.csv`, `Lauftagebuch 2014`. */
const SPORTS_IN_TITLES = [
  [
    "run",
    /\brun|running|jogging|\blauf|laufen|course a pied|courses a pied|\bcorrer|corsa\b|\bcorse\b|corrida|hardlo|lopning|\blob\b|\blobe|bieg|ラン|マラソン|ジョギング|marathon/,
  ],
  [
    "bike",
    /\bbik(?:e|ing)|cycling|\brides?\b|\brad(?:fahr|tour|tage|training|log|kilom)|radtour|\bvelo\b|ciclismo|\bbici|fietsen|wielren|cykl|kolarstwo|rower|自転車/,
  ],
  ["swim", /swim|schwimm|natation|natacion|\bnuoto|natacao|zwem|simning|svomning|plywanie|水泳/],
  [
    "walk",
    /\bwalk|spazier|\bmarche\b|caminar|caminata|camminat|caminhad|wandel(?!ing kart)|promenad|gatur|spacer|散歩|ウォーキング/,
  ],
] as const;

/** Sports of whole tables. In the header of a column, such words are of something beside the workout: `Strength min`. */
const SPORTS_OF_TABLES = [
  [
    "hike",
    /\bhik(?:e|es|ing)\b|\b(?:berg)?wander(?:n|ung|tour|log|buch|tagebuch)|bergtour|randonnee|senderismo|escursion|\btrekking\b|vandring|fjelltur|ハイキング|登山/,
  ],
  [
    "weight",
    /\b(?:weight ?)?lifting\b|\blifts?\b|weight training|\bstrength\b|\bkraft(?:sport|training|raum|log)|musculation|musculacion|musculacao|styrketr|silownia|筋トレ/,
  ],
  ["ski", /\bski\b|\bskiing\b|\bskitour|langlauf|langdskid|langrenn|\besqui\b|\bsci di fondo\b|narty|hiihto|スキー/],
  [
    "row",
    /\browing\b|\bruder(?:n|tag|log|tour|training)|\baviron\b|canottaggio|\broeien\b|\brodd\b|concept ?2|ergometer/,
  ],
] as const satisfies readonly (readonly [Activity, RegExp])[];

/** The sport that a title or a header names; undefined if it names none or several. */
export function sportInTitle(title: string): (typeof SPORTS_IN_TITLES)[number][0] | undefined {
  return onlySport(title, SPORTS_IN_TITLES);
}

/** The sport that a title or a file name gives to a whole table; undefined if it names none or several. */
export function sportOfTable(title: string): Activity | undefined {
  return onlySport<Activity>(title, [...SPORTS_IN_TITLES, ...SPORTS_OF_TABLES]);
}

function onlySport<T>(title: string, sports: readonly (readonly [T, RegExp])[]): T | undefined {
  const text = foldHeader(title.replaceAll(/[_\-./]/g, " "));
  const found = sports.filter(([, pattern]) => pattern.test(text)).map(([sport]) => sport);
  return found.length === 1 ? found[0] : undefined;
}
