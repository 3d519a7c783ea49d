/**
 * The characters that all executions of regular expressions and all searches in strings read while `run` runs: matching, replacing,
 * splitting and testing all call `exec`. A search that an engine gives up at its first character counts as if it had read on.
 */
export function workOf(run: () => unknown): number {
  const { exec } = RegExp.prototype;
  const { indexOf, lastIndexOf, includes } = String.prototype;
  let work = 0;
  RegExp.prototype.exec = function counted(this: RegExp, text: string): RegExpExecArray | null {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    const passed = match === null ? text.length - from : match.index + match[0].length - from;
    work += 1 + (this.sticky && match === null ? 0 : passed);
    return match;
  };
  String.prototype.indexOf = function counted(this: string, sought: string, from = 0): number {
    const at = indexOf.call(this, sought, from);
    work += 1 + (at === -1 ? this.length : at) - Math.min(from, this.length);
    return at;
  };
  String.prototype.lastIndexOf = function counted(this: string, sought: string, from = this.length): number {
    const at = lastIndexOf.call(this, sought, from);
    work += 1 + Math.min(from, this.length) - Math.max(0, at);
    return at;
  };
  String.prototype.includes = function counted(this: string, sought: string, from = 0): boolean {
    const found = includes.call(this, sought, from);
    work += 1 + (found ? indexOf.call(this, sought, from) : this.length) - from;
    return found;
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
    Object.assign(String.prototype, { indexOf, lastIndexOf, includes });
  }
  return work;
}

/** The elements that all walks through arrays visit while `run` runs, of the methods that take a function. */
export function visitsOf(run: () => unknown): number {
  const names = ["filter", "some", "every", "find", "findLast", "findIndex", "map", "flatMap"] as const;
  type Walk = (visit: (...args: unknown[]) => unknown, self?: unknown) => unknown;
  const walks = Array.prototype as unknown as Record<(typeof names)[number], Walk>;
  const originals = names.map((name) => [name, walks[name]] as const);
  let visits = 0;
  for (const [name, walk] of originals)
    walks[name] = function counted(this: unknown, visit, self) {
      const each: typeof visit = function counting(this: unknown, ...args) {
        visits += 1;
        return visit.apply(this, args);
      };
      return walk.call(this, each, self);
    };
  try {
    run();
  } finally {
    Object.assign(walks, Object.fromEntries(originals));
  }
  return visits;
}

/** Every regular expression that is executed while `run` runs, with its longest input in UTF-16 units. */
export function recordPatterns(run: () => unknown): Map<string, { source: string; flags: string; units: number }> {
  const { exec } = RegExp.prototype;
  const recorded = new Map<string, { source: string; flags: string; units: number }>();
  RegExp.prototype.exec = function recording(this: RegExp, text: string): RegExpExecArray | null {
    const { source, flags } = this;
    const key = `${flags}/${source}`;
    recorded.set(key, { source, flags, units: Math.max(text.length, recorded.get(key)?.units ?? 0) });
    return exec.call(this, text);
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return recorded;
}

/** The most that the work may grow for ten times the text: above ten, because the shorter text may be cheaper for each character. */
export const MAX_LINEAR_GROWTH = 13;

/** Lengths in UTF-16 units. What reads a bounded window grows until it is full: what seems to grow is measured again with the longer one. */
const UNITS = 1_600;
const UNITS_AGAIN = 6_400;

/** How many times the work of `read` grows when a text is ten times as long as so many UTF-16 units. */
export function growthOf(read: (text: string) => unknown, text: (units: number) => string, units?: number): number {
  const growth = growthFrom(units ?? UNITS, read, text);
  return units === undefined && growth > MAX_LINEAR_GROWTH ? growthFrom(UNITS_AGAIN, read, text) : growth;
}

function growthFrom(units: number, read: (text: string) => unknown, text: (units: number) => string): number {
  const short = workOf(() => read(text(units)));
  return workOf(() => read(text(units * 10))) / Math.max(short, units);
}
