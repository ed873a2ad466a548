/** The gear that a row names in its cells. */
import type { Activity } from "../../../../transforms/activities.ts";
import { fold } from "../columns/columns.ts";
import { type RowCells, split } from "../columns/row-cells.ts";
import { isPlaceholderGear } from "../lists/placeholder-gear.ts";
import { equipmentKey, type Words } from "../lists/things.ts";
import type { Conventions } from "../mapping/mapping.ts";
import type { GearBook, UsedGear } from "../other-records/gear.ts";

/** What names of gear mean. */
interface GearNames {
  /** Begins every key: the connector's name. */
  readonly prefix: string;
  readonly mapping: Conventions;
  readonly words: Words;
  readonly gear?: GearBook;
}

/** The gear of a row, and the words in its cells that stand for no gear. */
export interface RowGear {
  readonly used: readonly UsedGear[];
  readonly placeholders: readonly string[];
}

/**
 * Reads the gear of a row. The default of a mapping applies only to the activity that it is made for, because a run doesn't wear out a bike. A word
 * such as `Default shoe` stands for none, unless the mapping or a list of the archive says which piece it is.
 */
export function gearOf(row: RowCells, names: GearNames, activity: Activity | undefined): RowGear {
  const { words, prefix, gear } = names;
  const cells = row.cells("equipment");
  const texts = cells.flatMap(({ text, spec }) => split(text, spec?.separator));
  if (texts.length === 0) return { used: defaultOf(names, activity), placeholders: [] };
  const calledBy = cells.find(({ spec }) => spec?.calledBy !== undefined)?.spec?.calledBy;
  const called = calledBy === undefined || texts.length !== 1 ? "" : row.columnText(calledBy);
  const used: UsedGear[] = [];
  const placeholders: string[] = [];
  for (const word of texts) {
    const piece = { text: called || word, key: equipmentKey(word, words, prefix) };
    const isNone = gear?.isPlaceholder(piece.key);
    // The list's own line was told already.
    if (isNone === true) continue;
    const isDefined = isNone === false || words.equipment.has(fold(word));
    if (!isDefined && isPlaceholderGear(piece.text)) placeholders.push(piece.text);
    else used.push(piece);
  }
  return { used, placeholders };
}

/** The gear of the mapping's defaults. */
function defaultOf({ words, mapping, prefix }: GearNames, activity: Activity | undefined): readonly UsedGear[] {
  const { equipment: text } = mapping.defaults;
  if (text === undefined) return [];
  const madeFor = words.equipment.get(fold(text))?.activity ?? mapping.defaults.activity;
  const isMeant = madeFor === undefined || madeFor === activity;
  return isMeant ? [{ text, key: equipmentKey(text, words, prefix) }] : [];
}
