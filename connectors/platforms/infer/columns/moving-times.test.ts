import { describe, expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** Times of walks, and the times with their breaks, with a distance and a day each. */
const WALKS = [
  ["13.6", "3:34:00", "3:54:00"],
  ["21.0", "5:19:00", "6:24:00"],
  ["20.8", "5:55:00", "6:50:00"],
  ["14.1", "4:07:00", "4:52:00"],
  ["10.2", "2:40:00", "3:05:00"],
  ["26.4", "7:00:00", "8:10:00"],
] as const;

/** The fields of a table of walks, and its questions. @param cells which of the values of a walk stand in a row */
async function infer(header: string, cells: (walk: (typeof WALKS)[number]) => readonly string[]) {
  const rows = WALKS.map((walk, at) => [`2019-05-1${at}`, ...cells(walk)].join(";"));
  const proposal = await proposalFor(`${[header, ...rows].join("\n")}\n`, new Map([["defaults.activity", "hike"]]));
  return {
    columns: Object.fromEntries(proposal.draft.columns),
    open: proposal.choices.filter(isOpen).map(({ place, options }) => [place, ...options.map(({ value }) => value)]),
  };
}

describe("of the time without breaks and the whole time, the first is the duration:", () => {
  test.each([
    ["Datum;Strecke km", "Gehzeit", "Gesamtzeit"],
    ["Datum;Strecke km", "Gehzeit (h:mm)", "Gesamtzeit (h:mm)"],
    ["Data;Distanza (km)", "Tempo in movimento", "Tempo totale"],
    ["Data;Distanza (km)", "Tempo di marcia", "Tempo totale"],
    ["Date;Distance (km)", "Temps de marche", "Temps total"],
    ["Date;Distance (km)", "Temps roulé", "Temps total"],
    ["Fecha;Distancia (km)", "Tiempo en movimiento", "Tiempo total"],
    ["Data;Distância (km)", "Tempo de corrida", "Tempo total"],
    ["Datum;Distans (km)", "Tid i rörelse", "Total tid"],
    ["Dato;Distance (km)", "Tid i bevægelse", "Samlet tid"],
    ["Datum;Afstand (km)", "Rijtijd", "Totale tijd"],
  ])("%s;%s;%s", async (before, moving, whole) => {
    const asked = [[`columns.${whole}.field`, "unsupported", "duration", "notes", "ignore"]];
    const one = await infer(`${before};${moving};${whole}`, ([km, walked, all]) => [km, walked, all]);
    expect([one.columns[moving], one.open]).toMatchObject([{ field: "duration" }, asked]);
    const other = await infer(`${before};${whole};${moving}`, ([km, walked, all]) => [km, all, walked]);
    expect([other.columns[moving], other.open]).toMatchObject([{ field: "duration" }, asked]);
  });
});

test.each([
  ["Date;Distance (km)", "Temps en mouvement", "Temps écoulé"],
  ["Fecha;Distancia (km)", "Tiempo en movimiento", "Tiempo transcurrido"],
  ["Datum;Afstand (km)", "Bewegingstijd", "Verstreken tijd"],
])("the time that passed beside it is left without a question: %s;%s;%s", async (before, moving, passed) => {
  const { columns, open } = await infer(`${before};${passed};${moving}`, ([km, walked, all]) => [km, all, walked]);
  expect([columns[moving]?.field, columns[passed]?.field, open]).toEqual(["duration", "unsupported", []]);
});

test("but where it is the only one of a row, it is asked about", async () => {
  const { open } = await infer("Date;Distance (km);Moving time;Elapsed time", ([km, walked, all]) => [km, km === "10.2" ? "" : walked, all]);
  expect(open).toEqual([["columns.Elapsed time.field", "unsupported", "duration", "notes", "ignore"]]);
}); // biome-ignore format: a long call

test.each([
  ["Fecha;Distancia (km);Tiempo neto;Tiempo total", "Tiempo neto", "Tiempo total"],
  ["Data;Distanza (km);Tempo netto;Tempo lordo", "Tempo netto", "Tempo lordo"],
  ["Date;Distance (km);Temps;Temps total", "Temps", "Temps total"],
])("a second time is a question, and no weather: %s", async (header, first, second) => {
  const { columns, open } = await infer(header, ([km, walked, all]) => [km, walked, all]);
  expect([columns[first]?.field, open.map(([place]) => place)]).toEqual(["duration", [`columns.${second}.field`]]);
});

test("times that are a part of another column's in each row are durations and no times of day, whatever their header", async () => {
  const { columns, open } = await infer("Datum;Strecke km;Kletterzeit;Gesamtzeit", ([km, walked, all]) => [km, walked, all]);
  expect([columns.Kletterzeit?.field, open.map(([place]) => place)]).toEqual(["duration", ["columns.Gesamtzeit.field"]]);
}); // biome-ignore format: long calls

test("times below Temps that may be those of the day are a question beside a second duration", async () => {
  const starts = new Map(WALKS.map(([km], at) => [km, ["6h20", "6h05", "6h35", "5h45", "7h35", "6h50"][at] ?? ""]));
  const { open } = await infer("Date;Distance (km);Temps;Min", ([km, walked]) => [km, starts.get(km) ?? "", walked]);
  expect(open.map(([place]) => place)).toContain("columns.Temps.field");
});

test("a start in the morning beside long days stays the time of day", async () => {
  const starts = new Map(WALKS.map(([km], at) => [km, ["6:40", "7:15", "5:50", "7:05", "6:20", "5:45"][at] ?? ""]));
  const { columns, open } = await infer("Datum;Strecke km;Zeit;Gesamtzeit", ([km, , all]) => [km, starts.get(km) ?? "", all.replace(/^(\d)/, (hours) => `${Number(hours) + 3}`)]);
  expect([columns.Zeit?.field, columns.Gesamtzeit?.field, open]).toEqual(["time", "duration", []]);
}); // biome-ignore format: long calls

test.each(["Hm ab", "Hm bergab", "Abstieg (m)", "Höhenmeter abwärts", "Dénivelé négatif", "Desnivel negativo", "Descent (m)"])(
  "the metres down are known: %s",
  async (header) => {
    const { columns, open } = await infer(`Datum;Strecke km;Hm auf;${header};Gehzeit`, ([km, walked]) => [km, "840", "795", walked]);
    expect([columns[header], columns[header]?.proposed, open]).toMatchObject([{ field: "unsupported", label: "elevation loss" }, undefined, []]);
  },
); // biome-ignore format: long calls
