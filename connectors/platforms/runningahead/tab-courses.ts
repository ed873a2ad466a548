/** The courses in the rows of the tab-delimited export. It has no list of them, so each row says all of its course. */
import { fold } from "../table/columns/columns.ts";
import type { RowSource } from "../table/description.ts";
import type { FilledRow } from "../table/shapes/shape.ts";

/** What the rows say of a course. */
interface Said {
  readonly origin: FilledRow["origin"];
  readonly name: string;
  readonly surfaces: Set<string>;
  readonly notes: Set<string>;
}

/** Makes a list of courses from a table of workouts. Each course stands in it once, with all that its rows say of it. */
export function coursesOf(source: RowSource): RowSource {
  return {
    async find(archive, columns) {
      const found = await source.find(archive, columns);
      if (found === undefined) return undefined;
      const names = found.header.map(fold);
      const [course, surface, note] = ["Course", "CourseSurface", "CourseNotes"].map((name) =>
        names.indexOf(fold(name)),
      );
      return {
        ...found,
        header: ["Course", "CourseSurface", "CourseNotes"],
        async *rows(session, entry, mapping) {
          const courses = new Map<string, Said>();
          // The workouts report and reject what can't be read.
          for await (const row of found.rows(session, entry, mapping)) {
            if (!("fields" in row)) continue;
            const textAt = (place = -1) => (row.fields[place] ?? "").trim();
            const name = textAt(course);
            if (name === "") continue;
            const said = courses.get(fold(name)) ?? { origin: row.origin, name, surfaces: new Set(), notes: new Set() };
            courses.set(fold(name), said);
            said.surfaces.add(textAt(surface));
            said.notes.add(textAt(note));
          }
          for (const { origin, name, surfaces, notes } of courses.values())
            yield { origin, fields: [name, joined(surfaces, ","), joined(notes, "<br>")] };
        },
      };
    },
  };
}

function joined(texts: ReadonlySet<string>, between: string): string {
  return [...texts].filter((text) => text !== "").join(between);
}
