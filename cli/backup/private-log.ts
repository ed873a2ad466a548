/** A training log that only this process knows: in memory, on this machine's loopback, gone when it is closed. */
import type { ActivitiesMet } from "../../pipelines/backup/restore-numbers.ts";
import { ACTIVITY_IDS } from "../../transforms/assumptions.ts";

/** It, with a token for its one user. */
export interface PrivateLog {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Starts one whose user has the units and the activities of another log.
 *
 * @param preference as the interface gives it
 */
export async function startPrivateLog(
  preference: Readonly<Record<string, unknown>> | undefined,
  activities: ActivitiesMet,
): Promise<PrivateLog> {
  // The service's packages take half of the time a command needs to start.
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

/** What units a preference names; the usual ones where it names none. */
function unitsOf({ distanceUnit, weightUnit, temperatureUnit, utcOffset }: Readonly<Record<string, unknown>> = {}) {
  return {
    distanceUnit: distanceUnit === "mi" ? "mi" : "km",
    weightUnit: weightUnit === "lb" ? "lb" : "kg",
    temperatureUnit: temperatureUnit === "F" ? "F" : "C",
    ...(typeof utcOffset === "number" && { utcOffset }),
  } as const;
}
