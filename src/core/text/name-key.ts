import { fold, normalise } from "./fold.ts";

/**
 * A person's name as it is looked up: NFKC, folded as words of the index are (case, width, accents), with everything that is no
 * letter or digit as one blank. "José", "JOSE" and "jose" are one key; names of any script keep their letters. "" for a name without one.
 */
export function nameKey(name: string): string {
  return (normalise(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(fold).join(" ");
}
