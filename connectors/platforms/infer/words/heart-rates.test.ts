import { expect, test } from "vitest";
import { readHeaderWords } from "./header-words.ts";

test.each([
  ...["Makspuls", "Maks. puls", "Højest puls", "Spidspuls", "Toppuls", "Maxpuls", "Högsta puls"],
  ...["Höchstpuls", "Spitzenpuls", "Puls höchst", "HFmax", "Pulsmax", "Highest HR", "Peak HR"],
  ...["Pulsaciones máximas", "Pulsazioni max", "FC máx", "Tętno maks.", "最高心拍", "最高心拍数"],
])("%s is the highest heart rate", (header) => {
  expect(readHeaderWords(header).roles).toEqual(["maxHR"]);
});

test.each([
  ...["Min HR", "HR min", "Puls min", "FC min", "Minpuls", "Lowest HR", "Laveste puls", "Lägsta puls"],
  ...["Niedrigster Puls", "Tiefster Puls", "Zielpuls", "最低心拍"],
])("%s is no heart rate of the workout", (header) => {
  expect(readHeaderWords(header).roles).toEqual([]);
});

test.each(["Puls/min", "Puls pro min", "Ø Puls", "Gns. puls", "HR (bpm)"])("%s is the average heart rate", (header) => {
  expect(readHeaderWords(header).roles).toEqual(["avgHR"]);
});
