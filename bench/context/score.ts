/** Counts of a part's figures: each name with how many of how many. */
export type Count = { hits: number; of: number };
export type Counts = Map<string, Count>;

/** Adds one case to a figure: a hit or a miss, or a share of them. */
export function count(counts: Counts, name: string, hit: boolean | number): void {
  const before = counts.get(name) ?? { hits: 0, of: 0 };
  counts.set(name, { hits: before.hits + Number(hit), of: before.of + 1 });
}

export function has(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

export function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => has(text, word));
}

/** Where the current value stands among a block's lines, and whether a line with an old value and without the current one stands before it. */
export function placeOfCurrent(
  lines: readonly string[],
  { current, stale }: { current: readonly string[]; stale: readonly string[] },
): { at: number; staleBefore: boolean } {
  const at = lines.findIndex((line) => hasAll(line, current));
  const old = lines.findIndex((line) => stale.some((word) => has(line, word)) && !hasAll(line, current));
  return { at, staleBefore: old >= 0 && (at < 0 || old < at) };
}

export type ListAnswer = { routed: boolean; found: boolean; text: string; values: readonly string[] };
export type ListVerdict = "right" | "wrong" | "denied" | "not routed" | "left alone" | "taken";

/** What an answer about a list is worth. `denied`: it says that nothing is stored though something was said. */
export function judgeListAnswer(
  { routed, found, text, values }: ListAnswer,
  { answer, ordered }: { answer: string | readonly string[]; ordered: boolean },
): ListVerdict {
  if (answer === "not a list question") return routed ? "taken" : "left alone";
  if (!routed) return "not routed";
  if (answer === "not stored") return found ? "wrong" : "right";
  if (!found) return "denied";
  return isRight({ text, values }, { answer, ordered }) ? "right" : "wrong";
}

function isRight(
  { text, values }: Pick<ListAnswer, "text" | "values">,
  { answer, ordered }: { answer: string | readonly string[]; ordered: boolean },
): boolean {
  if (typeof answer === "string") return new RegExp(`\\b${answer.replace(/^count:/u, "")}\\b`, "i").test(text);
  if (answer.length !== Math.max(values.length, 1)) return false;
  return answer.every((item, i) =>
    ordered ? has(values[i] ?? text, item) : values.some((value) => has(value, item)) || (answer.length === 1 && has(text, item)),
  );
}

/** Of a question's results. A question that needs nothing has precision 1 if nothing came back, and no recall. */
export function precisionAndRecall(
  needed: ReadonlySet<string>,
  found: readonly string[],
): { precision: number; recall: number | null } {
  const right = found.filter((id) => needed.has(id)).length;
  if (needed.size === 0) return { precision: found.length === 0 ? 1 : 0, recall: null };
  return { precision: found.length === 0 ? 0 : right / found.length, recall: right / needed.size };
}
