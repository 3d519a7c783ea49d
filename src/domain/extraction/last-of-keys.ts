/** Of values that one name gets in one talk only the last said holds: the others would be stored to be replaced at once. */
export function lastOfKeys<T>(items: readonly T[], of: { nameOf: (item: T) => string | null; atOf: (item: T) => number }): T[] {
  const last = new Map<string, T>();
  for (const item of items) {
    const name = of.nameOf(item);
    const before = name === null ? undefined : last.get(name);
    if (name !== null && (before === undefined || of.atOf(item) >= of.atOf(before))) last.set(name, item);
  }
  return items.filter((item) => {
    const name = of.nameOf(item);
    return name === null || last.get(name) === item;
  });
}
