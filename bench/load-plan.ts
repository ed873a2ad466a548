/**
 * The workouts that loading is measured with: one every three hours.
 */

/** A workout by its number. A higher number is a newer workout. */
export function workout(number: number) {
  const at = new Date(Date.UTC(1990, 0, 1) + number * 3 * 3_600_000).toISOString();
  return {
    activity: "run" as const,
    start: { date: at.slice(0, 10), time: at.slice(11, 19) },
    distance: { unit: "km" as const, value: 10 + (number % 7) },
    duration: 3000 + (number % 60),
    notes: `Number ${number}: a run in the morning, along the river and back, with a few words to be as long as people write.`,
    health: { avgHR: 140 },
  };
}
