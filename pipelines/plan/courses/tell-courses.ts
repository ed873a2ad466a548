/** Says which workouts of a plan follow courses, and names those that may. */
import type { Candidate, Chosen } from "../../../transforms/courses/choose.ts";
import { describeFollowing } from "../../../transforms/courses/describe-following.ts";
import { describeOrigin, type Issue } from "../../../transforms/model/issue.ts";
import type { LineOf, WorkoutLine } from "../../journal/line.ts";

/** Most records of one kind that a remark names. */
const MOST_NAMED = 3;

interface Named {
  readonly name: string;
}

/** Counts the workouts of a plan by what their tracks say about courses. */
export class CourseLinks {
  readonly #linked = new Map<string, number>();
  readonly #doubtful = new Map<string, { readonly names: string[]; count: number }>();
  readonly #withoutLine: string[] = [];
  readonly #unread: string[] = [];

  /** Counts a workout. */
  add(line: WorkoutLine, { course, doubtful }: Chosen<Named>): void {
    if (course !== undefined) this.#linked.set(course.name, (this.#linked.get(course.name) ?? 0) + 1);
    const [likeliest] = doubtful;
    if (likeliest === undefined) return;
    const isEqual = likeliest.following.manner === "follows";
    const kind = isEqual ? "equal" : likeliest.following.manner;
    const known = this.#doubtful.get(kind) ?? { names: [], count: 0 };
    known.count++;
    if (known.names.length < MOST_NAMED) known.names.push(inWords(line, isEqual ? doubtful : [likeliest]));
    this.#doubtful.set(kind, known);
  }

  /** Counts a workout with a track that can't be read. */
  unread({ origin }: WorkoutLine): void {
    this.#unread.push(describeOrigin(origin));
  }

  /** Counts a course with a line that can't be read. */
  withoutLine({ origin, value }: LineOf<"course">): void {
    this.#withoutLine.push(`${value.name} (${describeOrigin(origin)})`);
  }

  /** @param courses the number of courses with a line */
  issues(courses: number): readonly Issue[] {
    const linked = [...this.#linked].toSorted(([, a], [, b]) => b - a);
    const sum = linked.reduce((all, [, count]) => all + count, 0);
    const byName = linked.map(([name, count]) => `${name} ${count}`);
    const summary: Issue = {
      severity: "info",
      rule: "plan/courses-linked",
      found: `${counted(sum, "workout")} ${sum === 1 ? "follows" : "follow"} a course of these sources (${counted(courses, "course")} with a line)${sum === 0 ? "" : `: ${named(byName)}`}`,
      expected:
        courses === 0
          ? "courses with a line in these sources: your log gives no lines back, so name the source that has the courses"
          : "a workout and a course with one line: each of these workouts gets its course (--link-courses)",
    };
    const doubtful: readonly Issue[] =
      this.#doubtful.size === 0
        ? []
        : [
            {
              severity: "warning",
              rule: "plan/doubtful-course",
              found: [...this.#doubtful.values()].map(({ names, count }) => named(names, count)).join("; "),
              expected:
                "one line for both, from end to end and in one direction. None of these workouts is linked: give it the course in your log, if it is right",
            },
          ];
    return [summary, ...doubtful, ...unreadIssues("course", this.#withoutLine), ...unreadIssues("track", this.#unread)];
  }
}

function unreadIssues(what: string, names: readonly string[]): readonly Issue[] {
  if (names.length === 0) return [];
  const found = `the ${names.length === 1 ? "line" : "lines"} of ${counted(names.length, what)} can't be compared: ${named(names)}`;
  const expected = "a line of at least 10 m and at most 500 km. Not linked";
  return [{ severity: "warning", rule: "plan/course-line-unread", found, expected }];
}

function named(names: readonly string[], count = names.length): string {
  const shown = names.slice(0, MOST_NAMED);
  return [...shown, ...(count > shown.length ? [`and ${count - shown.length} more`] : [])].join("; ");
}

function inWords({ origin, value }: WorkoutLine, candidates: readonly Candidate<Named>[]): string {
  const words = candidates.map(({ course, following }) => `${course.name}: ${describeFollowing(following)}`);
  const equal = candidates.length > 1 ? "equally near " : "";
  return `${describeOrigin(origin)} (${value.start.date}), ${equal}${words.join(", ")}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
