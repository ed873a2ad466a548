/** Shoes and bikes in a platform's own list, with the workouts that used each. */

import type { Activity } from "../../../../transforms/activities.ts";
import { isLocalDate } from "../../../../transforms/calendar.ts";
import type { Equipment } from "../../../../transforms/model/equipment.ts";
import type { Issue, Origin } from "../../../../transforms/model/issue.ts";
import type { Reading } from "../../../../transforms/model/item.ts";
import { type Measure, unitSpelt } from "../../../../transforms/units.ts";
import type { ReadSession } from "../../session.ts";
import { parseMeasure, parseNumber } from "../cells/cells.ts";
import { fold } from "../columns/columns.ts";
import { asWritten } from "../columns/row-cells.ts";
import type { FoundRows, GearColumn, GearTable } from "../description.ts";
import { isPlaceholderGear, placeholderGear } from "../lists/placeholder-gear.ts";
import type { Decimal } from "../mapping/fields.ts";
import type { Conventions } from "../mapping/mapping.ts";
import { RULES } from "../mapping/rule-names.ts";

/** The model of a piece that its list gives no name. It has an id, so it is a piece. */
const UNNAMED = "Unnamed";

/** A piece as its list has it. The activity is undefined if the list doesn't show it. */
interface Piece {
  readonly value: Omit<Equipment, "activity">;
  readonly activity: Activity | undefined;
  readonly origin: Origin;
  /** The list's own id. */
  readonly id: string;
}

/** The name and key of a piece that a workout used. */
export interface UsedGear {
  readonly text: string;
  readonly key: string;
}

/** The lists of an archive: of gear, and of its uses if the description names such a list. */
export interface FoundGear {
  readonly table: GearTable;
  readonly rows: FoundRows;
  readonly uses: FoundRows | undefined;
}

/** All gear of an export by key, and the gear of each workout by the workout's id. Its size grows with the list and the uses. */
export class GearBook {
  readonly #prefix: string;
  readonly #pieces = new Map<string, Piece>();
  readonly #placeholders = new Set<string>();
  readonly #uses = new Map<string, string[]>();

