/** Ends the reason of a job that failed because of what it holds: the server answered a trial at that moment. */
export const ANSWERS_OTHERS = "It answers others.";

/** How reasons begin and end that adapters give when a server is down, or is not what was configured; of jobs that failed before such jobs waited. */
const OUTAGES: readonly RegExp[] = [
  / (?:did|does) not answer(?: in time)?(?: \(\d+\))?\.$/,
  / could not be reached(?: \(\w+\))?\.$/,
  / answered (?:408|429|5\d\d)\.$/,
  / answered (?:something that is no JSON|no completion|no list of vectors)\.$/,
  /^upstream_failed: Workers AI failed \(\d+\)\.$/,
  /^upstream_failed: Workers AI has used up /,
  /^upstream_failed: Vectorize refused the request \((?!40(?!041))\d+\)\.$/,
];

/** Whether a job's reason says that a server was down or not rightly configured, so that another try may succeed. */
export function isOutage(reason: string): boolean {
  if (reason.startsWith("misconfigured: ")) return !reason.endsWith(ANSWERS_OTHERS);
  return reason.startsWith("upstream_failed: ") && OUTAGES.some((outage) => outage.test(reason));
}
