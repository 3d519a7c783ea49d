import type { Settings } from "#context";
import { DEFAULT_SETTINGS } from "./defaults.ts";
import { showUpstream } from "./upstream.ts";

type Values = Omit<Settings, "version">;

/** A change whose upstream is as it would be stored. */
export type Change = { [K in keyof Values]?: Values[K] | null | undefined };

export type StoredChange = {
  /** The settings that are not as they were, with their values before and after. */
  names: string[];
  from: Record<string, unknown>;
  to: Record<string, unknown>;
  after: Values;
  /** What differs from the defaults: all that a row holds. */
  data: Record<string, unknown>;
};

/** What a change comes to. Null puts a setting back to its default, and so does naming the default. */
export function changesOf({ version: _, ...before }: Settings, change: Change): StoredChange {
  const defaults: Record<string, unknown> = DEFAULT_SETTINGS;
  const named = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [[name, value ?? defaults[name]]]));
  const after: Values = { ...before, ...Object.fromEntries(named) };
  const all = Object.keys(before);
  const names = all.filter((name) => !isSame(name, before, after));
  const own = all.filter((name) => !isSame(name, defaults, after));
  return {
    names,
    from: pick(names, auditable(before)),
    to: pick(names, auditable(after, before)),
    after,
    data: pick(own, after),
  };
}

/** The values as the audit may have them: of a key, that there is one, and that it is not the one from before. */
function auditable(values: Values, before: Values = values): Record<string, unknown> {
  const { upstream } = values;
  if (upstream === null) return values;
  const hasNewKey = upstream.apiKey !== null && upstream.apiKey !== before.upstream?.apiKey;
  return { ...values, upstream: { ...showUpstream(upstream), ...(hasNewKey ? { newKey: true } : {}) } };
}

function isSame(name: string, a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return JSON.stringify(a[name]) === JSON.stringify(b[name]);
}

function pick(names: readonly string[], from: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}
