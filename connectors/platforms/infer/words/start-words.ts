/** Headers of the time at which a workout began. */
import { foldHeader } from "./header-words.ts";

/** Words that are the start, and never the duration. */
const ONLY_START =
  /(?:^|\s)(?:start|started|clock|uhr|uhrzeit|heure|heures|hora|ora|orario|tijdstip|klok|klockan|klockslag|klokken|godzina|am\/pm|inicio|debut|depart)(?:\s|$)|^start|of (?:the )?day$|時刻/;

/** Whether a header names the start alone. */
export function namesStart(name: string): boolean {
  return ONLY_START.test(foldHeader(name));
}
