import { expect, test } from "vitest";
import { fitsTimeOfDay } from "./times-of-day.ts";

test.each([
  ["Morning Run", "07:00:00", "02:00:00"],
  ["Lunch Ride", "12:15:00", "20:15:00"],
  ["Afternoon Swim", "16:00:00", "07:00:00"],
  ["Evening Run", "18:30:00", "10:30:00"],
  ["Night Ride", "00:30:00", "12:30:00"],
  ["Lauf am Morgen", "07:00:00", "18:00:00"],
  ["Nachmittagslauf", "16:00:00", "09:00:00"],
  ["Mittagsrunde", "12:00:00", "17:00:00"],
  ["Lauf am Abend", "19:00:00", "07:00:00"],
  ["Course à pied l'après-midi", "16:00:00", "08:00:00"],
  ["Sortie à vélo le midi", "12:30:00", "18:30:00"],
  ["Course à pied dans la soirée", "20:00:00", "11:00:00"],
  ["Ochtendloop", "07:00:00", "19:00:00"],
  ["Avondrit", "19:00:00", "06:00:00"],
  ["Carrera de mañana", "08:00:00", "20:00:00"],
  ["Carrera por la tarde", "17:00:00", "06:00:00"],
  ["Iltalenkki", "19:00:00", "06:00:00"],
  ["Morgonlöpning", "06:30:00", "21:30:00"],
])("%s fits %s, and not %s", (title, right, wrong) => {
  expect(fitsTimeOfDay(title, right)).toBe(true);
  expect(fitsTimeOfDay(title, wrong)).toBe(false);
});

test.each(["10 km with Anna", "Nightmare hills", "Parkrun 112", "", "Brunch"])("%j names no time of day", (title) => {
  expect(fitsTimeOfDay(title, "07:00:00")).toBeUndefined();
});
