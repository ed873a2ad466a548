/**
 * Who is who: what stands against putting an athlete's archives into the log their token opens. Each rule is a few lines below; each hold
 * says its numbers, so that a coach can judge it, and docs/who-is-who.md says why each threshold is what it is.
 */
import { haversine } from "../../connectors/formats/xml/track.ts";
import type { PersonSaid, Sex } from "../../transforms/model/testimony.ts";
import { printable } from "../../transforms/printable.ts";
import type { AccountRef } from "../journal/journal.ts";
import { NAMELESS } from "../log-view.ts";
import type { ArchiveEvidence, Evidence } from "./evidence.ts";
import { deviceMark, isOwn, merged, personMarks, type Remembered, type Trace, traceOf } from "./memory.ts";
import { foldName, foldWord, likenessOf } from "./names.ts";
import { calledIn, compareOwner, type Expected, type LogOwner, quoted } from "./owner.ts";
import { shared } from "./sample.ts";

/** An athlete with what is known before anything is written. */
export interface Suspect {
  /** As the coach calls them. */
  readonly athlete: string;
  /** Names the person may have besides what the log says; the athlete's where left out. None where a screen name is all there is. */
  readonly called?: readonly string[];
  /** Whose log it must be. */
  readonly expects: Expected;
  /** The user of the token; undefined where the token was refused or not asked. */
  readonly owner?: LogOwner;
  readonly account?: AccountRef;
  /** Undefined where the archives can't be read. */
  readonly evidence?: Evidence;
}

/** The rules by which an athlete is held. */
export type HoldRule =
  | "other-owner"
  | "unknown-owner"
  | "same-log"
  | "same-archive"
  | "same-workouts"
  | "other-person"
  | "shared-device"
  | "weight"
  | "heart-rate"
  | "home";

/** Why an athlete is held. */
export interface Hold {
  readonly athlete: string;
  readonly rule: HoldRule;
  /** What contradicts what, with the numbers; one sentence without a full stop, safe to print. */
  readonly says: string;
  /** The same for the same contradiction next time: what is trusted is remembered by it. */
  readonly mark: string;
  /** The other athlete it points to. */
  readonly with?: string;
  /** No flag lets it pass. */
  readonly final?: true;
}

/** The thresholds; docs/who-is-who.md has the reason of each. */
export const THRESHOLDS = {
  /** Files of one device in somebody else's archive. */
  deviceFiles: 2,
  /** A device of so many athletes is lent, or a machine of the club's. */
  deviceAthletes: 4,
  /** Workouts in common, of those compared. */
  workouts: 2,
  workoutsShare: 0.1,
  /** A weight so many times the other, or as many times less. */
  weight: 1.25,
  /** Beats a minute above what is known, in an archive of so many workouts with a heart rate. */
  heartRate: 20,
  heartRateWorkouts: 5,
  /** Metres between two homes, and workouts that make ground a home. */
  homeMetres: 10_000,
  homeWorkouts: 10,
  homeShare: 0.4,
  /** Years between two dates of birth. */
  birthYears: 3,
  /** Files of watches that say the same of who wears them. */
  wearerFiles: 5,
} as const;

/**
 * Makers whose serials are of a program, or of a machine that a club shares.
 * Source: `manufacturer` of the FIT profile; seen with one serial in files of many people in ../shared/corpus.
 */
const NOT_ONE_PERSONS: ReadonlySet<string> = new Set(
  "development strava zwift trainer_road the_sufferfest virtualtraining mywhoosh onelap concept2 wattbike tacx peloton".split(
    " ",
  ),
);

/** Serials that writers of files put where there is none. Source: ../shared/corpus has 0, 34, 1234 and 2147483647. */
const NO_SERIAL = /^(\d{1,4}|1234567890|12345678|123456789|4294967295|2147483647|(\d)\2+)$/;

/** An athlete with everything that is known of them, before and now. */
interface Known {
  readonly suspect: Suspect;
  readonly archives: readonly ArchiveEvidence[];
  readonly now: Trace;
  /** From earlier runs; undefined where there were none. */
  readonly before: Trace | undefined;
  readonly trusted: ReadonlySet<string>;
}