  /** @param prefix begins every key: the connector's name */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /**
   * Reads the lists, and gives the pieces that have an activity in the list. The others wait for the first workout that names them. Then
   * `define` gives them its activity.
   */
  async *read(session: ReadSession, { table, rows, uses }: FoundGear, mapping: Conventions): AsyncGenerator<Reading> {
    const unread: Reading[] = [];
    for await (const { origin, cells, text } of cellsOf(session, rows, table.columns, mapping, unread)) {
      const id = text("id")[0];
      if (id === undefined) continue;
      for (const workout of text("workout").flatMap(idsOf)) this.#addUse(id, workout);
      const key = this.#keyOf(id);
      if (this.#pieces.has(key)) continue;
      const kind = text("kind").map((word) => table.kinds[word]);
      const report = (issue: Issue) => session.report(issue, origin);
      const distance = distanceOf(cells, report);
      const value = { ...pieceOf(cells, table, report), ...(distance && { distance }) };
      const { brandName, modelName = "" } = value;
      if (brandName === undefined && modelName !== UNNAMED && isPlaceholderGear(modelName)) {
        if (!this.#placeholders.has(key)) report(placeholderGear(modelName));
        this.#placeholders.add(key);
        continue;
      }
      this.#pieces.set(key, { value, activity: kind[0], origin, id });
    }
    this.#distinguish();
    const useColumns = table.uses === undefined ? [] : usesOf(table.uses);
    for await (const { text } of uses === undefined ? [] : cellsOf(session, uses, useColumns, mapping, unread)) {
      const [[id], [workout]] = [text("id"), text("workout")];
      if (id === undefined || workout === undefined) continue;
      this.#addUse(id, workout);
    }
    for (const [key, { value, activity, origin }] of this.#pieces) {
      if (activity === undefined || session.unique(key) !== key) continue;
      yield { kind: "equipment", key, value: { activity, ...value }, origin };
    }
    yield* unread;
  }

  /** The gear of a workout. If no list has a piece, its number becomes its name. */
  of(workout: string): readonly UsedGear[] {
    const used = (this.#uses.get(workout) ?? []).map((id) => ({ text: `gear ${id}`, key: this.#keyOf(id) }));
    return used.filter(({ key }) => !this.#placeholders.has(key));
  }

  /** Whether a piece of the lists stands for none; undefined if no list has the piece. */
  isPlaceholder(key: string): boolean | undefined {
    if (this.#placeholders.has(key)) return true;
    return this.#pieces.has(key) ? false : undefined;
  }

  /** Orders the gear of a workout, which keeps the first piece: one made for its activity, another shoe or bike, and last what is neither. */
  inOrder(used: readonly UsedGear[], activity: Activity | undefined): readonly UsedGear[] {
    const rankOf = ({ key }: UsedGear) => {
      const madeFor = this.#pieces.get(key)?.activity;
      return madeFor === undefined ? 2 : madeFor === activity ? 0 : 1;
    };
    return used.toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  /** The remark about a piece that a workout names by its id alone, if no list has it. */
  unlisted(key: string, named: string): Issue | undefined {
    const isById = this.#keyOf(named) === key || this.#keyOf(named.replace(/^gear /, "")) === key;
    if (this.#pieces.has(key) || !isById) return undefined;
    const expected =
      "a piece in the list of gear: it was deleted or not exported, and its name, brand and model are missing";
    return { severity: "warning", rule: "table/unlisted-gear", found: named.slice(0, 100), expected };
  }

  /** A piece that a workout names, with the workout's activity. If no list has the piece, it stays as given. */
  define(key: string, { activity, ...named }: Equipment): Equipment {
    return { activity, ...(this.#pieces.get(key)?.value ?? named) };
  }

  /** Skips the pieces without an activity in any list or workout, each with an issue. They were not given before. */
  *unused(session: ReadSession): Generator<Reading> {
    for (const [key, { value, origin }] of this.#pieces) {
      if (session.unique(key) !== key) continue;
      const found = [value.brandName, value.modelName].filter((part) => part !== undefined).join(" ");
      const expected = "a shoe, a bike, or a workout that it was used in";
      const issue: Issue = { severity: "error", rule: "table/equipment-without-activity", found, expected, origin };
      yield { kind: "set-aside", key, origin, as: "skipped", issue };
    }
  }

  /** Two pieces of one name without any day of purchase have their ids as serial. A log would take them for one. */
  #distinguish(): void {
    const nameOf = ({ value: { brandName, modelName, serial, purchaseDate } }: Piece) =>
      fold([brandName, modelName, serial, purchaseDate].join("\n"));
    for (const namesakes of Map.groupBy(this.#pieces, ([, piece]) => nameOf(piece)).values())
      for (const [key, piece] of namesakes.length > 1 ? namesakes : [])
        if (piece.value.modelName !== UNNAMED && piece.value.serial === undefined)
          this.#pieces.set(key, { ...piece, value: { ...piece.value, serial: piece.id } });
  }

  #addUse(id: string, workout: string): void {
    const used = this.#uses.get(workout) ?? [];
    if (!used.includes(id)) this.#uses.set(workout, [...used, id]);
  }

  #keyOf(id: string): string {
    return `${this.#prefix}:equipment:${fold(id)}`;
  }
}

/** The ids of a JSON list. The cell has commas between them. */
function idsOf(text: string): readonly string[] {
  return text.split(", ");
}

/** A filled cell: the name of its column, its text, the unit that the description gives the column, and how its numbers are written. */
interface GearCell {
  readonly name: string;
  readonly text: string;
  readonly unit: string | undefined;
  readonly decimal: Decimal;
}

/** Gives a row's filled cells of a field. */
type CellsOf = (field: GearColumn[1]) => readonly GearCell[];

/** Gives the texts of a row's filled cells of a field. */
type TextOf = (field: GearColumn[1]) => readonly string[];

/** The columns of a list of uses. */
export function usesOf({ gear, workout }: NonNullable<GearTable["uses"]>): readonly GearColumn[] {
  return [
    [gear, "id"],
    [workout, "workout"],
  ];
}

async function* cellsOf(
  session: ReadSession,
  { rows, entries, header }: FoundRows,
  columns: readonly GearColumn[],
  mapping: Conventions,
  unread: Reading[],
): AsyncGenerator<{ readonly origin: Origin; readonly cells: CellsOf; readonly text: TextOf }> {
  const indexes = new Map(header.map((name, index) => [fold(name), index]));
  const textAt = (cell = "") => (mapping.file.nulls.includes(cell.trim()) ? "" : cell.trim());
  for (const entry of entries) {
    for await (const row of rows(session, entry, mapping, session.report)) {
      const error = "fields" in row ? row.cut : row.error;
      if (!("fields" in row) || error !== undefined) {
        const known = "fields" in row ? undefined : row.known;
        const key = `${session.origin().connector}:gear:${error?.rule}:${known ?? row.origin.locator ?? ""}`;
        if (error !== undefined) unread.push(session.reject("quarantined", key, row.origin, error));
        continue;
      }
      const { fields, origin } = row;
      const cells: CellsOf = (field) =>
        columns.flatMap(([theirs, ours, { label, unit, decimal = mapping.file.decimal, ...how } = {}]) => {
          if (ours !== field) return [];
          const written = [theirs]
            .flat()
            .map((name) => ({ name, text: textAt(fields[indexes.get(fold(name)) ?? -1]) }));
          const said = written
            .map(({ name, text }) => ({ name, text: asWritten(text, how, decimal) ?? "", unit, decimal }))
            .find(({ text }) => text !== "");
          if (said === undefined || label === undefined) return said ?? [];
          return { ...said, text: `${label}: ${said.text}${unit === undefined ? "" : ` ${unit}`}` };
        });
      const text: TextOf = (field) => cells(field).map((cell) => cell.text);
      yield { origin, cells, text };
    }
  }
}

function pieceOf(cells: CellsOf, { retired }: GearTable, report: (issue: Issue) => void): Piece["value"] {
  const text: TextOf = (field) => cells(field).map((cell) => cell.text);
  const [brandName] = text("brandName");
  const [modelName] = text("modelName");
  const [serial] = text("serial");
  const [date] = text("purchaseDate");
  const [status] = text("status");
  const notes = text("notes").join("\n");
  const price = priceOf(cells, report);
  const isDate = date !== undefined && isLocalDate(date);
  if (date !== undefined && !isDate)
    report({ severity: "warning", rule: "table/bad-date", found: date.slice(0, 100), expected: "a day" });
  return {
    ...(brandName !== undefined && { brandName }),
    ...(modelName !== undefined && { modelName }),
    ...(brandName === undefined && modelName === undefined && { modelName: UNNAMED }),
    ...(serial !== undefined && { serial }),
    ...(notes !== "" && { notes }),
    ...(isDate && { purchaseDate: date }),
    ...(price !== undefined && { price }),
    ...(status !== undefined && status === retired && { retired: true }),
  };
}

/** The price of a piece, without its currency: the log has a field for the number alone. */
function priceOf(cells: CellsOf, report: (issue: Issue) => void): number | undefined {
  const [cell] = cells("price");
  if (cell === undefined) return undefined;
  const price = parseNumber(cell.text, cell.decimal);
  if (price !== undefined && price >= 0) return price;
  const found = cell.text.slice(0, 100);
  report({ severity: "warning", rule: RULES.table["bad-number"], field: cell.name, found, expected: "a price" });
  return undefined;
}

/** The distance that a list gives a piece, in the list's unit. A cell that can't be read is reported, and 0 stands for none. */
function distanceOf(cells: CellsOf, report: (issue: Issue) => void): Measure<"distance"> | undefined {
  const [cell] = cells("distance");
  if (cell === undefined || parseNumber(cell.text, cell.decimal) === 0) return undefined;
  const unit = unitSpelt("distance", cell.unit ?? cells("distanceUnit")[0]?.text ?? "");
  const distance = parseMeasure("distance", cell.text, unit, cell.decimal);
  if (distance !== undefined && distance.value >= 0) return distance;
  const expected = unit === undefined ? "a number with its unit" : `a number of ${unit}`;
  report({
    ...{ severity: "warning", rule: RULES.table["bad-number"], field: cell.name },
    ...{ found: cell.text.slice(0, 100), expected },
  });
  return undefined;
}
