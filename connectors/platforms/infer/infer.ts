/**
 * Proposes a mapping file for a spreadsheet: what each column is, and how its values are written. Each choice rests on whole columns and comes with
 * its evidence. What the table doesn't show is a question, never a guess.
 */
import { languageOfHeader } from "../../../transforms/text/language-of-header.ts";
import { printable } from "../../../transforms/text/printable.ts";
import type { Archive, Entry } from "../../containers/archive.ts";
import { ArchiveError } from "../../containers/archive-error.ts";
import { WorkbookError } from "../../formats/sheets/sheet.ts";
import type { Dates } from "../table/cells/cells.ts";
import type { Answers, Choice } from "./choices/choice.ts";
import { BY_HAND, type NoProposal } from "./choices/no-proposal.ts";
import { remarksOf } from "./columns/column-remarks.ts";
import { guess } from "./columns/guess.ts";
import { withPairs } from "./columns/heart-rate-pairs.ts";
import { withLiftedAsked } from "./columns/lifted-weights.ts";
import { withRunningTotalAsked } from "./columns/lone-running-total.ts";
import { withLowRatesAsked } from "./columns/low-rates-asked.ts";
import { withMinutesAsked } from "./columns/minutes-or-clock.ts";
import { withProvenDuration } from "./columns/proven-duration.ts";
import { rivalChoice, withRivals } from "./columns/rivals.ts";
import { type AssignedColumn, assignRoles, fieldPlace } from "./columns/roles.ts";
import { splitChoices, withSplits } from "./columns/splits.ts";
import { withSportTextsAsked } from "./columns/sport-texts.ts";
import { inSwedishMiles } from "./columns/swedish-miles.ts";
import { withUnreadAsked } from "./columns/unread-cells.ts";
import { withTextsAsked } from "./columns/unread-texts.ts";
import { withoutUsableName } from "./columns/unusable-names.ts";
import { type DateReading, readDates } from "./dates/dates.ts";
import { endChoice, withEndSaid, withEndTimes, withEndTimesAsked } from "./dates/end-times.ts";
import { withoutStamps } from "./dates/form-stamps.ts";
import { withEveningsAsked, withHalves } from "./dates/halves-of-day.ts";
import { hiddenYears } from "./dates/hidden-years.ts";
import { isDayHeader, withJoinedDates } from "./dates/joined-dates.ts";
import { mergedDates } from "./dates/merged-dates.ts";
import { ofOtherCalendar } from "./dates/other-calendars.ts";
import { withSecondDatesAsked } from "./dates/second-dates.ts";
import { withSheetMonths } from "./dates/sheet-months.ts";
import { withOddDays } from "./dates/swapped-rows.ts";
import { withTitledSections } from "./dates/titled-sections.ts";
import { orderByWeeks, weekDays } from "./dates/week-dates.ts";
import { weekdayChoice } from "./dates/weekday-names.ts";
import { type CompletedSheet, withYears } from "./dates/without-year.ts";
import { yearsOfEras } from "./dates/years-of-eras.ts";
import type { Regrouped } from "./groups/groups.ts";
import { withoutSideTables } from "./groups/side-tables.ts";
import type { WeekColumns } from "./groups/week-groups.ts";
import { NO_DATES, withoutDates } from "./layouts/other-layouts.ts";
import { layoutOf, type SheetLayout } from "./layouts/sheet-layout.ts";
import { ofDays } from "./layouts/sums-of-days.ts";
import { longForm } from "./layouts/turned-tables.ts";
import { unreadDates } from "./layouts/unread-dates.ts";
import { sumsAnswered, sumsChoice } from "./layouts/weekly-sums.ts";
import { mixedDecimals } from "./mapping/file-words.ts";
import { draftOf } from "./mapping/make-draft.ts";
import { uncomputedChoices, withUncomputed } from "./mapping/uncomputed.ts";
import { gearSheet } from "./no-logs/gear-sheets.ts";
import { withoutWorkouts } from "./no-logs/no-workouts.ts";
import { rowsWithin, withOwnWords, wrongRows } from "./no-logs/repeated-rows.ts";
import { withSums } from "./questions/added-parts.ts";
import { ANSWERED, answered } from "./questions/answers.ts";
import { athleteRows } from "./questions/athletes.ts";
import { type Proposal, withWords } from "./questions/draft.ts";
import { wholesOf } from "./questions/strokes.ts";
import { unitChoices } from "./questions/unit-choices.ts";
import { groupsAsked } from "./questions/whose-groups.ts";
import { findSkippedRows, type SkippedRows } from "./rows/skipped-rows.ts";
import { withUnfinished } from "./rows/unfinished.ts";
import { changedHeader } from "./sample/changed-header.ts";
import { columnsOf } from "./sample/column.ts";
import { dittoChoice } from "./sample/dittos.ts";
import { fewMovedRows, manyMovedRows } from "./sample/moved-cells.ts";
import type { SheetSample } from "./sample/sample.ts";
import { samplesOf, unlikeSheet } from "./sample/sheet-samples.ts";
import { repeatedSheets } from "./sheets/repeated-sheets.ts";
import { chooseSheets } from "./sheets/sheets.ts";
import { ownAnswers, withFollowers, withSheetsApart } from "./sheets/sheets-apart.ts";
import { type OwnSheet, withPeopleAsked } from "./sheets/sheets-of-people.ts";
import { withPlansAsked } from "./sheets/sheets-of-plans.ts";
import { sportsOfSheets } from "./sheets/sports-of-sheets.ts";
import { chooseEncoding } from "./sheets/text-encoding.ts";
import { speedRows } from "./sports/speed-rows.ts";
import { sportEvidence, sportsOf } from "./sports/sports.ts";
import { sportChoice } from "./sports/sports-in-columns.ts";
import { withoutOneSport, withTitledSports } from "./sports/sports-of-sections.ts";
import { withDistancesOrTimes } from "./units/distance-or-time.ts";
import { decimalOf, signsOf } from "./units/evidence.ts";
import { chooseMeasures } from "./units/measures.ts";
import { notedUnits } from "./units/noted-units.ts";
import { poolChoice, withPoolLengths } from "./units/pool-lengths.ts";
import { scaleOf } from "./units/ratings.ts";
import { swallowedDecimals } from "./units/swallowed-decimals.ts";
import { paceChoice, withPaceAsked } from "./units/time-or-pace.ts";
import { unitChange } from "./units/unit-changes.ts";
import { withUnitColumn } from "./units/unit-column.ts";
import { withUnitOfNames } from "./units/unit-in-names.ts";
import { temperatureUnit, weightUnit } from "./units/units-of-columns.ts";
import { lengthUnit } from "./words/header-words.ts";