/** Somebody else: of this roster, or of an earlier run. */
interface Other {
  readonly athlete: string;
  readonly trace: Trace;
  /** An athlete of this very roster; undefined where only remembered. */
  readonly suspect?: Suspect;
}

/**
 * Compares all athletes with their logs, with one another and with what is remembered.
 *
 * @param memory what earlier runs left; of each service only its own counts
 * @returns every reason there is, in the order of the athletes; those that were trusted for ever are not among them
 */
export function contradictions(suspects: readonly Suspect[], memory: readonly Remembered[] = []): readonly Hold[] {
  const all = suspects.map((suspect) => knownOf(suspect, memory));
  return all.flatMap((known) => {
    const { suspect, archives, trusted } = known;
    const others = othersOf(known, all, memory);
    const holds = [
      ...ofOwner(suspect, all),
      ...archives.flatMap((archive) => ARCHIVE_RULES.flatMap((rule) => rule(known, archive, others))),
    ];
    return onePerMark(holds).filter(({ mark, final }) => final === true || !trusted.has(mark));
  });
}

/** What is left of holds when a person says of some athletes that all is well with them. Case and blanks make no difference. */
export function notTrusted(holds: readonly Hold[], trust: readonly string[]): readonly Hold[] {
  const names = new Set(trust.map(foldName));
  return holds.filter(({ athlete, final }) => final === true || !names.has(foldName(athlete)));
}

/** What a person can do about a hold. */
export function wayOut({ athlete, rule, final }: Hold): string {
  return final === true
    ? (WAYS_OUT[rule] ?? "")
    : `If all is well with it: --trust ${JSON.stringify(printable(athlete, 80))}`;
}

const WAYS_OUT: Partial<Record<HoldRule, string>> = {
  "other-owner": "Log in as the athlete, or correct whose log it should be",
  "same-log": "Give each athlete the token of their own log",
  "same-archive": "Give each athlete their own archive",
};

function knownOf(suspect: Suspect, memory: readonly Remembered[]): Known {
  const { athlete, account, evidence } = suspect;
  const own = account === undefined ? [] : memory.filter((one) => isOwn(one, athlete, account));
  const before = own
    .map(({ trace }) => trace)
    .reduce<Trace | undefined>((sum, one) => (sum ? merged(sum, one) : one), undefined);
  return {
    suspect,
    archives: evidence?.archives ?? [],
    now: traceOf(evidence ?? { archives: [] }),
    before,
    trusted: new Set(own.flatMap(({ trusted }) => trusted)),
  };
}

/** Everybody else whose runs go to the same service. Who is in the roster is not told a second time from memory. */
function othersOf({ suspect }: Known, all: readonly Known[], memory: readonly Remembered[]): readonly Other[] {
  const { athlete, account } = suspect;
  const here = all.filter((one) => one.suspect !== suspect);
  const remembered =
    account === undefined
      ? []
      : memory.filter((one) => one.baseUrl === account.baseUrl && !isOwn(one, athlete, account));
  const isHere = (one: Remembered) =>
    here.some(({ suspect: each }) => each.account !== undefined && isOwn(one, each.athlete, each.account));
  return [
    ...here.map((one) => ({
      athlete: one.suspect.athlete,
      trace: one.before === undefined ? one.now : merged(one.before, one.now),
      suspect: one.suspect,
    })),
    ...remembered.filter((one) => !isHere(one)).map(({ athlete: name, trace }) => ({ athlete: name, trace })),
  ];
}

function onePerMark(holds: readonly Hold[]): readonly Hold[] {
  return [...new Map(holds.map((hold) => [`${hold.mark} ${hold.with ?? ""}`, hold])).values()];
}

function ofOwner(suspect: Suspect, all: readonly Known[]): readonly Hold[] {
  const { athlete, owner, account, expects } = suspect;
  if (owner === undefined) return [];
  const verdict = compareOwner(owner, expects);
  const holds: Hold[] = [];
  if (verdict.is === "other")
    holds.push({ athlete, rule: "other-owner", says: verdict.says, mark: "other-owner", final: true });
  if (verdict.is === "unknown")
    holds.push({ athlete, rule: "unknown-owner", says: verdict.says, mark: "unknown-owner" });
  for (const { suspect: other } of all) {
    if (other === suspect || account === undefined || account.name === NAMELESS) continue;
    if (other.account?.baseUrl !== account.baseUrl || other.account.userHash !== account.userHash) continue;
    const says = `the token opens the log of ${calledIn(owner)}, as the token of ${quoted(other.athlete)} does`;
    holds.push({ athlete, rule: "same-log", says, mark: "same-log", with: other.athlete, final: true });
  }
  return holds;
}

