import type { Output as Answer } from "@edgewise/client";

type Check = Answer<"doctor.check">["invariants"][number];

/** What was found of one invariant; `repaired` and `needsPerson` of a repair. */
export type Finding = Check & { repaired?: number; needsPerson?: number };

/** As many as the service names in one answer. */
const MAX_EXAMPLES = 10;

/** The findings of one call added to those of the calls before. */
export function mergeFindings(before: readonly Finding[], next: readonly Finding[]): Finding[] {
  const known = new Map(before.map((finding) => [finding.name, finding]));
  return next.map((finding) => {
    const earlier = known.get(finding.name);
    return earlier === undefined ? finding : merge(earlier, finding);
  });
}

function merge(a: Finding, b: Finding): Finding {
  const since = [a.since, b.since].filter((time) => time !== undefined).sort()[0];
  const reasons = [...new Set([...(a.reasons ?? []), ...(b.reasons ?? [])])].slice(0, MAX_EXAMPLES);
  return {
    ...b,
    checked: a.checked === false || b.checked === false ? false : a.checked + b.checked,
    violations: a.violations + b.violations,
    examples: [...new Set([...a.examples, ...b.examples])].slice(0, MAX_EXAMPLES),
    ...(reasons.length === 0 ? {} : { reasons }),
    ...(since === undefined ? {} : { since }),
    ...(b.repaired === undefined ? {} : { repaired: (a.repaired ?? 0) + b.repaired }),
    ...(b.needsPerson === undefined ? {} : { needsPerson: (a.needsPerson ?? 0) + b.needsPerson }),
  };
}