export { type Answers, type Choice, isOpen, type OpenChoice, type Option } from "./choices/choice.ts";
export { writeMapping } from "./mapping/write-mapping.ts";
export { answerProblems } from "./questions/answers.ts";
export type { Proposal } from "./questions/draft.ts";

/**
 * Proposes a mapping.
 *
 * @param answers a person's answers to earlier questions, by place
 * @param today the current day, `2026-03-01`: no workout is later
 */
export async function inferMapping(
  archive: Archive,
  entry: Entry,
  answers: Answers,
  today: string,
): Promise<Proposal | NoProposal> {
  try {
    const sheets = await chooseSheets(archive, entry, answers);
    const text = sheets.sheets.length > 0 ? undefined : await chooseEncoding(archive, entry, answers);
    const samples = await samplesOf(archive, entry, sheets.sheets, text?.encoding);
    if ("problem" in samples) return samples;
    const sample = samples.joined;
    if (sample.rows.length === 0) return { problem: "it has no rows", next: BY_HAND };
    const unlike =
      unlikeSheet(samples) ?? changedHeader(samples) ?? manyMovedRows(sample) ?? sportsOfSheets(sample, answers);
    if (unlike !== undefined) return unlike;
    const proposal = inferFrom(sample, answers, today);
    if ("problem" in proposal) return proposal;
    const { draft, choices } = proposal;
    if (sheets.choice === undefined)
      return {
        ...{ ...proposal, ...(text && { draft: { ...draft, file: { encoding: text.encoding, ...draft.file } } }) },
        choices: [...(text ? [text.choice] : []), ...fewMovedRows(sample), ...choices],
      };
    const own = ownAnswers(answers);
    const each = samples.each.map((one) => ({ ...one, proposal: inferFrom(one.sample, own, today) }));
    const choice = askedOfSheets(sheets.choice, each, proposal, answers);
    if ("problem" in choice) return choice;
    return {
      ...{ ...proposal, sheets: samples.count },
      draft: { ...draft, file: { ...sheets.words, ...draft.file } },
      choices: [choice, ...choices.map((one) => (one.place === "dates.order" ? withFollowers(one, each) : one))],
    };
  } catch (error) {
    if (!(error instanceof WorkbookError) && !(error instanceof ArchiveError)) throw error;
    return { problem: error.message, next: undefined };
  }
}