type ArchiveRule = (known: Known, archive: ArchiveEvidence, others: readonly Other[]) => readonly Hold[];

const sameArchive: ArchiveRule = ({ suspect: { athlete } }, { name, digest, workouts }, others) =>
  others.flatMap((other) => {
    if (digest === undefined || !other.trace.digests.includes(digest)) return [];
    const when = other.suspect === undefined ? "was given" : "is given";
    const says = `${named(name)} holds the very workouts (${workouts}) that an archive of ${quoted(other.athlete)} holds, which ${when} to that athlete`;
    return [{ athlete, rule: "same-archive", says, mark: "same-archive", with: other.athlete, final: true }] as const;
  });

const sameWorkouts: ArchiveRule = (known, archive, others) =>
  others.flatMap((other) => {
    const { athlete } = known.suspect;
    const { both, of } = shared(archive.sample, other.trace.sample);
    const isSame = archive.digest !== undefined && other.trace.digests.includes(archive.digest);
    if (isSame || both < THRESHOLDS.workouts || both < of * THRESHOLDS.workoutsShare) return [];
    // Who had them before, or whose archive says so itself, has them by right: the other one is held.
    if (known.before !== undefined && shared(archive.sample, known.before.sample).both >= both) return [];
    if (isProven(known.suspect, archive) && !isOtherProven(other)) return [];
    const share = Math.round((both / of) * 100);
    const says = `of the workouts of ${named(archive.name)} that were compared ${both} of ${of} (${share} %) are those of ${quoted(other.athlete)}`;
    return [
      { athlete, rule: "same-workouts", says, mark: `same-workouts ${foldName(other.athlete)}`, with: other.athlete },
    ];
  });

const otherPerson: ArchiveRule = ({ suspect, before }, archive, others) => {
  const { athlete, owner = {}, expects } = suspect;
  const called = namesOf(suspect);
  return archive.persons.flatMap(({ said, entry, files }): Hold[] => {
    const hold = (against: string, other?: string): Hold => ({
      ...{ athlete, rule: "other-person", mark: `other-person ${foldName(against)}` },
      says: `${named(archive.name)} (${printable(entry, 80)}) is of ${personWords(said)}: ${against}`,
      ...(other !== undefined && { with: other }),
    });
    if (isMail(said.email, [owner.email, expects.email])) return [];
    const marks = personMarks(said);
    if (marks.some((mark) => before?.persons.includes(mark) === true)) return [];
    const likeness = likenessOf(said, called);
    // Somebody's log says so; or their archive does, which proves nothing where the name is this athlete's.
    const somebody = others.find(
      ({ trace, suspect: each }) =>
        isMail(said.email, [each?.owner?.email, each?.expects.email]) ||
        (likeness !== "same" && marks.some((mark) => trace.persons.includes(mark))),
    );
    if (somebody !== undefined) return [hold(`that is ${quoted(somebody.athlete)}`, somebody.athlete)];
    // A watch says what was typed once, and may be borrowed for a day: files enough must say it.
    const isWearer = said.id === undefined && said.email === undefined && said.familyName === undefined;
    if (isWearer && files < THRESHOLDS.wearerFiles) return [];
    if (likeness === "other") return [hold(`the athlete is called ${called.map(quoted).join(", ")}`)];
    const sex = sexOf(owner.gender);
    if (said.sex !== undefined && sex !== undefined && said.sex !== sex) return [hold(`the log says ${sex}`)];
    const born = Number(owner.birthDate?.slice(0, 4));
    if (said.born !== undefined && Math.abs(said.born - born) >= THRESHOLDS.birthYears)
      return [hold(`the log says born in ${born}`)];
    return [];
  });
};

