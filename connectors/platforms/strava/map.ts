/**
 * The dictionary: every column of activities.csv in its canonical place (the 103-column generation of 2026), what it is called in the
 * languages we know, and what becomes of it. `generations.ts` says where the columns stand in the other generations.
 *
 * `maps` is read by `row.ts` under that name; `beyond` has no field in the log and is counted as such, with its unit;
 * `left` is not read, and why. Sources: eleven real exports of 2018 to 2026 for the places, units and English words; a German one
 * (94 to 99 columns) and a French one (103) for theirs; Dutch and Spanish are known for a few columns only.
 */

/** The values `row.ts` asks for. */
export type Mapped =
  | "id"
  | "date"
  | "name"
  | "sport"
  | "description"
  | "elapsed"
  | "displayElapsed"
  | "displayDistance"
  | "maxHR"
  | "otherMaxHR"
  | "privateNote"
  | "gear"
  | "filename"
  | "weight"
  | "moving"
  | "distance"
  | "avgHR"
  | "effort"
  | "weather"
  | "temperature"
  | "deviceTemperature"
  | "bike"
  | "shoes"
  | "competition"
  | "longRun";

/** How a value that the log can't hold is told: as a number, as a flag that is set or not, or as it stands there. */
export type Telling = "number" | "flag" | "text";

interface Words {
  readonly en: string;
  readonly de?: string;
  readonly fr?: string;
  /** Spellings that other generations or languages use (Dutch, Spanish, the snake_case of 2018). */
  readonly also?: readonly string[];
}

/** What becomes of a column. */
export type Fate =
  | { readonly maps: Mapped }
  | { readonly unsupported: string; readonly unit?: string; readonly as?: Telling; readonly zero?: "is a value" }
  | { readonly left: string };

const derived = "follows from distance and time";
const sun = "follows from place and date";
const always = "always empty in the exports seen";

/** One column; its index is its canonical position. */
export type Column = Words & Fate;

