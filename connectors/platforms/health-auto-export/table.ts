/** Health Auto Export, an app that exports Apple's health data as CSV or JSON. README.md lists the parts that are read or left out. */

import type { WorkoutTable } from "../table/description.ts";
import { platform } from "../table/platform.ts";
import { withCells } from "../table/sources/added-cells.ts";
import { csvEach } from "../table/sources/csv-source.ts";
import { json } from "../table/sources/json-source.ts";
import { leftByName } from "../table/sources/left-by-name.ts";
import { inJson, inUnits, isOurs, lost, quantity } from "./columns.ts";

const none = "none" as const;
const derived = { why: "follows from distance and time" };

const BEATS = ["count/min", "bpm"];
const SPEEDS = ["km/hr", "mi/hr", "km/h", "mph"];
const DISTANCE = ["Distance", "Distancia", "Distância"];
const ACTIVE = ["Active Energy", "Energía Activa", "Energia Ativa"];

/** Words of phones in other languages that the table of sports lacks. */
const sports: WorkoutTable["sports"] = {
  "Outdoor Cycling": "bike",
  "Caminata al Aire Libre": "walk",
  "Interior Ciclismo": "bike",
  Caminhada: "walk",
};

export const healthAutoExport = platform({
  name: "health-auto-export",
  title: "Health Auto Export files",
  howToGet: "Health Auto Export on the iPhone > Manual export > Workouts, as CSV or JSON.",
  workouts: [
    {
      // Files of a day and of a month overlap, and their rows have no id.
      from: withCells(csvEach(/\.csv$/i, isOurs), {
        "start and sport": (cellOf) => `${cellOf("Start")} ${cellOf("Workout Type") || cellOf("Type")}`,
      }),
      dates: { order: "iso", zone: "local" },
      sports,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["start and sport", "id", { isShared: true }],
        ["Start", "recorder", { read: () => "CSV" }],
        [["Workout Type", "Type"], "activity"],
        ["Start", "datetime"],
        ["Duration", "duration", { format: ["h:mm:ss", "mm:ss"], zero: none }],
        ["End", "end"],
        [inUnits(["km"], ...DISTANCE), "distance", { unit: "km", zero: none }],
        [inUnits(["mi"], ...DISTANCE), "distance", { unit: "mi", zero: none }],
        [inUnits(BEATS, "Avg. Heart Rate", "Avg Heart Rate", "Frecuencia Cardíaca Promedio", "Freq. Cardíaca Média"), "avgHR"],
        [inUnits(BEATS, "Max. Heart Rate", "Max Heart Rate", "Frecuencia Cardíaca Máxima", "Freq. Cardíaca Máxima"), "maxHR"],
        [inUnits(["degC"], "Temperature"), "temperature", { unit: "C" }],
        [inUnits(["degF"], "Temperature"), "temperature", { unit: "F" }],
        ...lost(ACTIVE, ["kcal", "kJ"], "active energy"),
        ...lost(["Elevation Ascended"], ["m", "ft"], "elevation gain"),
        ...lost(["Elevation Descended"], ["m", "ft"], "elevation loss"),
        ...lost(["Lap Length"], ["m", "yd"], "pool length"),
        ...lost(["Max. Speed", "Velocidad Máx."], SPEEDS, "max speed"),
        [["Step Count", "Step Count (count)", "Conteo de Pasos"], "unsupported", { label: "steps", zero: none }],
        [["Step Cadence (spm)", "Step Cadence (count/min)"], "unsupported", { label: "average cadence", unit: "a minute", zero: none }],
        [["Swimming Stroke Count", "Swimming Stroke Count (count)"], "unsupported", { label: "strokes", zero: none }],
        [["Swim Stoke Cadence (spm)", "Swim Stroke Cadence (spm)"], "unsupported", { label: "strokes a minute", zero: none }],
        [["Flights Climbed", "Flights Climbed (count)"], "unsupported", { label: "floors", zero: none }],
        ["Humidity (%)", "unsupported", { label: "humidity", unit: "%" }],
        ["Location", "unsupported", { label: "place" }],
        [[...inUnits(SPEEDS, "Avg. Speed", "Avg Speed"), "Avg Speed(km/hr)"], "ignore", derived],
        ...leftByName(inUnits(["kcal", "kJ"], "Total Energy")),
        ...leftByName(inUnits(["kcal", "kJ"], "Resting Energy", "Energía en Reposo")),
        ...leftByName(inUnits(["kcal/hr·kg"], "Intensity", "Intensidad")),
      ],
    },
    {
      layout: "JSON",
      from: json({
        files: /(^|\/)(HealthAutoExport|Workouts)[^/]*\.json$/i,
        knownBy: ["name", "start", "end", "duration"],
        lists: [["data", "workouts", "*"]],
      }),
      dates: { order: "iso", zone: "offset" },
      decimal: "float",
      sameBy: (cellOf) => `${cellOf("start")} ${cellOf("name")}`,
      sports,
      // biome-ignore format: a table is read by its columns
      columns: [
        ["id", "id"],
        ["start", "recorder", { read: () => "JSON" }],
        ["name", "activity"],
        ["start", "datetime"],
        ["duration", "duration", { format: ["seconds"], zero: none }],
        ["end", "end"],
        ["distance/qty", "distance", quantity("distance", { zero: none })],
        ["distance/units", "ignore", { why: "read with its value" }],
        ["avgHeartRate/qty", "avgHR"],
        ["heartRate/avg/qty", "avgHR", { otherwise: true }],
        ["maxHeartRate/qty", "maxHR"],
        ["heartRate/max/qty", "maxHR", { otherwise: true }],
        ["temperature/qty", "temperature", quantity("temperature")],
        ["temperature/units", "ignore", { why: "read with its value" }],
        ...inJson("activeEnergyBurned", ["kcal", "kJ"], "active energy"),
        ...inJson("elevationUp", ["m", "ft"], "elevation gain"),
        ...inJson("elevationDown", ["m", "ft"], "elevation loss"),
        ...inJson("humidity", ["%"], "humidity"),
        [["avgHeartRate/units", "maxHeartRate/units", "heartRate/avg/units", "heartRate/max/units", "heartRate/min/units"], "ignore", { why: "beats a minute" }],
        ["intensity/qty", "unsupported", { label: "intensity", zero: none }],
        ["intensity/units", "ignore", { why: "read with its value" }],
        ["heartRate/min/qty", "unsupported", { label: "lowest heart rate", unit: "a minute", zero: none }],
        ["location", "unsupported", { label: "place" }],
        ["isIndoor", "unsupported", { label: "indoor", read: (text) => (text === "true" ? "yes" : undefined) }],
        ...leftByName(["route", "heartRateData", "heartRateRecovery", "stepCount", "stepCadence", "activeEnergy", "walkingAndRunningDistance"]),
      ],
    },
  ],
  leaves: {
    "*.gpx": "routes: give them as a source of their own, and each is joined to its workout by its start",
    "HealthAutoExport-*": "days without a workout",
  },
});
