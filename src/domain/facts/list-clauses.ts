import { toNormalizedText } from "#core/language/folded";
import { type KeptList, mentionsIn } from "./kept-list.ts";
import { contentWords, type TalkClass } from "./talk-words.ts";

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

function beginsChange(rest: string, list: KeptList): boolean {
  const lead = Math.max(...VERBS.map((name) => list.talk.leads(name, rest)));
  return lead > 0 && !mentionsIn(rest, list).some(({ start }) => start < lead);
}

const VERBS: readonly TalkClass[] = ["add", "remove", "swap", "clear"];