// biome-ignore format: a table, one column a line, to be read beside a header
export const COLUMNS: readonly Column[] = [
  { en: "Activity ID", de: "Aktivitäts-ID", fr: "ID de l'activité", also: ["id", "Activiteits-ID", "ID de actividad"], maps: "id" },
  { en: "Activity Date", de: "Aktivitätsdatum", fr: "Date de l'activité", also: ["date", "Datum van activiteit", "Fecha de la actividad"], maps: "date" },
  { en: "Activity Name", de: "Name der Aktivität", fr: "Nom de l'activité", also: ["name", "Naam activiteit", "Naam van activiteit", "Nombre de la actividad"], maps: "name" },
  { en: "Activity Type", de: "Aktivitätsart", fr: "Type d'activité", also: ["type", "Activiteitstype", "Tipo de actividad"], maps: "sport" },
  { en: "Activity Description", de: "Aktivitätsbeschreibung", fr: "Description de l'activité", also: ["description"], maps: "description" },
  { en: "Elapsed Time", de: "Verstrichene Zeit", fr: "Temps écoulé", also: ["elapsed_time", "Verstreken tijd"], maps: "displayElapsed" },
  { en: "Distance", de: "Distanz", fr: "Distance", also: ["Afstand"], maps: "displayDistance" },
  { en: "Max Heart Rate", de: "Max. Herzfrequenz", fr: "Fréquence cardiaque max.", also: ["Max. hartslag"], maps: "maxHR" },
  { en: "Relative Effort", de: "Relative Leistung", fr: "Effort relatif", unsupported: "relative effort" },
  { en: "Commute", de: "Pendeln", fr: "Déplacement-transport", also: ["Woon-werkverkeer"], unsupported: "commute", as: "flag" },
  { en: "Activity Private Note", de: "Hinweis zur Privatsphäre für Aktivitäten", fr: "Note privée sur les activités", maps: "privateNote" },
  { en: "Activity Gear", de: "Aktivitätsausrüstung", fr: "Matériel utilisé pour l'activité", also: ["gear", "Uitrusting voor activiteit"], maps: "gear" },
  { en: "Filename", de: "Dateiname", fr: "Nom du fichier", also: ["Bestandsnaam", "Nombre del archivo"], maps: "filename" },
  { en: "Athlete Weight", de: "Sportlergewicht", fr: "Poids de l'athlète", maps: "weight" },
  { en: "Bike Weight", de: "Fahrradgewicht", fr: "Poids du vélo", unsupported: "bike weight", unit: "kg" },
  { en: "Elapsed Time", de: "Verstrichene Zeit", fr: "Temps écoulé", also: ["Verstreken tijd"], maps: "elapsed" },
  { en: "Moving Time", de: "Bewegungszeit", fr: "Durée de déplacement", also: ["Beweegtijd"], maps: "moving" },
  { en: "Distance", de: "Distanz", fr: "Distance", also: ["Afstand"], maps: "distance" },
  { en: "Max Speed", de: "Höchstgeschw.", fr: "Vitesse max.", also: ["Max. snelheid"], unsupported: "max speed", unit: "m/s" },
  { en: "Average Speed", de: "Durchschnittliche Geschwindigkeit", fr: "Vitesse moyenne", also: ["Gemiddelde snelheid"], left: derived },
  { en: "Elevation Gain", de: "Höhenzunahme", fr: "Dénivelé positif", also: ["Totale stijging", "Hoogtewinst"], unsupported: "elevation gain", unit: "m" },
  { en: "Elevation Loss", de: "Höhenunterschied", fr: "Dénivelé négatif", unsupported: "elevation loss", unit: "m" },
  { en: "Elevation Low", de: "Min. Höhe", fr: "Altitude min.", unsupported: "lowest elevation", unit: "m", zero: "is a value" },
  { en: "Elevation High", de: "Max. Höhe", fr: "Altitude max.", unsupported: "highest elevation", unit: "m", zero: "is a value" },
  { en: "Max Grade", de: "Max. Steigung", fr: "Pente max.", unsupported: "max grade", unit: "%" },
  { en: "Average Grade", de: "Durchschnittliche Steigung", fr: "Pente moyenne", unsupported: "average grade", unit: "%" },
  { en: "Average Positive Grade", de: "Durchschnittliche positive Steigung", fr: "Pente positive moyenne", left: always },
  { en: "Average Negative Grade", de: "Durchschnittliche negative Steigung", fr: "Pente négative moyenne", left: always },
  { en: "Max Cadence", de: "Max. Tritt-/Schrittfrequenz", fr: "Cadence max.", unsupported: "max cadence", unit: "a minute" },
  { en: "Average Cadence", de: "Durchschnittliche Trittfrequenz", fr: "Cadence moyenne", unsupported: "average cadence", unit: "a minute" },
  { en: "Max Heart Rate", de: "Max. Herzfrequenz", fr: "Fréquence cardiaque max.", also: ["Max. hartslag"], maps: "otherMaxHR" },
  { en: "Average Heart Rate", de: "Durchschnittliche Herzfrequenz", fr: "Fréquence cardiaque moyenne", also: ["Gemiddelde hartslag"], maps: "avgHR" },
  { en: "Max Watts", de: "Max. Watt", fr: "Puissance max.", also: ["Maximaal wattage"], unsupported: "max power", unit: "W" },
  { en: "Average Watts", de: "Durchschnittliche Watt", fr: "Puissance moyenne", also: ["Gemiddeld wattage"], unsupported: "average power", unit: "W" },
  { en: "Calories", de: "Kalorien", fr: "Calories", also: ["Calorieën"], unsupported: "calories", unit: "kcal" },
  { en: "Max Temperature", de: "Max. Temperatur", fr: "Température max.", left: always },
  { en: "Average Temperature", de: "Durchschnittliche Temperatur", fr: "Température moyenne", maps: "deviceTemperature" },
  { en: "Relative Effort", de: "Relative Leistung", fr: "Effort relatif", left: "the same as the first Relative Effort" },
  { en: "Total Work", de: "Gesamtarbeit", fr: "Effort total", unsupported: "work", unit: "J" },
  { en: "Number of Runs", de: "Anzahl Läufe", fr: "Nombre de sorties course à pied", unsupported: "ski runs" },
  { en: "Uphill Time", de: "Bergaufzeit", fr: "Temps de montée", unsupported: "uphill time", unit: "s" },
  { en: "Downhill Time", de: "Bergabzeit", fr: "Temps de descente", unsupported: "downhill time", unit: "s" },
  { en: "Other Time", de: "Andere Zeit", fr: "Autres temps", unsupported: "other time", unit: "s" },
  { en: "Perceived Exertion", de: "Gefühlte Anstrengung", fr: "Effort ressenti", maps: "effort" },
  { en: "Type", de: "Art", fr: "Type", left: always },
  { en: "Start Time", de: "Startzeit", fr: "Heure de début", left: always },
  { en: "Weighted Average Power", de: "Gewichtete durchschnittliche Leistung", fr: "Puissance moyenne pondérée", unsupported: "weighted average power", unit: "W" },
  { en: "Power Count", de: "Leistungszahl", fr: "Nombre d'échantillons de puissance", left: "the number of samples behind the average power" },
  { en: "Prefer Perceived Exertion", de: "Gefühlte Anstrengung verwenden", fr: "Utiliser l'Effort ressenti", left: "a display setting" },
  { en: "Perceived Relative Effort", de: "Gefühlte relative Leistung", fr: "Effort relatif ressenti", unsupported: "perceived relative effort" },
  { en: "Commute", de: "Pendeln", fr: "Déplacement-transport", also: ["Woon-werkverkeer"], left: "the same as the first Commute" },
  { en: "Total Weight Lifted", de: "Insgesamt gestemmtes Gewicht", fr: "Poids total soulevé", unsupported: "weight lifted", unit: "kg" },
  { en: "From Upload", de: "Von Upload", fr: "À partir du téléchargement", left: "follows from Filename" },
  { en: "Grade Adjusted Distance", de: "Auf Steigung angepasste Distanz", fr: "Distance ajustée selon la pente", unsupported: "grade adjusted distance", unit: "m" },
  { en: "Weather Observation Time", de: "Wetterbeobachtungszeit", fr: "Heure d'observation de la météo", left: "the hour of the workout" },
  { en: "Weather Condition", de: "Wetterlage", fr: "Conditions météo", maps: "weather" },
  { en: "Weather Temperature", de: "Wetter: Temperatur", fr: "Température selon les prévisions météo", maps: "temperature" },
  { en: "Apparent Temperature", de: "Scheinbare Temperatur", fr: "Température ressentie", unsupported: "apparent temperature", unit: "C", zero: "is a value" },
  { en: "Dewpoint", de: "Taupunkt", fr: "Point de rosée", unsupported: "dew point", unit: "C", zero: "is a value" },
  { en: "Humidity", de: "Luftfeuchtigkeit", fr: "Humidité", unsupported: "humidity" },
  { en: "Weather Pressure", de: "Wetter: Druck", fr: "Pression atmosphérique", unsupported: "air pressure", unit: "hPa" },
  { en: "Wind Speed", de: "Windgeschwindigkeit", fr: "Vitesse du vent", unsupported: "wind speed", unit: "m/s" },
  { en: "Wind Gust", de: "Windböe", fr: "Rafale de vent", unsupported: "wind gust", unit: "m/s" },
  { en: "Wind Bearing", de: "Windrichtung", fr: "Direction du vent", unsupported: "wind bearing", unit: "degrees" },
  { en: "Precipitation Intensity", de: "Niederschlagsintensität", fr: "Intensité des précipitations", unsupported: "precipitation", unit: "mm/h" },
  { en: "Sunrise Time", de: "Sonnenaufgangszeit", fr: "Heure de lever du soleil", left: sun },
  { en: "Sunset Time", de: "Sonnenuntergangszeit", fr: "Heure de coucher du soleil", left: sun },
  { en: "Moon Phase", de: "Mondphase", fr: "Phase de la lune", left: sun },
  { en: "Bike", de: "Fahrrad", fr: "Vélo", maps: "bike" },
  { en: "Gear", de: "Ausrüstung", fr: "Matériel", maps: "shoes" },
  { en: "Precipitation Probability", de: "Niederschlagswahrscheinlichkeit", fr: "Probabilité de précipitations", left: "a forecast, beside the precipitation that fell" },
  { en: "Precipitation Type", de: "Niederschlagsart", fr: "Type de précipitations", left: "said by Weather Condition: 1 none, 5 rain, 6 snow" },
  { en: "Cloud Cover", de: "Wolkendecke", fr: "Couverture nuageuse", unsupported: "cloud cover" },
  { en: "Weather Visibility", de: "Wetter: Sichtbarkeit", fr: "Visibilité selon les prévisions météo", unsupported: "visibility", unit: "m" },
  { en: "UV Index", de: "UV-Index", fr: "Indice UV", unsupported: "UV index" },
  { en: "Weather Ozone", de: "Wetter: Ozon", fr: "Ozone selon les prévisions météo", unsupported: "ozone", unit: "DU" },
  { en: "Jump Count", de: "Sprunganzahl", fr: "Nombre de sauts", unsupported: "jumps" },
  { en: "Total Grit", de: "Schwierigkeit insgesamt", fr: "Grit total", unsupported: "grit" },
  { en: "Average Flow", de: "Durchschnittlicher Flow", fr: "Flow moyen", also: ["Avg Flow"], unsupported: "flow" },
  { en: "Flagged", de: "Markiert", fr: "Signalé", unsupported: "flagged", as: "flag" },
  { en: "Average Elapsed Speed", de: "Durchschnittsgeschwindigkeit im Aufzeichnungszeitraum", fr: "Vitesse moyenne (temps écoulé)", also: ["Avg Elapsed Speed"], left: derived },
  { en: "Dirt Distance", de: "Auf Schotter zurückgelegte Distanz", fr: "Distance sur chemin", unsupported: "dirt distance", unit: "m" },
  { en: "Newly Explored Distance", de: "Neu getestete Distanz", fr: "Distance récemment découverte", unsupported: "newly explored distance", unit: "m" },
  { en: "Newly Explored Dirt Distance", de: "Neu getestete Schotterdistanz", fr: "Distance sur chemin récemment découverte", unsupported: "newly explored dirt distance", unit: "m" },
  { en: "Activity Count", de: "Aktivitätsanzahl", fr: "Nombre d'activités", also: ["Sport Type"], left: "a counter of the platform's" },
  { en: "Total Steps", de: "Schritte insgesamt", fr: "Nombre total de pas", unsupported: "steps" },
  { en: "Carbon Saved", de: "Eingesparte CO₂-Emissionen", fr: "CO2 économisé", unsupported: "carbon saved", unit: "kg CO2" },
  { en: "Pool Length", de: "Pool-Länge", fr: "Longueur de piscine", unsupported: "pool length", unit: "m" },
  { en: "Training Load", de: "Trainingsbelastung", fr: "Charge d’entraînement", unsupported: "training load" },
  { en: "Intensity", de: "Intensität", fr: "Intensité", unsupported: "intensity", unit: "%" },
  { en: "Average Grade Adjusted Pace", de: "Durchschnittliches auf Steigung angepasstes Tempo", fr: "Vitesse moyenne ajustée selon la pente", unsupported: "grade adjusted speed", unit: "m/s" },
  { en: "Timer Time", de: "Stoppuhr-Zeit", fr: "Temps enregistré par le chronomètre", unsupported: "timer time", unit: "s" },
  { en: "Total Cycles", de: "Zyklen gesamt", fr: "Nombre total de cycles", unsupported: "cycles" },
  { en: "Recovery", de: "Regeneration", fr: "Récupération", unsupported: "recovery", as: "flag" },
  { en: "With Pet", de: "Mit Haustier", fr: "Avec mon animal de compagnie", unsupported: "with a pet", as: "flag" },
  { en: "Competition", de: "Wettbewerb", fr: "Compétition", maps: "competition" },
  { en: "Long Run", de: "Langer Lauf", fr: "Sortie longue", maps: "longRun" },
  { en: "For a Cause", de: "Für einen guten Zweck", fr: "Pour la bonne cause", unsupported: "for a cause", as: "flag" },
  { en: "With Kid", fr: "Avec enfant", unsupported: "with a child", as: "flag" },
  { en: "Downhill Distance", fr: "Distance en descente", unsupported: "downhill distance", unit: "m" },
  { en: "Total Sets", fr: "Nombre total de séries", unsupported: "sets" },
  { en: "Total Reps", fr: "Nombre total de répétitions", unsupported: "repetitions" },
  { en: "Media", de: "Medien", fr: "Support", unsupported: "photos and videos", as: "text" },
];