const sharedDevice: ArchiveRule = (known, archive, others) =>
  archive.devices.flatMap((device): Hold[] => {
    const { athlete } = known.suspect;
    if (NOT_ONE_PERSONS.has(device.maker ?? "") || NO_SERIAL.test(device.serial)) return [];
    const isAll = device.files === archive.devices.reduce((sum, each) => sum + each.files, 0);
    if (device.files < THRESHOLDS.deviceFiles && !isAll) return [];
    const mark = deviceMark(device);
    const holders = others.flatMap((other) => {
      const theirs = other.trace.devices.find((each) => each.mark === mark);
      return theirs === undefined ? [] : [{ other, theirs }];
    });
    if (holders.length === 0 || holders.length + 1 >= THRESHOLDS.deviceAthletes) return [];
    const wasOwn = known.before?.devices.some((each) => each.mark === mark) === true;
    const isProvenOwn = isProven(known.suspect, archive);
    return holders.flatMap(({ other, theirs }): Hold[] => {
      // Theirs by what is remembered or by the archive's own word: then the other one is held, if that one has no such word too.
      if (wasOwn || (isProvenOwn && !isOtherProven(other))) return [];
      const apart = isApart(device, theirs);
      if (isProvenOwn && apart) return [];
      const handed = apart ? "; should it have changed hands, that is no matter" : "";
      const watch = [device.maker, device.product].filter((word) => word !== undefined).join(" ");
      const says =
        `${named(archive.name)} holds ${files(device.files)}${period(device)} of the device ${printable(watch, 60)} with the serial ${printable(device.serial, 40)}, ` +
        `which recorded ${files(theirs.files)}${period(theirs)} of ${quoted(other.athlete)}${handed}`;
      return [{ athlete, rule: "shared-device", says, mark: `shared-device ${mark}`, with: other.athlete }];
    });
  });

const otherWeight: ArchiveRule = (known, archive) => {
  const { weight } = archive;
  const reference = referenceOf(known, archive, "weight");
  if (weight === undefined || reference === undefined) return [];
  const times = Math.max(weight.median / reference.median, reference.median / weight.median);
  if (times < THRESHOLDS.weight) return [];
  const says = `${named(archive.name)} is of somebody of ${kilograms(weight.median)} (the middle of ${weight.count}), and ${reference.from} of ${kilograms(reference.median)}`;
  return [{ athlete: known.suspect.athlete, rule: "weight", says, mark: "weight" }];
};

const otherHeart: ArchiveRule = (known, archive) => {
  const { maxHR } = archive;
  if (maxHR === undefined || maxHR.count < THRESHOLDS.heartRateWorkouts) return [];
  const reference = referenceOf(known, archive, "maxHR");
  const said = otherArchives(known, archive).flatMap(({ persons }) => persons.flatMap((each) => each.said.maxHR ?? []));
  const highest = Math.max(reference?.high ?? 0, ...said);
  if (highest === 0 || maxHR.high < highest + THRESHOLDS.heartRate) return [];
  const from = reference?.from ?? "a profile says";
  const says = `the highest heart rate in ${named(archive.name)} is ${Math.round(maxHR.high)} (left out the top twentieth of ${maxHR.count}), and ${from} of ${Math.round(highest)} at the most`;
  return [{ athlete: known.suspect.athlete, rule: "heart-rate", says, mark: "heart-rate" }];
};

const otherHome: ArchiveRule = (known, archive, others) => {
  const [home] = archive.areas;
  if (home === undefined || home.workouts < THRESHOLDS.homeWorkouts) return [];
  if (home.workouts < archive.placed * THRESHOLDS.homeShare) return [];
  const own = [...otherArchives(known, archive).flatMap(({ areas }) => areas), ...(known.before?.areas ?? [])];
  const homes = own.filter(({ workouts }) => workouts >= THRESHOLDS.homeWorkouts);
  // Ground they were ever on is theirs: a training camp, the parents' town.
  if (homes.length === 0 || own.some((area) => haversine(area, home) < THRESHOLDS.homeMetres)) return [];
  return others.flatMap((other): Hold[] => {
    const [theirs] = other.trace.areas;
    if (theirs === undefined || theirs.workouts < THRESHOLDS.homeWorkouts) return [];
    if (haversine(theirs, home) >= THRESHOLDS.homeMetres) return [];
    const away = Math.round(Math.min(...homes.map((area) => haversine(area, home))) / 1000);
    const says =
      `${home.workouts} of the ${archive.placed} workouts of ${named(archive.name)} that say where they began, began where ${quoted(other.athlete)} is at home, ` +
      `${away} km from where the athlete was up to now`;
    return [
      {
        athlete: known.suspect.athlete,
        rule: "home",
        says,
        mark: `home ${foldName(other.athlete)}`,
        with: other.athlete,
      },
    ];
  });
};

