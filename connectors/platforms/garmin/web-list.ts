/** The list of activities that a person saves on the web: Activities.csv, in eight languages. Its numbers have no units. */

import { parseDuration } from "../table/cells/durations.ts";
import type { WorkoutTable } from "../table/description.ts";
import type { CellOf, System } from "../table/mapping/shown-units.ts";
import { csv } from "../table/sources/csv-source.ts";
import { adviceFor, DISTANCE, isOnTrack, numberIn, TYPE, textIn, unitBy, WITHOUT_UNIT } from "./distances.ts";
import { number } from "./numbers.ts";
import { WITHOUT_FIELD } from "./web-columns.ts";
import { OTHER_SPORTS, words } from "./words.ts";

const DATE = words("Date, Datum, Dato, Data, Fecha, Dátum");
const TITLE = words("Title, Titel, Namn, Tytuł, Título, Cím");
const TIME = words("Time, Activity Time, Zeit, Tid, Czas, Tiempo, Tempo, Idő");
const CADENCE = words(
  "Avg Run Cadence, Ø Schrittfrequenz (Laufen), Gennemsnit kadence løb, Medellöpkadens, Średni rytm biegu, Cadencia de carrera media, Cadência de corrida média",
);
const STRIDE = words(
  "Avg Stride Length, Ø Schrittlänge, Gennemsnitlig skridtlængde, Medelsteglängd, Średnia długość kroku, Longitud media de zancada, Comprimento médio da passada, Átlagos lépéshossz",
);
const STEPS = words("Steps, Pasos, Lépések");
const FAVORITE = words("Favorite, Favorit, Ulubiony, Favorito, Kedvenc");

/** Columns that follow from distance and time. */
const PACE = words(`
  Avg Pace, Avg Speed, Ø Pace, Gennemsnitstempo, Medeltempo, Średnie tempo, Ritmo medio, Ritmo médio, Velocidade média, Átlagos tempó
`);

/**
 * Finds the unit system. A stride is in metres in every account. So steps and strides give the length of a mile or kilometre of the list. Runs on
 * a track show nothing of it, because they are in kilometres in every account.
 */
function shows(cellOf: CellOf): System | undefined {
  if (isOnTrack(cellOf)) return undefined;
  const minutes = (parseDuration(textIn(cellOf, TIME), ["h:mm:ss", "mm:ss"], ".") ?? 0) / 60;
  const steps = numberIn(cellOf, CADENCE) * minutes || numberIn(cellOf, STEPS);
  const metres = (steps * numberIn(cellOf, STRIDE)) / numberIn(cellOf, DISTANCE);
  return LENGTHS.find(({ least, most }) => metres >= least && metres <= most)?.system;
}

/** The range of metres for a kilometre and for a mile. Walking breaks and a lost sensor change the result this much. */
const LENGTHS = [
  { system: "metric", least: 870, most: 1150 },
  { system: "imperial", least: 1400, most: 1850 },
] as const;

/** The list that the website gives today, in the languages that were seen. */
export const webList: WorkoutTable = {
  from: csv(undefined, [TYPE, DATE, FAVORITE, TITLE, DISTANCE, TIME]),
  onlyAlone: true,
  dates: { order: "iso", zone: "local" },
  golden: [
    {
      cells: {
        "Activity Type": "Running",
        Date: "2025-05-04 07:01:02",
        Title: "Vienna Running",
        Time: "00:52:10",
        "Avg HR": "148",
        "Max HR": "--",
      },
      gives: {
        date: "2025-05-04",
        time: "07:01:02",
        activity: "run",
        name: "Vienna Running",
        duration: "0:52:10",
        avgHR: "148",
      },
    },
  ],
  nulls: ["--"],
  sports: OTHER_SPORTS,
  shows,
  // biome-ignore format: a table is read by its columns
  columns: [
    [TYPE, "activity"],
    [DATE, "datetime"],
    [TITLE, "name"],
    [DISTANCE, "distance", { ...number, unitBy, adviceBy: adviceFor, expected: WITHOUT_UNIT }],
    [TIME, "duration", { format: ["h:mm:ss", "mm:ss"] }],
    [["Avg HR", "Ø Herzfrequenz", "Gennemsnitlig puls", "Medelpuls", "Średnie tętno", "Frecuencia cardiaca media", "FC Média", "Átlagos pulzusszám"], "avgHR"],
    [["Max HR", "Maximale Herzfrequenz", "Maks. puls", "Maxpuls", "Maksymalne tętno", "FC máxima", "Max. pulzus"], "maxHR"],
    [["Calories", "Kalorien", "Kalorier", "Kalorie", "Calorías", "Calorias", "Kalóriaszám"], "unsupported", { label: "calories", unit: "kcal", ...number }],
    [["Total Ascent", "Elev Gain", "Anstieg gesamt", "Højdeforøgelse", "Total stigning", "Całkowity wznios", "Ascenso total", "Subida total", "Teljes emelkedés"], "unsupported", { label: "elevation gain", ...number }],
    [["Total Descent", "Elev Loss", "Abstieg gesamt", "Højdereduktion", "Totalt nedför", "Całkowity spadek", "Descenso total", "Descida total", "Teljes süllyedés"], "unsupported", { label: "elevation loss", ...number }],
    [["Elapsed Time", "Verstrichene Zeit", "Total tid", "Upłynęło czasu", "Tiempo transcurrido", "Duração", "Eltelt idő"], "unsupported", { label: "elapsed time" }],
    [["Moving Time", "Zeit in Bewegung", "Färdtid", "Czas ruchu", "Tiempo en movimiento", "Tempo em movimento", "Menetidő"], "unsupported", { label: "moving time" }],
    [CADENCE, "unsupported", { label: "average cadence", unit: "a minute", ...number }],
    [STRIDE, "unsupported", { label: "stride length", unit: "m", ...number }],
    [STEPS, "unsupported", { label: "steps", ...number }],
    [["Aerobic TE", "Aerobowy TE", "TE aeróbico", "Training Effect Aeróbico"], "unsupported", { label: "aerobic training effect", ...number }],
    [["Avg Bike Cadence", "Cadência bicicleta média"], "unsupported", { label: "average cadence", unit: "a minute", ...number }],
    [["Avg Power", "Medelkraft", "Potencia media", "Potência média"], "unsupported", { label: "average power", unit: "W", ...number }],
    [["Max Power", "Maxkraft", "Potencia máxima", "Energia máxima"], "unsupported", { label: "max power", unit: "W", ...number }],
    [["Total Strokes", "Totalt antal årtag", "Total de braçadas", "Teljes csapásszám"], "unsupported", { label: "strokes", ...number }],
    [["Total Reps", "Totalt antal repetitioner", "Összes ismétlés"], "unsupported", { label: "repetitions", ...number }],
    ...WITHOUT_FIELD,
    [PACE, "ignore", { why: "follows from distance and time" }],
    [FAVORITE, "ignore", { why: "a mark of the platform's own" }],
  ],
};