/** The choice of sheets, with what their names and their rows make a question of it; or why no choice of them would do. */
function askedOfSheets(
  choice: Choice,
  each: readonly OwnSheet[],
  proposal: Proposal,
  answers: Answers,
): Choice | NoProposal {
  for (const { name, proposal: own } of each)
    if ("problem" in own && own.isOfSheet && !answers.has("dates.order"))
      return { ...own, problem: `in the sheet ${JSON.stringify(printable(name, 40))}, ${own.problem}` };
  const isAnswered = choice.why === ANSWERED;
  const planned = isAnswered ? choice : withPlansAsked(choice, each);
  if (planned !== choice) return planned;
  return (
    repeatedSheets(choice, each, answers) ??
    (isAnswered ? choice : withPeopleAsked(withSheetsApart(choice, each, proposal), each))
  );
}

/** The proposal for a table, with its halves of the day joined to their times. */
function inferFrom(read: SheetSample, answers: Answers, today: string, known?: CompletedSheet): Proposal | NoProposal {
  const halves = withHalves(read);
  if (halves === undefined) return inferTable(read, answers, today, known);
  const proposal = inferTable(halves.sample, answers, today, known);
  if ("problem" in proposal) return proposal;
  const { draft } = proposal;
  return { ...proposal, draft: { ...draft, join: new Map([...halves.join, ...(draft.join ?? [])]) } };
}

/** The proposal for a table of one athlete: of groups of columns that may be others', a person chooses. */
function inferTable(read: SheetSample, given: Answers, today: string, known?: CompletedSheet): Proposal | NoProposal {
  const { choice, answers = given } = groupsAsked(read, given) ?? {};
  return inferRows(read, answers, today, known, choice);
}

/** @param asked the question about groups of columns; undefined for a table without any */
function inferRows(
  read: SheetSample,
  answers: Answers,
  today: string,
  known: CompletedSheet | undefined,
  asked: Choice | undefined,
): Proposal | NoProposal {
  const layout = layoutOf(read, answers, today, known);
  if ("problem" in layout) return layout;
  const { groups, week, years } = layout;
  const { sample, totals, columns, athlete } = columnsIn(layout, answers);
  const withRole = (...roles: readonly string[]) =>
    columns.find(({ role }) => role !== undefined && roles.includes(role));
  const dateColumn = withRole("date", "datetime");
  if (dateColumn === undefined)
    return (
      sumsAnswered(columns, answers) ??
      gearSheet(columns) ??
      withoutWholeDates(read, withoutDates(sample, columns, today), answers, today)
    );
  const dates = readDates(dateColumn, columns, today);
  const other =
    withTitles(read, layout, columns, answers, today) ??
    withoutSingleWorkouts(columns, dateColumn, dates, layout, answers);
  if (other !== undefined) return other;
  const order = answered(week ? orderByWeeks(dates.order, week) : (years?.order ?? dates.order), answers);
  const days = week && weekDays(week, order.value, answers);
  if (days !== undefined && "problem" in days) return days;
  const { skipped, merged } = leftRows(columns, dates.days, sample.units, answers);
  const kept = [...sample.rows.keys()].filter((row) => !skipped.isSkipped(row) && !athlete?.isOthers(row));
  const sports = sportsOf(sample, columns, kept, answers, groups?.sports !== undefined);
  const { mark, commas, points } = decimalOf(columns);
  const language = /[぀-ヿ一-鿿]/u.test(sample.header.join(" ")) ? "Japanese" : languageOfHeader(sample.header);
  const signs = signsOf(columns, { ...dates, order }, language, mark ?? ".");
  const measured = (role: string) => columns.find((column) => column.role === role && column.filled.length > 0);
  const [distance, duration] = [withSums(measured("distance"), columns, mark ?? "."), measured("duration")];
  const rows = speedRows(kept, sports, { distance, duration, date: dateColumn, pace: withRole("pace") }, columns);
  const measures = chooseMeasures({
    ...{ distance, duration, rows, signs },
    decimals: mark === undefined ? [".", ","] : [mark],
    ...{ said: groups?.sports?.units, change: unitChange(columns), columns },
  });
  const decimal = mark ?? measures.reading.decimal;
  const [weight, temperature] = [withRole("weight"), withRole("temperature")];
  const rules = [...skipped.rules, ...(athlete?.rule ? [athlete.rule] : [])];
  const noted = notedUnits({ columns, kept, answers, rules }, measures.unit, distance);
  const choices = [
    commas > 0 && points > 0 ? mixedDecimals(decimal, commas, points) : undefined,
    ...[asked, ...(groups?.choices ?? []).filter(({ place }) => place !== asked?.place)],
    ...totals.choices,
    ...choicesOfColumns(columns, groups, dates.days),
    sumsChoice({ columns, layout, date: dateColumn, days: dates.days, sports: kept.map(sports.of) }),
    ...[order, dates.century, ...(years?.choices ?? []), days?.choice],
    ...[merged, sports.above],
    ...unitChoices(measures, distance, answers, { rows, columns }),
    measures.format,
    weight && weightUnit(weight, signs, lengthUnit(distance?.meaning.unit)),
    temperature && temperatureUnit(temperature, signs),
    ...columns.map(scaleOf),
    sportChoice(sports.choice, { rows, reading: measures.reading, columns, header: sample.header }),
    ...skipped.choices,
    ...[athlete?.choice, dittoChoice(sample), noted.choice],
  ].flatMap((choice) => (choice === undefined ? [] : [answered(choice, answers)]));
  const draft = draftOf({
    ...{ sample, columns, kept, dates, order, sports, decimal, choices, answers },
    ...{ rules: noted.rules, groups, days },
  });
  return { draft, choices, rows: read.rows.length, sheets: 1, isCut: read.isCut };
}