/** Certain ones first. */
const ARCHIVE_RULES: readonly ArchiveRule[] = [
  sameArchive,
  sameWorkouts,
  otherPerson,
  sharedDevice,
  otherWeight,
  otherHeart,
  otherHome,
];

/** Whether an archive names the athlete itself: by the address, or by the whole name beside a platform's own number. */
function isProven(suspect: Suspect, { persons }: ArchiveEvidence): boolean {
  const { owner = {}, expects } = suspect;
  return persons.some(
    ({ said }) =>
      isMail(said.email, [owner.email, expects.email]) ||
      (said.id !== undefined && likenessOf(said, namesOf(suspect)) === "same"),
  );
}

function namesOf({ athlete, called = [athlete], owner = {} }: Suspect): readonly string[] {
  const full = [owner.givenName, owner.familyName].filter((part) => part !== undefined).join(" ");
  return [...called, full].filter((name) => name !== "");
}

/** Somebody who is only remembered was let through before, which is as good. */
function isOtherProven({ suspect }: Other): boolean {
  return suspect === undefined || (suspect.evidence?.archives ?? []).some((archive) => isProven(suspect, archive));
}

/** What is known of the athlete's weight or heart: of their other archives in this run, else of earlier ones. */
function referenceOf(known: Known, archive: ArchiveEvidence, what: "weight" | "maxHR") {
  const before = known.before?.[what];
  if (before !== undefined) return { ...before, from: "the earlier ones were of somebody" };
  const [other] = otherArchives(known, archive).filter((each) => each[what] !== undefined);
  const spread = other?.[what];
  return other === undefined || spread === undefined
    ? undefined
    : { ...spread, from: `${named(other.name)} of somebody` };
}

function otherArchives({ archives }: Known, archive: ArchiveEvidence): readonly ArchiveEvidence[] {
  return archives.filter((each) => each !== archive);
}

function isMail(email: string | undefined, own: readonly (string | undefined)[]): boolean {
  return email !== undefined && own.some((each) => each !== undefined && foldWord(each) === foldWord(email));
}

/** The words logs have for it. */
function sexOf(gender: string | undefined): Sex | undefined {
  if (/^(f|female|woman|w)$/i.test(gender ?? "")) return "female";
  return /^(m|male|man)$/i.test(gender ?? "") ? "male" : undefined;
}

type Days = { readonly first?: string; readonly last?: string };

/** Whether one was done with a device before the other began. */
function isApart(one: Days, other: Days): boolean {
  if (one.first === undefined || one.last === undefined || other.first === undefined || other.last === undefined)
    return false;
  return one.last < other.first || other.last < one.first;
}

function period({ first, last }: Days): string {
  if (first === undefined || last === undefined) return "";
  return first === last ? ` of ${first}` : ` from ${first} to ${last}`;
}

function files(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function kilograms(value: number): string {
  return `${value.toFixed(1)} kg`;
}

function named(archive: string): string {
  return printable(archive, 80);
}

function personWords({ givenName, familyName, email, id, sex, born }: PersonSaid): string {
  const name = [givenName, familyName].filter((part) => part !== undefined).join(" ");
  const words = [
    name === "" ? undefined : quoted(name),
    email === undefined ? undefined : `<${printable(email, 80)}>`,
    name === "" && email === undefined && id !== undefined ? printable(id, 40) : undefined,
    sex === undefined ? undefined : `(${sex})`,
    born === undefined ? undefined : `born in ${born}`,
  ];
  return words.filter((word) => word !== undefined).join(" ");
}
