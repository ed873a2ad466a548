import { expect, test } from "vitest";
import { languageOfHeader } from "./language-of-header.ts";

test.each([
  ["Activity Type,Date,Title,Distance,Calories,Time,Avg HR", "English"],
  ["Aktivitätstyp,Datum,Titel,Distanz,Kalorien,Zeit,Ø Herzfrequenz", "German"],
  ["Activiteittype,Datum,Favoriet,Titel,Afstand,Calorieën,Tijd,Gem. HS", "Dutch"],
  ["Type d'activité,Date,Favori,Titre,Distance,Calories,Durée,Fréquence cardiaque moyenne", "French"],
  ["Tipo de actividad,Fecha,Favorito,Título,Distancia,Calorías,Tiempo", "Spanish"],
  ["Tipo di attività,Data,Preferito,Titolo,Distanza,Calorie,Durata", "Italian"],
  ["workoutActivityType,startDate,sourceName", undefined],
  ["a,b,c", undefined],
])("the header %s is in %s", (header, language) => {
  expect(languageOfHeader(header.split(","))).toBe(language);
});
