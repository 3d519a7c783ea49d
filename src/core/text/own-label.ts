import { nameKey } from "./normalize.ts";

/** Whether the label of a message is one of a user's own names. A label without a letter or digit has to be written the same. */
export function isOwnLabel(label: string, names: readonly string[]): boolean {
  const key = nameKey(label);
  return key === "" ? names.includes(label) : names.some((name) => nameKey(name) === key);
}
