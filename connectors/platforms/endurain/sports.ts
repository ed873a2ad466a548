/** Endurain's numbers of sports. Source: its list of activity types (other-loggers 18). */

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ 1: "Run", 2: "Trail run", 3: "Virtual run", 4: "Ride", 5: "Gravel ride", 6: "Mountain bike ride" },
    ...{ 7: "Virtual ride", 8: "Lap swim", 9: "Open water swim", 10: "Workout", 11: "Walk", 12: "Hike", 13: "Rowing" },
    ...{ 14: "Yoga", 15: "Alpine ski", 16: "Nordic ski", 17: "Snowboard", 19: "Strength training", 20: "Crossfit" },
    ...{ 21: "Tennis", 22: "Table tennis", 23: "Badminton", 24: "Squash", 25: "Racquetball", 26: "Pickleball" },
    ...{ 27: "Commuting ride", 28: "Indoor ride", 29: "Mixed surface ride", 31: "Indoor walk", 34: "Track run" },
    ...{ 35: "E-bike", 37: "Ice skate", 40: "Treadmill", 41: "Cardio", 42: "Kayak", 43: "Sail", 44: "Snowshoe" },
    ...{ 45: "Inline skate" },
  }),
);

/** The name of a sport. A number without a known name stays a number, in words that no table has. */
export function sportOf(text: string): string {
  return NAMES.get(text) ?? `activity type ${text}`;
}
