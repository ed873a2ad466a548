import type { Transform } from "./transform.ts";

/**
 * Puts a workout's title into the first line of its notes, because the log has no field for a title. Notes that already begin with the
 * title stay as they are.
 */
export const nameInNotes: Transform = (item) => {
  if (item.kind !== "workout" || item.value.name === undefined) return item;
  const { name, ...rest } = item.value;
  const title = name.trim();
  const notes = item.value.notes ?? "";
  if (title === "" || notes === title || notes.startsWith(`${title}\n`)) return { ...item, value: rest };
  return { ...item, value: { ...rest, notes: notes === "" ? title : `${title}\n\n${notes}` } };
};
