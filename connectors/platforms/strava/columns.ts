/**
 * Every column of activities.csv in its canonical place (the 103-column generation of 2026), with its names in the known languages, and its
 * meaning. `generations.ts` has the places of the columns in the other generations.
 *
 * Sources: eleven real exports of 2018 to 2026 for the places, units and English words. A German export (94 to 99 columns) and a French one (103)
 * give the words of these languages. In Dutch and Spanish, only a few columns are known.
 */

import { parseFloatText } from "../table/cells/shown-numbers.ts";
import type { ColumnRow, ColumnWords } from "../table/description.ts";

const derived = { why: "follows from distance and time" };
const sun = { why: "follows from place and date" };

/** Writes a number in its plainest form. Other text stays unchanged. */
const plain = (text: string) => String(parseFloatText(text) ?? text);

function whole(text: string): string {
  const value = parseFloatText(text);
  return value === undefined ? text : String(Math.round(value));
}

/** 0 means "not measured", and so do numbers below 0. */
function positive(text: string): string | undefined {
  return (parseFloatText(text) ?? 1) > 0 ? text : undefined;
}

/** Flags are 1.0 and 0.0 in one block, and true and false in the other. A spreadsheet writes TRUE. */
const isSet = (text: string) => /^(true|1(\.0*)?)$/i.test(text);
const flag = (text: string) => (isSet(text) ? "yes" : undefined);

/** The number of a piece of gear, without its `.0`, or `,0` where a spreadsheet program saved the list again. */
const gearNumber = (text: string) => /^(\d{1,20})(?:[.,]0*)?$/.exec(text)?.[1];

/** For most numbers, the platform writes 0 for "none". */
const number = { read: plain, zero: "none" } as const;
const measured = { expected: "a number", read: positive } as const;

/** Swims and rows are shown in metres. */
const shownUnit: ColumnWords["unitBy"] = (_cellOf, _shown, activity) =>
  activity === "swim" || activity === "row" ? "m" : "km";

