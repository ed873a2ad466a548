/**
 * Milliseconds this process has computed, on all its threads. Bounds on work are held in these and not by the clock on the wall,
 * which also counts what other programs of the machine do.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
