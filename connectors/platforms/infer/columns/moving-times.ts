/** Tells the time without breaks from the whole time of a workout, by headers in the languages of sheets and by the values. */
import { parseDuration } from "../../table/cells/durations.ts";
import { foldHeader } from "../words/words-of-headers.ts";

const set = (words: string): ReadonlySet<string> => new Set(words.split("|").map(foldHeader));

/** Headers of the time without breaks. The time of walking or riding is that beside a whole time. */
const MOVING = set(
  `moving|moving time|time moving|time in motion|riding time|ride time|walking time|hiking time|running time|run time|walk time|hike time|gehzeit|reine gehzeit
  |nettogehzeit|fahrzeit|reine fahrzeit|marschzeit|wanderzeit|laufzeit|reine laufzeit|bewegungszeit|zeit in bewegung|temps de marche|temps de course|temps roule
  |temps en mouvement|temps de deplacement|duree en mouvement|temps de selle|tiempo en movimiento|tiempo de movimiento|tiempo movimiento|tiempo de marcha
  |tiempo de carrera|tempo in movimento|tempo di movimento|tempo di marcia|tempo di corsa|tempo di cammino|tempo em movimento|tempo de movimento|tempo de corrida
  |bewegingstijd|tijd in beweging|wandeltijd|rijtijd|fietstijd|looptijd|tid i rorelse|rorelsetid|tid i bevaegelse|bevaegelsestid|tid i bevegelse|bevegelsestid
  |gangtid|loptid|lobetid|czas ruchu|czas w ruchu|czas jazdy|czas marszu|czas biegu|移動時間|走行時間`,
);

/** Headers of the time that passed, with breaks. */
const ELAPSED = set(
  "elapsed|elapsed time|time elapsed|verstrichene zeit|temps ecoule|tiempo transcurrido|tempo trascorso|tempo decorrido|verstreken tijd|forfluten tid|forlobet tid|medgatt tid|経過時間",
);

/** Headers of the whole time, which may be that with breaks, or of several parts. */
const WHOLE = set(
  `total time|overall time|time total|gesamtzeit|gesamtdauer|zeit gesamt|temps total|duree totale|tiempo total|duracion total|tempo totale|tempo complessivo
  |durata totale|tempo total|tempo gasto|duracao total|totale tijd|totaaltijd|total tid|totaltid|samlet tid|czas calkowity|calkowity czas|laczny czas|総時間
  |合計時間`,
);

/** The words of a header without its unit or its form: `Gehzeit (h:mm)`. */
const plain = (header: string) => (foldHeader(header).split(/[([]/)[0] ?? "").trim();

/** Whether a header says the time without breaks. */
export function isMoving(header: string): boolean {
  return MOVING.has(plain(header));
}

/** Whether a header says the time that passed, with breaks. */
export function isElapsed(header: string): boolean {
  return ELAPSED.has(plain(header));
}

/** Whether a header says the whole time. Beside a time without breaks, it isn't how long the workout was. */
export function isWholeTime(header: string): boolean {
  return WHOLE.has(plain(header));
}

/** Fewer rows show nothing. */
const LEAST_ROWS = 4;

/** How much of the other time each must be, and how far these shares may be from one another, as factors. Times of a day have nothing to do with durations. */
const [LEAST_SHARE, SHARES, VALUES] = [0.4, 1.6, 1.5] as const;

/** Whether times are in each row a part of those of another column, as the time without breaks is, so that they are no times of a day. */
export function areShares(cells: readonly string[], others: readonly string[]): boolean {
  const rows = cells.flatMap((cell, row) => {
    const [own, other] = [cell, others[row] ?? ""].map((one) => parseDuration(one, ["h:mm:ss", "h:mm"], ".") ?? 0);
    return own !== undefined && other !== undefined && own > 0 && other > 0 ? [{ own, share: own / other }] : [];
  });
  if (rows.length < LEAST_ROWS || rows.some(({ share }) => share > 1 || share < LEAST_SHARE)) return false;
  const factor = (values: readonly number[]) => Math.max(...values) / Math.min(...values);
  const [shares, values] = [factor(rows.map(({ share }) => share)), factor(rows.map(({ own }) => own))];
  return shares <= SHARES && values >= Math.max(VALUES, shares);
}