/**
 * What the numbers of Weather Condition mean, as flags of the log. The log's flags are an open set; clear, overcast, snow and windy
 * are seen there, the others are words its exports have used. Source: 977 real rows, by the cloud cover, precipitation, visibility
 * and wind beside the number (1: cloud 0.07; 2: 0.51; 3: 0.92; 4: visibility 1.6 to 4.9 km; 5: 0.8 mm/h; 6: precipitation type snow; 8:
 * wind 7.3 m/s). 7 was never seen.
 */
export const WEATHER: Readonly<Record<string, string>> = {
  1: "clear",
  2: "partlyCloudy",
  3: "overcast",
  4: "fog",
  5: "rain",
  6: "snow",
  8: "windy",
};

/** What of the export is read: files, and folders with their slash. */
export const FILES_READ: readonly string[] = [
  "activities.csv",
  "activities/",
  "shoes.csv",
  "bikes.csv",
  "routes.csv",
  "routes/",
];

/** What of the export is left, and why. Anything in neither list is remarked on. */
export const FILES_LEFT: readonly { readonly why: string; readonly names: readonly string[] }[] = [
  { why: "the log has no place for pictures", names: ["media/", "media.csv", "photos/", "photos.csv", "profile.jpg"] },
  { why: "the log keeps whole bikes", names: ["components.csv"] },
  { why: "sets of strength training: the log keeps the workout", names: ["structured_details.csv"] },
  {
    why: "goals, segments, challenges and events: the log has none",
    names: words(`
      goals.csv, segments.csv, starred_segments.csv, local_legend_segments.csv, global_challenges.csv,
      group_challenges.csv, monthly_recap_achievements.csv, events.csv, favorites.csv
    `),
  },
  { why: "routes of others, without their line", names: ["starred_routes.csv"] },
  {
    why: "other people, and what was said to them",
    names: words(`
      clubs.csv, clubs/, comments.csv, community_content.json, community_personal_data.json, contacts.csv, followers.csv,
      following.csv, blocks.csv, memberships.csv, messaging.json, posts.csv, reactions.csv, kudos.csv
    `),
  },
  {
    why: "the account: settings, sign-ins, purchases, consents",
    names: words(`
      applications.csv, connected_apps.csv, email_preferences.csv, flags.csv, general_preferences.csv, intercom_tickets.csv,
      logins.csv, metering.csv, mobile_device_identifiers.csv, orders.csv, partner_opt_outs.csv, privacy_zones.csv,
      profile.csv, social_settings.csv, support_tickets.csv, visibility_settings.csv,
      categories_of_personal_information_we_collect.pdf, information_we_disclose_for_a_business_purpose.pdf
    `),
  },
];

/** Whether a path, from the folder of activities.csv, is in one of the two lists. */
export function isKnownFile(path: string): boolean {
  return KNOWN_FILES.has(path) || KNOWN_FILES.has(path.slice(0, path.indexOf("/") + 1));
}

const KNOWN_FILES = new Set([...FILES_READ, ...FILES_LEFT.flatMap(({ names }) => names)]);

function words(list: string): readonly string[] {
  return list.split(",").map((word) => word.trim());
}
