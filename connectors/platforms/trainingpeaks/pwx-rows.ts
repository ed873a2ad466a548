/** Completes the rows of PWX files: the distance that only the samples have, and the sport of a race. */
import { Way } from "../../../transforms/geo.ts";
import type { Issue } from "../../../transforms/model/issue.ts";
import { LONGEST_ELEMENT, type XmlRecord, type XmlSum, type XmlValue } from "../../formats/xml/each.ts";
import { membersOf, numberOf } from "../../formats/xml/members.ts";
import { fold } from "../table/columns/columns.ts";
import type { RowSource } from "../table/description.ts";
import { positionOf } from "../table/files/points.ts";
import { isRaceSaid, RACE, raceAsRun } from "./races.ts";

/** The column with the metres of the samples. */
export const SAMPLED = "metres of the samples";

/** The column with the sport of a workout. */
export const SPORT = "sport of the workout";

const TOO_LONG = "too long";

/**
 * Sums up the samples of a workout. Their `dist` counts from the start, and many programs leave it out: then the positions give the way. All
 * other elements stay.
 */
export function samplesSum(): XmlSum {
  const others: Record<string, XmlValue> = Object.create(null);
  let [size, farthest, hasSamples] = [0, 0, false];
  const way = new Way();
  return {
    add(name, value) {
      if (name !== "sample") {
        size += JSON.stringify(value).length + name.length;
        if (size > LONGEST_ELEMENT) return;
        const known = others[name];
        others[name] = known === undefined ? value : [known, value].flat();
        return;
      }
      hasSamples = true;
      const { dist, lat, lon } = membersOf(value);
      farthest = Math.max(farthest, numberOf(dist) ?? 0);
      const position = positionOf(numberOf(lat), numberOf(lon));
      if (position !== undefined) way.to(position);
    },
    result: (): XmlRecord => {
      const metres = Math.round((farthest > 0 ? farthest : way.metres) * 10) / 10;
      return {
        ...others,
        ...(hasSamples && { sample: "left out" }),
        ...(metres > 0 && { [SAMPLED]: String(metres) }),
        ...(size > LONGEST_ELEMENT && { [TOO_LONG]: "yes" }),
      };
    },
  };
}

/** The fault of a workout that is longer than any real one; undefined for all others. */
export function refusedFor(row: Readonly<Record<string, unknown>>): Issue | undefined {
  if (row[TOO_LONG] === undefined) return undefined;
  const expected = `a workout with at most ${LONGEST_ELEMENT} characters besides its samples`;
  return { severity: "error", rule: "xml/too-long", found: "more than that", expected };
}

/** Adds the sport of each workout. That of a race is what a person said, or else a run, with a remark. */
export function withSports(source: RowSource): RowSource {
  return {
    ...source,
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const [from = -1, to = -1] = ["sportType", SPORT].map((own) =>
        found.header.findIndex((name) => fold(name) === fold(own)),
      );
      return {
        ...found,
        async *rows(session, entry, mapping, report) {
          const isSaid = isRaceSaid(session);
          for await (const row of found.rows(session, entry, mapping, report)) {
            if (!("fields" in row)) yield row;
            else {
              const isRun = row.fields[from] === RACE && !isSaid;
              if (isRun) report?.(raceAsRun("sportType"), row.origin);
              const sport = isRun ? "Run" : (row.fields[from] ?? "");
              yield { ...row, fields: row.fields.map((cell, index) => (index === to ? sport : cell)) };
            }
          }
        },
      };
    },
  };
}
