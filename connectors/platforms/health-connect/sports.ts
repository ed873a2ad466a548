/** The numbers of sports in the database. They differ from the numbers in Android's developer documents. Source: more-platforms 2. */

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{
      8: "Biking",
      20: "Golf",
      24: "HIIT",
      25: "Hiking",
      27: "Skating",
      31: "Paddling",
      33: "Pilates",
      35: "Climbing",
    },
    ...{
      37: "Rowing",
      39: "Running",
      43: "Skating",
      44: "Skiing",
      45: "Snowboarding",
      46: "Snowshoeing",
      50: "Stairs",
    },
    ...{
      51: "Strength",
      52: "Stretching",
      53: "Walking",
      55: "Open water swim",
      56: "Pool swim",
      58: "Weights",
      63: "Yoga",
    },
  }),
);

/** The name of a sport. A number without a known name stays a number, in words that no table has. */
export function sportOf(text: string): string {
  return NAMES.get(text) ?? `exercise type ${text}`;
}
