/**
 * Pairs the records of two sources, each with one of the other at most, so that the sum of the scores is the highest. Two runs here and two there
 * pair up right, although each of them is like both others.
 */

/** Two records that may be one, by their places in their lists. */
export interface Candidate {
  readonly one: number;
  readonly other: number;
  /** Above 0. */
  readonly score: number;
}

/** Candidates that hang together. More of them than this are paired by the highest score first: their number is nobody's training. */
const MOST_TOGETHER = 300;

/**
 * Chooses the pairs with the highest sum of scores.
 *
 * @param candidates in any order, each pair once
 * @returns the chosen candidates. Of two that are equally good, the one that comes first stays
 */
export function assign<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  return componentsOf(candidates).flatMap((component) =>
    component.length === 1 || component.length > MOST_TOGETHER ? highestFirst(component) : optimal(component),
  );
}

/** The candidates in groups that have no record in common. */
export function componentsOf<T extends Candidate>(candidates: readonly T[]): readonly (readonly T[])[] {
  const of = { one: Map.groupBy(candidates, ({ one }) => one), other: Map.groupBy(candidates, ({ other }) => other) };
  const seen = new Set<T>();
  const components: T[][] = [];
  for (const candidate of candidates) {
    if (seen.has(candidate)) continue;
    seen.add(candidate);
    const component = [candidate];
    // The loop also visits what it adds.
    for (const { one, other } of component)
      for (const next of [...(of.one.get(one) ?? []), ...(of.other.get(other) ?? [])])
        if (!seen.has(next)) {
          seen.add(next);
          component.push(next);
        }
    components.push(component);
  }
  return components;
}

function highestFirst<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const [ones, others] = [new Set<number>(), new Set<number>()];
  return candidates
    .toSorted((a, b) => b.score - a.score)
    .filter(({ one, other }) => {
      if (ones.has(one) || others.has(other)) return false;
      ones.add(one);
      others.add(other);
      return true;
    });
}

/**
 * The Hungarian method, one augmenting path a record (Kuhn 1955; the form with potentials by Jonker and Volgenant 1987). A record may stay alone: each
 * row has a column of its own with score 0.
 */
function optimal<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const rows = [...new Set(candidates.map(({ one }) => one))];
  const columns = [...new Set(candidates.map(({ other }) => other))];
  const best = new Map<string, T>();
  for (const candidate of candidates) {
    const name = `${candidate.one} ${candidate.other}`;
    if (candidate.score > (best.get(name)?.score ?? 0)) best.set(name, candidate);
  }
  const candidateAt = (row: number, column: number) => best.get(`${rows[row]} ${columns[column]}`);
  // Costs are what is to be the least. No pair is worse than staying alone.
  const costAt = (row: number, column: number) => -(candidateAt(row, column)?.score ?? 0);
  const rowOf = assignedRows(rows.length, columns.length + rows.length, costAt);
  return rowOf.flatMap((row, column) => (row === undefined ? [] : (candidateAt(row, column) ?? [])));
}

/** @returns for each column the row that it is assigned to, if any. Every row has a column: there must be as many columns as rows, at least */
function assignedRows(rows: number, columns: number, costAt: (row: number, column: number) => number) {
  const rowOf = Array.from({ length: columns }, (): number | undefined => undefined);
  const ofRow = new Float64Array(rows);
  const ofColumn = new Float64Array(columns);
  for (let start = 0; start < rows; start++) {
    const slack = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    // The column before, on the shortest path to a column; -1 for the row that starts.
    const before = new Int32Array(columns).fill(-1);
    const used = new Set<number>();
    let [row, column] = [start as number | undefined, -1];
    while (row !== undefined) {
      if (column >= 0) used.add(column);
      let [delta, next] = [Number.POSITIVE_INFINITY, -1];
      for (let at = 0; at < columns; at++) {
        if (used.has(at)) continue;
        const reduced = costAt(row, at) - (ofRow[row] ?? 0) - (ofColumn[at] ?? 0);
        if (reduced < (slack[at] ?? 0)) [slack[at], before[at]] = [reduced, column];
        if ((slack[at] ?? 0) < delta) [delta, next] = [slack[at] ?? 0, at];
      }
      ofRow[start] = (ofRow[start] ?? 0) + delta;
      for (const at of used) {
        const its = rowOf[at];
        if (its !== undefined) ofRow[its] = (ofRow[its] ?? 0) + delta;
        ofColumn[at] = (ofColumn[at] ?? 0) - delta;
      }
      for (let at = 0; at < columns; at++) if (!used.has(at)) slack[at] = (slack[at] ?? 0) - delta;
      column = next;
      row = rowOf[column];
    }
    for (let at = column; at >= 0; ) {
      const from = before[at] ?? -1;
      rowOf[at] = from < 0 ? start : rowOf[from];
      at = from;
    }
  }
  return rowOf;
}
