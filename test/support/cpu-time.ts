/**
 * Milliseconds this process has computed, on all its threads. Bounds on work use these, and not the clock on the wall, which also counts the work of
 * other programs on the machine.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
