/** Reads values in the form of polarpersonaltrainer.com and the UpLink Tool. */
import type { XmlRecord, XmlSum } from "../../formats/xml/each.ts";
import { elementsOf, membersOf, numberOf } from "../../formats/xml/members.ts";
import type { TableLap } from "../table/mapping/fields.ts";

/** Turns `00:45:10.300` into seconds, also `00:50` for 50 minutes and `01` for an hour. Any other text stays unchanged. */
export function secondsOf(text: string): string {
  const [, hours, minutes = 0, seconds = 0] =
    /^(\d{1,3})(?::(\d\d)(?::(\d\d(?:\.\d{1,3})?))?)?$/.exec(text.trim()) ?? [];
  if (hours === undefined) return text;
  return String(Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000) / 1000);
}

/** The names of the recorded series of an exercise. Their values are not kept. */
export function samplesSum(): XmlSum {
  const types: string[] = [];
  return {
    add: (_, sample) => void types.push(`${membersOf(sample).type ?? ""}`),
    result: () => ({ types: types.filter((type) => type !== "").join(", ") }),
  };
}

/**
 * Adds two members to an exercise. `id` is its start and its duration, which are the same in each export. `lapList` has the laps by hand, or the
 * automatic ones if there are none.
 */
export function withLaps(exercise: XmlRecord): Readonly<Record<string, unknown>> {
  const result = membersOf(exercise.result);
  const [byHand, automatic] = [elementsOf(result.laps, "lap"), elementsOf(result.autolaps, "autolap")];
  const laps = byHand.length > 0 ? byHand : automatic.length > 0 ? automatic : elementsOf(result.autolaps, "lap");
  const total = numberOf(result.duration, secondsOf);
  return {
    ...exercise,
    ...(typeof exercise.time === "string" && { id: `${exercise.time} ${result.duration ?? ""}`.trim() }),
    lapList: lapsOf(
      laps.map(({ duration }) => numberOf(duration, secondsOf)),
      laps.map(({ distance }) => numberOf(distance)),
      total,
    ),
  };
}

/** The sum of laps may differ from the duration by this share. */
const SLACK = 0.02;

/** Some files have minutes in place of the seconds of laps. This is so if the laps add up to the duration only with 60 times their time. */
function lapsOf(
  seconds: readonly (number | undefined)[],
  metres: readonly (number | undefined)[],
  total: number | undefined,
): readonly TableLap[] {
  const sum = seconds.reduce<number>((before, each) => before + (each ?? 0), 0);
  const fits = (times: number) => total !== undefined && Math.abs(sum * times - total) <= Math.max(2, total * SLACK);
  const times = !fits(1) && fits(60) ? 60 : 1;
  return seconds.map((each, index) => {
    const distance = metres[index];
    return {
      ...(each !== undefined && { timer: Math.round(each * times * 1000) / 1000 }),
      ...(distance !== undefined && { distance: { unit: "m", value: distance } }),
    };
  });
}

/** Adds two members to the session of an RS200: `start`, from its parts, and `lapList`. The file has the last lap first. */
export function withStart(session: XmlRecord): Readonly<Record<string, unknown>> {
  const data = membersOf(session.session_data);
  const part = (name: string, length: number) => `${data[name] ?? ""}`.padStart(length, "0");
  const day = [part("year", 4), part("month", 2), part("day", 2)].join("-");
  const time = [part("start_hour", 2), part("start_minute", 2), part("start_second", 2)].join(":");
  const laps = elementsOf(data.laps, "lap").toSorted(
    (a, b) => (numberOf(a.lap_end_time) ?? 0) - (numberOf(b.lap_end_time) ?? 0),
  );
  return {
    ...session,
    start: `${day} ${time}`,
    lapList: laps.map(({ laptime, lap_length }): TableLap => {
      const [timer, value] = [numberOf(laptime), numberOf(lap_length)];
      return { ...(timer !== undefined && { timer }), ...(value !== undefined && { distance: { unit: "m", value } }) };
    }),
  };
}
