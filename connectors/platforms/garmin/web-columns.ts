/**
 * Columns of the web's list that the log has no field for, besides those that web-list.ts reads otherwise. Source: 13 real headers in eight languages.
 * They are no part of a row's key, because they were once left out without a count.
 */
import type { ColumnRow, ColumnWords } from "../table/description.ts";
import { number, plain } from "./numbers.ts";
import { words } from "./words.ts";

/** The word for No in the languages of the list: it fills the column of decompression in lists without a dive. */
const NO = /^(no|nein|nej|nie|não|nem|false|0)$/i;

const unlessNo = (text: string) => (NO.test(text) ? undefined : text);

/** A time or a pace. `0:00` and `00:00:00.0` stand for none. */
const unlessZero = (text: string) => (/^[0:.,]+$/.test(text) ? undefined : text);

const perMinute = { ...number, unit: "a minute" };
const seldomZero = { read: plain };
const times = { read: unlessZero };

/** The label of a column, the form of its values, and its names. */
const COLUMNS: readonly (readonly [label: string, how: Partial<ColumnWords>, names: string])[] = [
  [
    "max cadence",
    perMinute,
    `Max Run Cadence, Max. Schrittfrequenz (Laufen), Maksimum kadence løb, Maximal löpkadens, Maksymalny rytm biegu, Cadencia de carrera máxima,
    Cadência de corrida máxima`,
  ],
  ["average cadence", perMinute, "Átl. pedálütem"],
  ["max cadence", perMinute, "Max Bike Cadence, Cadência de bicicleta máxima, Max. pedálütem"],
  [
    "best pace",
    times,
    "Best Pace, Beste Pace, Bedste tempo, Bästa tempo, Najlepsze tempo, Ritmo óptimo, Melhor ritmo, Legjobb tempó",
  ],
  ["max speed", number, "Max Speed, Velocidade máxima"],
  ["grade adjusted pace", times, "Avg GAP, GAP medio"],
  [
    "vertical ratio",
    { ...number, unit: "%" },
    `Avg Vertical Ratio, Durchschnittliches vertikales Verhältnis, Gennemsnitligt vertikalt forhold, Medelvärde för vertikal kvot, Średnie
    odchylenie do długości, Relación vertical media, Proporção de média vertical`,
  ],
  [
    "vertical oscillation",
    number,
    `Avg Vertical Oscillation, Ø vertikale Bewegung, Gennemsnitligt vertikalt udsving, Medelvärde för vertikal rörelse, Średnie odchylenie
    pionowe, Oscilación vertical media, Oscilação vertical média`,
  ],
  [
    "ground contact time",
    { ...number, unit: "ms" },
    "Avg Ground Contact Time, Medeltid för markkontakt, Tiempo medio de contacto con el suelo, Tempo médio de contato com o solo",
  ],
  ["ground contact balance", {}, "Avg GCT Balance, Equilíbrio de GCT médio"],
  ["left and right balance", {}, "Equilíbrio E/D"],
  ["normalized power", { ...number, unit: "W" }, "Normalized Power® (NP®)"],
  [
    "max power of 20 minutes",
    { ...number, unit: "W" },
    "Max Avg Power (20 min), Máximo de potência média (20 minutos)",
  ],
  ["training stress score", number, "Training Stress Score®, Training Stress Score® (TSS®)"],
  [
    "lowest temperature",
    seldomZero,
    `Min Temp, Minimale Temperatur, Minimum temperatur, Minsta temperatur, Minimalna temperatura, Temperatura mínima, Temp mínima`,
  ],
  [
    "highest temperature",
    seldomZero,
    `Max Temp, Maximale Temperatur, Maksimum temperatur, Maximal temperatur, Maksymalna temperatura, Temperatura máxima, Temp máxima`,
  ],
  [
    "lowest elevation",
    seldomZero,
    `Min Elevation, Minimale Höhe, Min. höjd, Minimalna wysokość, Altura mínima, Elevação mínima, Minimális magasság`,
  ],
  [
    "highest elevation",
    seldomZero,
    `Max Elevation, Maximale Höhe, Max. höjd, Maksymalna wysokość, Altura máxima, Elevação máxima, Maximális magasság`,
  ],
  [
    "number of laps",
    number,
    "Number of Laps, Anzahl der Runden, Antal løb, Antal varv, Liczba okrążeń, Número de vueltas, Número de voltas, Körök száma",
  ],
  [
    "best lap",
    times,
    `Best Lap Time, Beste Rundenzeit, Tid for bedste omgang, Bästa varvtid, Czas najlepszego okrążenia, Mejor tiempo de vuelta, Tempo da
    melhor volta, Legjobb köridő`,
  ],
  ["average breaths", perMinute, "Avg Resp, Genomsnittlig andning, Resposta média, Ált. légzés"],
  ["lowest breaths", perMinute, "Min Resp, Minsta andningshastighet, Resposta mínima, Min. légzés"],
  ["highest breaths", perMinute, "Max Resp, Maximal andningshastighet, Resposta máxima, Max. légzés"],
  ["average stress", number, "Medestress, Átl. stressz"],
  ["highest stress", number, "Maxbelastning, Max. stressz"],
  ["stress at the start", number, "Start för stress, Kezdő stressz"],
  ["stress at the end", number, "Slut för stress, Befejező stressz"],
  ["change of stress", number, "Stressändring, Stresszadatok változása"],
  ["body battery", number, "Body Battery Drain"],
  ["grit", number, "Grit, Hårdhed, Intensitet, Trudność, Granularidade"],
  ["flow", number, "Flow, Flöde, Płynność, Fluxo"],
  ["SWOLF", number, "Avg. Swolf, Medel-Swolf, Média de Swolf"],
  ["average stroke rate", perMinute, "Avg Stroke Rate, Medelårtagstempo, Taxa média de braçadas"],
  ["average strokes", number, "Avg Strokes"],
  ["value of the column []", number, "[]"],
  ["sets", number, "Összes szett"],
  ["climb time", times, "Climb Time"],
  ["bottom time", times, "Bottom Time, Bundtid"],
  ["dive time", times, "Dive Time, Tauchzeit, Dyktid, Czas nurkowania, Tempo de mergulho"],
  [
    "surface interval",
    times,
    "Surface Interval, Oberflächenpause, Overfladeinterval, Ytintervall, Przerwa powierzchniowa, Intervalo de superfície",
  ],
  [
    "decompression",
    { read: unlessNo },
    "Decompression, Dekompression, Dekompresja, Descompresión, Descompressão, Dekompressziós",
  ],
];

/** The rows of these columns. */
export const WITHOUT_FIELD: readonly ColumnRow[] = COLUMNS.map(([label, how, names]) => [
  words(names),
  "unsupported",
  { ...how, label, notInKey: true },
]);
