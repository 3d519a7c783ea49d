import { toNormalizedText } from "#core/language/folded";
import { type KeptList, mentionsIn } from "./kept-list.ts";
import { contentWords, type TalkClass, wordsIn } from "./talk-words.ts";

/** Parts of a sentence between commas, and before "and" if a verb of a change follows it. */
export function clausesOf(sentence: string, list: KeptList): string[] {
  const { talk } = list;
  return sentence.split(/(?<!\d),|,(?!\d)|[，、；;]/u).flatMap((part) => {
    const normalized = toNormalizedText(part);
    const cuts = talk
      .find("and", normalized)
      .filter(
        ({ start, end }) =>
          contentWords(normalized.slice(0, start), talk, ["empty"]).length > 0 &&
          beginsChange(normalized.slice(end).trimStart(), list),
      );
    const starts = [0, ...cuts.map(({ start }) => start)];
    return starts.map((start, i) => part.slice(start, cuts[i]?.start ?? part.length));
  });
}

export type Enumeration = { clauses: string[]; isOpen: boolean };

/**
 * The clauses of a sentence with "add milk, butter and rolls" as one. `isOpen`: without an "and" before the last of them, as in "add milk, thanks
 * love", what follows may be no item.
 */
export function withEnumeration(clauses: readonly string[], list: KeptList): Enumeration {
  const from = clauses.findIndex((clause) => adds(clause, list));
  if (from < 0) return { clauses: [...clauses], isOpen: false };
  const after = clauses.slice(from + 1);
  const end = after.findIndex((clause) => !isBare(clause, list));
  const more = end < 0 ? after : after.slice(0, end);
  const last = toNormalizedText(more.at(-1) ?? "");
  if (more.length === 0) return { clauses: [...clauses], isOpen: false };
  const [and] = list.talk.find("and", last);
  if (and === undefined) return { clauses: [...clauses], isOpen: true };
  const word = ` ${last.slice(and.start, and.end)} `;
  const whole = [clauses[from] ?? "", ...more.map((clause) => withoutAnd(clause, list))].join(word);
  return { clauses: [...clauses.slice(0, from), whole, ...after.slice(more.length)], isOpen: false };
}

function withoutAnd(clause: string, { talk }: KeptList): string {
  const trimmed = clause.trimStart();
  return trimmed.slice(talk.leads("and", toNormalizedText(trimmed))).trim();
}

/** Whether a clause adds something and names nothing that is there. */
function adds(clause: string, list: KeptList): boolean {
  const normalized = toNormalizedText(clause).trimStart();
  const isAdding = list.talk.leads("addFirst", normalized) > 0 || list.talk.has("add", normalized);
  return isAdding && !CLOSING.some((name) => list.talk.has(name, normalized)) && mentionsIn(clause, list).length === 0;
}

/** Whether a clause is a few words that say nothing of what is there, of the speaker or of a change: a name, perhaps. */
function isBare(clause: string, list: KeptList): boolean {
  const normalized = toNormalizedText(clause);
  const words = wordsIn(normalized, list.talk).length;
  const content = contentWords(normalized, list.talk, ["empty", "generic", "filler"]).length;
  return (
    content > 0 &&
    words <= BARE_WORDS &&
    !SPOKEN.some((name) => list.talk.has(name, normalized)) &&
    mentionsIn(clause, list).length === 0
  );
}

const BARE_WORDS = 5;
const CLOSING: readonly TalkClass[] = ["remove", "done", "doneActive", "swap", "clear", "not"];
const SPOKEN: readonly TalkClass[] = [
  ...CLOSING,
  "add",
  "me",
  "remark",
  "future",
  "toTop",
  "toEnd",
  "before",
  "after",
  "instead",
];

function beginsChange(rest: string, list: KeptList): boolean {
  const lead = Math.max(...VERBS.map((name) => list.talk.leads(name, rest)));
  return lead > 0 && !mentionsIn(rest, list).some(({ start }) => start < lead);
}

const VERBS: readonly TalkClass[] = ["add", "remove", "swap", "clear"];
