import type { Transform } from "./transform.ts";

/**
 * A workout's title is the first line of its notes, since the log has no field for a title. Notes that begin with it
 * already are left as they are.
 */
export const nameInNotes: Transform = (item) => {
  if (item.kind !== "workout" || item.value.name === undefined) return item;
  const { name, ...rest } = item.value;
  const title = name.trim();
  const notes = item.value.notes ?? "";
  if (title === "" || notes === title || notes.startsWith(`${title}\n`)) return { ...item, value: rest };
  return { ...item, value: { ...rest, notes: notes === "" ? title : `${title}\n\n${notes}` } };
};
