/**
 * The comparison of a large roster: `node --max-old-space-size=6000 bench/who-is-who.ts ATHLETES REMEMBERED WORKOUTS`. It prints the time of the
 * processor with the making of the memory, and the longest stretch in which nothing else in the process had a turn.
 */
import { contradictions } from "../pipelines/ownership/contradictions.ts";
import { turnsByClock } from "../pipelines/ownership/turns.ts";
import { madeEvidence } from "./made-evidence.ts";

const [athletes = 1_000, remembered = 0, workouts = 100] = process.argv.slice(2).map(Number);
const { suspects, memory, mixedUp } = madeEvidence("who is who", { athletes, remembered, workouts });
const clock = turnsByClock();
let [held, longestMs, since] = [0, 0, performance.now()];
const turns = {
  isDue: () => clock.isDue(),
  async give() {
    longestMs = Math.max(longestMs, performance.now() - since);
    await clock.give();
    since = performance.now();
  },
};
const before = process.cpuUsage();
for await (const blocks of contradictions(suspects, memory, turns)) if (blocks.length > 0) held++;
const { user, system } = process.cpuUsage(before);
console.log(
  `${athletes} athletes against ${remembered} remembered, ${workouts} workouts each: ${((user + system) / 1e6).toFixed(1)} s of the processor, ${held} held (${mixedUp} have something of another one), longest without a turn ${longestMs.toFixed(0)} ms, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
);
