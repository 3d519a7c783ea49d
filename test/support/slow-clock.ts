/**
 * A clock at a hundredth of the speed, in Unix milliseconds: what is cached for seconds stays cached while a test counts, however busy the
 * machine is.
 */
export function slowClock(): () => number {
  const start = Date.now();
  return () => Math.floor(start + (Date.now() - start) / 100);
}
