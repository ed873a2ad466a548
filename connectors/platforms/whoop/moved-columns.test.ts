import { expect, test } from "vitest";
import { readAll } from "../../../test/suites/fixture-cases.ts";
import { memoryArchive } from "../../containers/memory.ts";
import { whoop } from "./table.ts";

const HEADER =
  "Inicio del ciclo,Fin del ciclo,Zona del ciclo,Hora de inicio del entrenamiento,Fin,Minutos,Nombre de la actividad,Esfuerzo de actividad,Energía,FC máx. (lpm),FC media,Zona 1,Zona 2,Zona 3,Zona 4,Zona 5,GPS habilitado";
const ROW =
  "2024-06-24 00:12:00,2024-06-24 23:50:00,UTC-04:00,2024-06-24 08:08:00,2024-06-24 08:52:00,44,Correr,12.4,512,178,151,5,15,40,30,8,verdadero";

async function read(header: readonly string[], row: readonly string[]) {
  const { readings } = await readAll(
    whoop,
    memoryArchive("whoop.zip", { "entrenamientos.csv": `${header.join()}\n${row.join()}\n` }),
  );
  return readings.map((one) =>
    one.kind === "workout"
      ? [one.value.start.instant, one.value.duration, one.value.health?.maxHR, one.value.health?.avgHR]
      : one.kind,
  );
}

test("a Spanish export with swapped times, minutes or heart rates waits, and is never read wrongly", async () => {
  const header = HEADER.split(",");
  const row = ROW.split(",");
  expect(await read(header, row)).toEqual([[Date.UTC(2024, 5, 24, 12, 8), 2640, 178, 151]]);
  const swaps = [
    ...[
      [0, 3],
      [3, 4],
      [4, 5],
      [1, 4],
      [9, 10],
      [5, 9],
    ],
  ];
  for (const [one = 0, other = 0] of swaps) {
    const swapped = <T>(cells: readonly T[]) =>
      cells.map((cell, index) => cells[index === one ? other : index === other ? one : index] ?? cell);
    expect(await read(swapped(header), swapped(row)), `${one} and ${other}`).toEqual(["set-aside"]);
  }
});
