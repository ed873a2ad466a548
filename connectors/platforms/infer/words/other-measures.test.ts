import { expect, test } from "vitest";
import { proposalFor } from "../../../../test/support/proposal.ts";
import { isOpen } from "../infer.ts";

/** What a column of a log of runs is, and how many questions are open. */
async function infer(header: string, cells: readonly string[]) {
  const lines = [
    `Date,km,Time,${header}`,
    ...cells.map((cell, at) => `2020-01-${10 + 2 * at},${8 + at},0:${42 + 2 * at}:00,${cell}`),
  ];
  const proposal = await proposalFor(`${lines.join("\n")}\n`, new Map([["defaults.activity", "run"]]));
  const { field, label } = proposal.draft.columns.get(header) ?? {};
  return [label === "calories" ? label : field, proposal.choices.filter(isOpen).length];
}

const EVENING = ["22:15", "22:30", "23:00", "22:45", "22:00", "23:15", "22:30", "22:15"];
const NIGHT = ["7:00", "6:30", "8:15", "7:30", "6:00", "7:15", "8:00", "7:30"];
const RATINGS = ["7", "3", "9", "5", "10", "1", "8", "6"];
const PRICES = ["120", "140", "95", "120", "150", "80", "110", "130"];

test.each([
  ...["Bedtime", "Heure de coucher", "Hora de dormir", "Schlafenszeit", "Aufstehzeit", "Wake up", "Sunrise", "Lever"],
  ...["Start of work", "Dinner time", "就寝時間"],
])("times of the day below %s are no start of a workout, and no question", async (header) => {
  expect(await infer(header, EVENING)).toEqual(["unsupported", 0]);
});

test.each(["Time asleep", "Sömntid", "睡眠時間", "Schlafdauer"])(
  "the hours below %s are no workout, and no question",
  async (header) => {
    expect(await infer(header, NIGHT)).toEqual(["unsupported", 0]);
  },
);

test.each(["Schlafqualität", "Sleep quality", "Weather rating", "Energy"])(
  "ratings below %s are none of the workout, and no calories",
  async (header) => {
    expect(await infer(header, RATINGS)).toEqual(["unsupported", 0]);
  },
);

test.each(["Shoe price", "Shoe size", "Parking place"])(
  "numbers below %s are no shoes, and no place in a race",
  async (header) => {
    expect(await infer(header, PRICES)).toEqual(["unsupported", 0]);
  },
);

test.each([
  ["Start time", EVENING, "time"],
  ["Quality", RATINGS, "quality"],
  ["Shoes", ["Pegasus", "Pegasus", "Kayano", "Kayano", "Pegasus", "Kayano", "Pegasus", "Pegasus"], "equipment"],
  ["Energy", ["420", "510", "380", "450", "600", "330", "470", "410"], "calories"],
  ["Place", PRICES, "fieldPlacement"],
] as const)("%s is still what it says", async (header, cells, field) => {
  expect(await infer(header, cells)).toEqual([field, 0]);
});

const RATES = ["148", "151", "139", "160", "155", "149", "152", "147"];
const DEGREES = ["18", "17", "21", "16", "24", "19", "22", "20"];
const KILOS = ["68", "68", "67", "67", "68", "68", "67", "68"];
const SPORTS = ["tennis", "swim", "tennis", "walk", "tennis", "swim", "walk", "tennis"];

test.each([
  ...["HR of partner", "Dog's HR", "Max HR ever", "Predicted max HR", "Endpuls", "FC cible", "FC alvo"].map((one) => [one, RATES] as const),
  ...["Doelhartslag", "Målpuls", "Tętno docelowe"].map((one) => [one, RATES] as const),
  ...["Temp tomorrow", "Temp low", "Gefühlte Temperatur", "Température de l'eau", "Température ressentie"].map((one) => [one, DEGREES] as const),
  ...["Gevoelstemperatuur", "体感温度"].map((one) => [one, DEGREES] as const),
  ...["Peso alvo", "Målvikt", "Målvægt", "Waga docelowa"].map((one) => [one, KILOS] as const),
  ...["Heure du réveil", "Godzina snu"].map((one) => [one, EVENING] as const),
])("values below %s are of something else than the workout", async (header, cells) => {
  expect(["unsupported", "ignore"]).toContain((await infer(header, cells))[0]);
}); // biome-ignore format: a table

test.each(["Partner's sport", "Other sport", "Next workout", "Sport on TV"])("sports below %s aren't those of the workouts", async (header) => {
  expect(["activity", "type"]).not.toContain((await infer(header, SPORTS))[0]);
}); // biome-ignore format: a sentence

const TIMES = ["0:52:10", "0:49:30", "0:55:00", "0:51:20", "0:48:10", "0:57:00", "0:50:40", "0:53:30"];

test.each([
  "Travel time",
  "Best time",
  "Winning time",
  "Bestzeit",
  "Temps de pause",
  "Tiempo de descanso",
  "Bästa tid",
])("%s is asked about, and Time beside it is the duration, whichever stands first", async (header) => {
  const [field] = await infer(header, TIMES);
  expect(field).toBe("unsupported");
  const lines = TIMES.map((time, at) => `2020-01-${10 + 2 * at},${time},${8 + at},0:${42 + 2 * at}:00`);
  const table = [`Date,${header},km,Time`, ...lines].join("\n");
  const proposal = await proposalFor(table, new Map([["defaults.activity", "run"]]));
  expect(proposal.draft.columns.get("Time")?.field).toBe("duration");
  expect(proposal.choices.filter(isOpen).map(({ place }) => place)).not.toContain("columns.Time.field");
});

test("an intensity factor is no effort", async () => {
  expect((await infer("Intensity", ["0.72", "0.81", "1.05", "0.7", "0.9", "0.88", "1.01", "0.79"]))[0]).toBe(
    "unsupported",
  );
});

test("beats of 15 seconds are no heart rate of the workout without a question", async () => {
  const [field, questions] = await infer("Pulse 15 sec", ["33", "36", "38", "34", "35", "37", "36", "34"]);
  expect(field === "unsupported" || questions === 1).toBe(true);
  expect(field).not.toBe("avgHR");
});

test.each([
  ...["Aerobic HR", "HR cap", "Abendpuls", "FC umbral", "Tärskelpuls"].map((one) => [one, RATES] as const),
  ...["Ideal weight", "Gewicht Frau", "Waga idealna"].map((one) => [one, KILOS] as const),
  ...["Lake temp", "Temp inside", "Temperatur Keller"].map((one) => [one, DEGREES] as const),
  ...["Hotel quality", "Partner's effort"].map((one) => [one, RATINGS] as const),
])("%s has a word beside that of a value, and is no such value without a question", async (header, cells) => {
  const [field, questions] = await infer(header, cells);
  expect(questions === 0 ? field : "asked").toMatch(/^(?:asked|unsupported|ignore|notes)$/);
}); // biome-ignore format: a table

test.each([
  ...["HR", "Avg HR (bpm)", "Ø Puls", "HR Garmin", "FC media", "Gns. puls"].map((one) => [one, RATES, "avgHR"] as const),
  ...["Temperature", "Temp (C)", "Temperatur"].map((one) => [one, DEGREES, "temperature"] as const),
])("%s alone is no question", async (header, cells, field) => {
  expect(await infer(header, cells)).toEqual([field, header === "Temperature" || header === "Temperatur" ? 1 : 0]);
}); // biome-ignore format: a table