/** The proposal for a table with titles that say the sports of the rows below them; undefined for any other table. */
function withTitles(
  read: SheetSample,
  { groups, week, years }: SheetLayout,
  columns: readonly AssignedColumn[],
  answers: Answers,
  today: string,
): Proposal | NoProposal | undefined {
  // Without a year of their own, dates would go on from one sport to the next.
  const titled = (groups ?? week ?? years) ? undefined : withTitledSports(read, columns, answers);
  if (titled === undefined) return undefined;
  const proposal = inferFrom(titled.sample, titled.answers, today);
  return withWords(proposal, { titledSports: titled.column }, titled.choice);
}

/** Why the rows of a table with dates are no workouts, or nobody can tell of which day they are. */
function withoutSingleWorkouts(
  columns: readonly AssignedColumn[],
  column: AssignedColumn,
  { days, order, doubt, changed }: DateReading,
  { whole, groups, week }: SheetLayout,
  answers: Answers,
): NoProposal | undefined {
  const isOneSheet = (whole.sheetNames?.length ?? 1) === 1;
  return (
    withoutUsableName(columns) ??
    gearSheet(columns) ??
    ofOtherCalendar(column, days) ??
    inSwedishMiles(columns) ??
    swallowedDecimals(columns, answers) ??
    (groups === undefined && week === undefined ? longForm(columns) : undefined) ??
    (groups === undefined ? withoutWorkouts(columns, answers) : undefined) ??
    (answers.has(order.place)
      ? undefined
      : (doubt ??
        (isOneSheet ? changed : undefined) ??
        yearsOfEras(whole, column) ??
        hiddenYears(whole, column, days))) ??
    rowsWithin({ columns, days, answers }) ??
    withoutOneSport(whole, columns, answers) ??
    // Sheets of a workbook may have equal rows, and are told apart elsewhere.
    (isOneSheet ? wrongRows({ columns, days, answers }) : undefined) ??
    (week === undefined ? ofDays(columns, { column, days, order: order.value as Dates["order"] }) : undefined)
  );
}