// biome-ignore format: a table, one column a line, to be read beside a header
export const COLUMNS: readonly ColumnRow[] = [
  [["Activity ID", "Aktivitäts-ID", "ID de l'activité", "id", "Activiteits-ID", "ID de actividad"], "id", { matches: /^\d{1,20}$/, expected: "a number of the activity" }],
  [["Activity Date", "Aktivitätsdatum", "Date de l'activité", "date", "Datum van activiteit", "Fecha de la actividad"], "datetime"],
  [["Activity Name", "Name der Aktivität", "Nom de l'activité", "name", "Naam activiteit", "Naam van activiteit", "Nombre de la actividad"], "name"],
  [["Activity Type", "Aktivitätsart", "Type d'activité", "type", "Activiteitstype", "Tipo de actividad"], "activity"],
  [["Activity Description", "Aktivitätsbeschreibung", "Description de l'activité", "description"], "notes"],
  [["Elapsed Time", "Verstrichene Zeit", "Temps écoulé", "elapsed_time", "Verstreken tijd"], "elapsed", { otherwise: true }],
  [["Distance", "Distanz", "Afstand"], "distance", { unitBy: shownUnit, decimal: "shown", zero: "none", otherwise: true }],
  [["Max Heart Rate", "Max. Herzfrequenz", "Fréquence cardiaque max.", "Max. hartslag"], "maxHR", measured],
  [["Relative Effort", "Relative Leistung", "Effort relatif"], "unsupported", { label: "relative effort", ...number }],
  [["Commute", "Pendeln", "Déplacement-transport", "Woon-werkverkeer"], "unsupported", { label: "commute", read: flag }],
  [["Activity Private Note", "Hinweis zur Privatsphäre für Aktivitäten", "Note privée sur les activités"], "notes", { separator: "\n\n", isPrivate: true }],
  [["Activity Gear", "Aktivitätsausrüstung", "Matériel utilisé pour l'activité", "gear", "Uitrusting voor activiteit"], "gear"],
  [["Filename", "Dateiname", "Nom du fichier", "Bestandsnaam", "Nombre del archivo"], "file"],
  [["Athlete Weight", "Sportlergewicht", "Poids de l'athlète"], "weight", { unit: "kg", ...measured }],
  [["Bike Weight", "Fahrradgewicht", "Poids du vélo"], "unsupported", { label: "bike weight", unit: "kg", ...number }],
  [["Elapsed Time", "Verstrichene Zeit", "Temps écoulé", "Verstreken tijd"], "elapsed"],
  [["Moving Time", "Bewegungszeit", "Durée de déplacement", "Beweegtijd"], "moving"],
  [["Distance", "Distanz", "Afstand"], "distance", { unit: "m", ...measured }],
  [["Max Speed", "Höchstgeschw.", "Vitesse max.", "Max. snelheid"], "unsupported", { label: "max speed", unit: "m/s", ...number }],
  [["Average Speed", "Durchschnittliche Geschwindigkeit", "Vitesse moyenne", "Gemiddelde snelheid"], "ignore", derived],
  [["Elevation Gain", "Höhenzunahme", "Dénivelé positif", "Totale stijging", "Hoogtewinst"], "unsupported", { label: "elevation gain", unit: "m", ...number }],
  [["Elevation Loss", "Höhenunterschied", "Dénivelé négatif"], "unsupported", { label: "elevation loss", unit: "m", ...number }],
  [["Elevation Low", "Min. Höhe", "Altitude min."], "unsupported", { label: "lowest elevation", unit: "m", read: plain }],
  [["Elevation High", "Max. Höhe", "Altitude max."], "unsupported", { label: "highest elevation", unit: "m", read: plain }],
  [["Max Grade", "Max. Steigung", "Pente max."], "unsupported", { label: "max grade", unit: "%", ...number }],
  [["Average Grade", "Durchschnittliche Steigung", "Pente moyenne"], "unsupported", { label: "average grade", unit: "%", ...number }],
  [["Average Positive Grade", "Durchschnittliche positive Steigung", "Pente positive moyenne"], "unsupported", { label: "average positive grade", zero: "none", notInKey: true }],
  [["Average Negative Grade", "Durchschnittliche negative Steigung", "Pente négative moyenne"], "unsupported", { label: "average negative grade", zero: "none", notInKey: true }],
  [["Max Cadence", "Max. Tritt-/Schrittfrequenz", "Cadence max."], "unsupported", { label: "max cadence", unit: "a minute", ...number }],
  [["Average Cadence", "Durchschnittliche Trittfrequenz", "Cadence moyenne"], "unsupported", { label: "average cadence", unit: "a minute", ...number }],
  [["Max Heart Rate", "Max. Herzfrequenz", "Fréquence cardiaque max.", "Max. hartslag"], "maxHR", measured],
  [["Average Heart Rate", "Durchschnittliche Herzfrequenz", "Fréquence cardiaque moyenne", "Gemiddelde hartslag"], "avgHR", measured],
  [["Max Watts", "Max. Watt", "Puissance max.", "Maximaal wattage"], "unsupported", { label: "max power", unit: "W", ...number }],
  [["Average Watts", "Durchschnittliche Watt", "Puissance moyenne", "Gemiddeld wattage"], "unsupported", { label: "average power", unit: "W", ...number }],
  [["Calories", "Kalorien", "Calorieën"], "unsupported", { label: "calories", unit: "kcal", ...number }],
  [["Max Temperature", "Max. Temperatur", "Température max."], "unsupported", { label: "max temperature", zero: "none", notInKey: true }],
  [["Average Temperature", "Durchschnittliche Temperatur", "Température moyenne"], "temperature", { unit: "C", expected: "a number", label: "temperature of the device", otherwise: true }],
  [["Relative Effort", "Relative Leistung", "Effort relatif"], "ignore", { why: "the same as the first Relative Effort" }],
  [["Total Work", "Gesamtarbeit", "Effort total"], "unsupported", { label: "work", unit: "J", ...number }],
  [["Number of Runs", "Anzahl Läufe", "Nombre de sorties course à pied"], "unsupported", { label: "ski runs", ...number }],
  [["Uphill Time", "Bergaufzeit", "Temps de montée"], "unsupported", { label: "uphill time", unit: "s", ...number }],
  [["Downhill Time", "Bergabzeit", "Temps de descente"], "unsupported", { label: "downhill time", unit: "s", ...number }],
  [["Other Time", "Andere Zeit", "Autres temps"], "unsupported", { label: "other time", unit: "s", ...number }],
  [["Perceived Exertion", "Gefühlte Anstrengung", "Effort ressenti"], "effort", { read: whole, zero: "none" }],
  [["Type", "Art"], "unsupported", { label: "type", zero: "none", notInKey: true }],
  [["Start Time", "Startzeit", "Heure de début"], "unsupported", { label: "start time", zero: "none", notInKey: true }],
  [["Weighted Average Power", "Gewichtete durchschnittliche Leistung", "Puissance moyenne pondérée"], "unsupported", { label: "weighted average power", unit: "W", ...number }],
  [["Power Count", "Leistungszahl", "Nombre d'échantillons de puissance"], "ignore", { why: "the number of samples behind the average power" }],
  [["Prefer Perceived Exertion", "Gefühlte Anstrengung verwenden", "Utiliser l'Effort ressenti"], "ignore", { why: "a display setting" }],
  [["Perceived Relative Effort", "Gefühlte relative Leistung", "Effort relatif ressenti"], "unsupported", { label: "perceived relative effort", ...number }],
  [["Commute", "Pendeln", "Déplacement-transport", "Woon-werkverkeer"], "ignore", { why: "the same as the first Commute" }],
  [["Total Weight Lifted", "Insgesamt gestemmtes Gewicht", "Poids total soulevé"], "unsupported", { label: "weight lifted", unit: "kg", ...number }],
  [["From Upload", "Von Upload", "À partir du téléchargement"], "ignore", { why: "follows from Filename" }],
  [["Grade Adjusted Distance", "Auf Steigung angepasste Distanz", "Distance ajustée selon la pente"], "unsupported", { label: "grade adjusted distance", unit: "m", ...number }],
  [["Weather Observation Time", "Wetterbeobachtungszeit", "Heure d'observation de la météo"], "ignore", { why: "the hour of the workout" }],
  [["Weather Condition", "Wetterlage", "Conditions météo"], "conditions", { decimal: "float", zero: "none", label: "weather condition" }],
  [["Weather Temperature", "Wetter: Temperatur", "Température selon les prévisions météo"], "temperature", { unit: "C", expected: "a number" }],
  [["Apparent Temperature", "Scheinbare Temperatur", "Température ressentie"], "unsupported", { label: "apparent temperature", unit: "C", read: plain }],
  [["Dewpoint", "Taupunkt", "Point de rosée"], "unsupported", { label: "dew point", unit: "C", read: plain }],
  [["Humidity", "Luftfeuchtigkeit", "Humidité"], "unsupported", { label: "humidity", ...number }],
  [["Weather Pressure", "Wetter: Druck", "Pression atmosphérique"], "unsupported", { label: "air pressure", unit: "hPa", ...number }],
  [["Wind Speed", "Windgeschwindigkeit", "Vitesse du vent"], "unsupported", { label: "wind speed", unit: "m/s", ...number }],
  [["Wind Gust", "Windböe", "Rafale de vent"], "unsupported", { label: "wind gust", unit: "m/s", ...number }],
  [["Wind Bearing", "Windrichtung", "Direction du vent"], "unsupported", { label: "wind bearing", unit: "degrees", ...number }],
  [["Precipitation Intensity", "Niederschlagsintensität", "Intensité des précipitations"], "unsupported", { label: "precipitation", unit: "mm/h", ...number }],
  [["Sunrise Time", "Sonnenaufgangszeit", "Heure de lever du soleil"], "ignore", sun],
  [["Sunset Time", "Sonnenuntergangszeit", "Heure de coucher du soleil"], "ignore", sun],
  [["Moon Phase", "Mondphase", "Phase de la lune"], "ignore", sun],
  [["Bike", "Fahrrad", "Vélo"], "gear.bike", { read: gearNumber }],
  [["Gear", "Ausrüstung", "Matériel"], "gear.shoes", { read: gearNumber }],
  [["Precipitation Probability", "Niederschlagswahrscheinlichkeit", "Probabilité de précipitations"], "unsupported", { label: "precipitation probability", zero: "none", notInKey: true }],
  [["Precipitation Type", "Niederschlagsart", "Type de précipitations"], "ignore", { why: "said by Weather Condition: 1 none, 5 rain, 6 snow" }],
  [["Cloud Cover", "Wolkendecke", "Couverture nuageuse"], "unsupported", { label: "cloud cover", ...number }],
  [["Weather Visibility", "Wetter: Sichtbarkeit", "Visibilité selon les prévisions météo"], "unsupported", { label: "visibility", unit: "m", ...number }],
  [["UV Index", "UV-Index", "Indice UV"], "unsupported", { label: "UV index", ...number }],
  [["Weather Ozone", "Wetter: Ozon", "Ozone selon les prévisions météo"], "unsupported", { label: "ozone", unit: "DU", ...number }],
  [["Jump Count", "Sprunganzahl", "Nombre de sauts"], "unsupported", { label: "jumps", ...number }],
  [["Total Grit", "Schwierigkeit insgesamt", "Grit total"], "unsupported", { label: "grit", ...number }],
  [["Average Flow", "Durchschnittlicher Flow", "Flow moyen", "Avg Flow"], "unsupported", { label: "flow", ...number }],
  [["Flagged", "Markiert", "Signalé"], "unsupported", { label: "flagged", read: flag }],
  [["Average Elapsed Speed", "Durchschnittsgeschwindigkeit im Aufzeichnungszeitraum", "Vitesse moyenne (temps écoulé)", "Avg Elapsed Speed"], "ignore", derived],
  [["Dirt Distance", "Auf Schotter zurückgelegte Distanz", "Distance sur chemin"], "unsupported", { label: "dirt distance", unit: "m", ...number }],
  [["Newly Explored Distance", "Neu getestete Distanz", "Distance récemment découverte"], "unsupported", { label: "newly explored distance", unit: "m", ...number }],
  [["Newly Explored Dirt Distance", "Neu getestete Schotterdistanz", "Distance sur chemin récemment découverte"], "unsupported", { label: "newly explored dirt distance", unit: "m", ...number }],
  [["Activity Count", "Aktivitätsanzahl", "Nombre d'activités", "Sport Type"], "ignore", { why: "a counter of the platform's" }],
  [["Total Steps", "Schritte insgesamt", "Nombre total de pas"], "unsupported", { label: "steps", ...number }],
  [["Carbon Saved", "Eingesparte CO₂-Emissionen", "CO2 économisé"], "unsupported", { label: "carbon saved", unit: "kg CO2", ...number }],
  [["Pool Length", "Pool-Länge", "Longueur de piscine"], "unsupported", { label: "pool length", unit: "m", ...number }],
  [["Training Load", "Trainingsbelastung", "Charge d’entraînement"], "unsupported", { label: "training load", ...number }],
  [["Intensity", "Intensität", "Intensité"], "unsupported", { label: "intensity", unit: "%", ...number }],
  [["Average Grade Adjusted Pace", "Durchschnittliches auf Steigung angepasstes Tempo", "Vitesse moyenne ajustée selon la pente"], "unsupported", { label: "grade adjusted speed", unit: "m/s", ...number }],
  [["Timer Time", "Stoppuhr-Zeit", "Temps enregistré par le chronomètre"], "unsupported", { label: "timer time", unit: "s", ...number }],
  [["Total Cycles", "Zyklen gesamt", "Nombre total de cycles"], "unsupported", { label: "cycles", ...number }],
  [["Recovery", "Regeneration", "Récupération"], "unsupported", { label: "recovery", read: flag }],
  [["With Pet", "Mit Haustier", "Avec mon animal de compagnie"], "unsupported", { label: "with a pet", read: flag }],
  [["Competition", "Wettbewerb", "Compétition"], "type", { read: (text) => (isSet(text) ? "race" : undefined) }],
  [["Long Run", "Langer Lauf", "Sortie longue"], "type", { read: (text) => (isSet(text) ? "long" : undefined) }],
  [["For a Cause", "Für einen guten Zweck", "Pour la bonne cause"], "unsupported", { label: "for a cause", read: flag }],
  [["With Kid", "Avec enfant"], "unsupported", { label: "with a child", read: flag }],
  [["Downhill Distance", "Distance en descente"], "unsupported", { label: "downhill distance", unit: "m", ...number }],
  [["Total Sets", "Nombre total de séries"], "unsupported", { label: "sets", ...number }],
  [["Total Reps", "Nombre total de répétitions"], "unsupported", { label: "repetitions", ...number }],
  [["Media", "Medien", "Support"], "unsupported", { label: "photos and videos" }],
];
