/** A training log that only this process knows. It is in memory, on this machine's loopback, and disappears when it is closed. */
import type { ActivitiesMet } from "../../pipelines/backup/restore-numbers.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";

/** The private service and an access token for its single user. */
export interface PrivateLog {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Starts a private log. Its user has the units and the activities of another log.
 *
 * @param preference as the interface gives it
 */
export async function startPrivateLog(
  preference: Readonly<Record<string, unknown>> | undefined,
  activities: ActivitiesMet,
): Promise<PrivateLog> {
  // The service's packages take half of a command's start time, so only this function loads them.
  const { startService } = await import("../../service/server.ts");
  const service = await startService({ database: ":memory:", host: "127.0.0.1", port: 0 });
  try {
    const { operator } = service;
    const userId = await operator.addUser({ screenName: "drill", preference: unitsOf(preference) });
    const builtIn = new Set<number | undefined>(Object.values(ACTIVITY_IDS));
    for (const { activityID, name, types } of activities.all()) {
      if (builtIn.has(activityID)) continue;
      const most = Math.max(0, ...types.keys());
      const names = Array.from({ length: most }, (_, index) => types.get(index + 1) ?? `type ${index + 1}`);
      await operator.addActivity(userId, name ?? String(activities.activity(activityID)), names);
    }
    return { url: service.url, token: await operator.addToken(userId), close: () => service.close() };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The units of a preference, with the usual units for missing ones. */
function unitsOf({ distanceUnit, weightUnit, temperatureUnit, utcOffset }: Readonly<Record<string, unknown>> = {}) {
  return {
    distanceUnit: distanceUnit === "mi" ? "mi" : "km",
    weightUnit: weightUnit === "lb" ? "lb" : "kg",
    temperatureUnit: temperatureUnit === "F" ? "F" : "C",
    ...(typeof utcOffset === "number" && { utcOffset }),
  } as const;
}