/** The columns of a table with a workout a row, and what each is. */
function columnsIn({ whole, groups, week }: SheetLayout, answers: Answers) {
  const sample = groups?.sample ?? whole;
  const own = withoutStamps(columnsOf(sample), answers);
  const totals = groups === undefined ? wholesOf(own, answers) : { columns: own, choices: [] };
  const isAnswered = (place: string) => answers.has(place);
  const said = assignRoles(totals.columns, sample.hasHeader, withDate(answers, week));
  const roles = withLowRatesAsked(withLiftedAsked(said, isAnswered), isAnswered);
  const pooled = withPoolLengths(withEndSaid(roles, answers), isAnswered);
  const ended = withEndTimesAsked(withEndTimes(pooled, isAnswered), isAnswered);
  const asked = withRunningTotalAsked(ended, isAnswered);
  const isSaid = (column: AssignedColumn) => isAnswered(fieldPlace(column));
  const proven = withProvenDuration(withMinutesAsked(asked, isSaid), isSaid);
  const parted = withDistancesOrTimes(withSplits(withPairs(withRivals(withPaceAsked(proven, isAnswered)))));
  const sports = withSecondDatesAsked(withSportTextsAsked(withoutSideTables(parted), isAnswered), isAnswered);
  const assigned = withEveningsAsked(withTextsAsked(withUnreadAsked(sports, isAnswered), isAnswered), isAnswered);
  const athlete = athleteRows(assigned, answers);
  return {
    sample,
    totals,
    columns: withUncomputed(withUnitOfNames(withUnitColumn(athlete?.columns ?? assigned), sample), isAnswered),
    athlete,
  };
}

/** A table in which no column has whole dates: with the years that its dates lack. @param refused why it can't be read as it is */
function withoutWholeDates(
  read: SheetSample,
  refused: NoProposal,
  answers: Answers,
  today: string,
): Proposal | NoProposal {
  const joined = withJoinedDates(read, columnsOf(read));
  if (joined !== undefined)
    return withWords(inferFrom(joined.sample, answers, today), { join: joined.join }, joined.choice);
  const titled = withTitledSections(read, columnsOf(read));
  if (titled !== undefined) {
    const { sample, choice, order } = titled;
    return withWords(inferFrom(sample, answers, today, { sample, choices: [choice], order }), { sections: true });
  }
  const months = withSheetMonths(read, columnsOf(read), isDayHeader, { answers, today });
  if (months !== undefined) return inferFrom(months.sample, answers, today, months);
  if (refused !== NO_DATES) return refused;
  const completed = withYears(read, columnsOf(read), { answers, today });
  if (completed === undefined) return unreadDates(columnsOf(read)) ?? refused;
  return "problem" in completed ? completed : inferFrom(completed.sample, answers, today, completed);
}

/** The answers, with the column that holds the date of a week. */
function withDate(answers: Answers, week: WeekColumns | undefined): Answers {
  return week === undefined ? answers : new Map([[fieldPlace({ name: week.date }), "date"], ...answers]);
}

/** What is decided or asked about columns: how their texts are taken apart, and what they are. */
function choicesOfColumns(
  columns: readonly AssignedColumn[],
  groups: Regrouped | undefined,
  days: DateReading["days"],
): readonly (Choice | undefined)[] {
  return [
    weekdayChoice(columns, days),
    ...splitChoices(columns),
    ...columns
      .filter(({ isGuess }) => isGuess)
      .map(
        (column) =>
          column.asked ?? rivalChoice(column, columns) ?? paceChoice(column) ?? guess(column, columns, groups?.repeat),
      ),
    ...columns.flatMap(remarksOf),
    ...columns.flatMap(uncomputedChoices),
    ...columns.flatMap((column) => [endChoice(column), poolChoice(column)]),
    sportEvidence(columns),
  ];
}

/** The rows that are no workouts, and the choice of a date that stands for the one above. The rules see the dates filled in. */
function leftRows(
  columns: readonly AssignedColumn[],
  days: DateReading["days"],
  units: SheetSample["units"],
  answers: Answers,
): { readonly skipped: SkippedRows; readonly merged: Choice | undefined } {
  const own = findSkippedRows(columns, days, units, answers);
  const merged = mergedDates({ columns, days, isSkipped: own.isSkipped });
  const skipped = merged === undefined ? own : findSkippedRows(merged.columns, days, units, answers);
  const whole = merged?.columns ?? columns;
  const odd = withOddDays(withUnfinished(skipped, { columns: whole, answers }), { columns: whole, days, answers });
  return {
    skipped: withOwnWords(odd, { columns, days, answers }),
    merged: merged?.choice,
  };
}
