import { toNormalizedText } from "#core/language/folded";
import { type KeptList, mentionsIn } from "./kept-list.ts";
import { sentencesOf } from "./split-items.ts";
import { contentWords, type TalkClass } from "./talk-words.ts";

/** Whether a sentence is a question, and not a remark with a question mark. */
export function asks(sentence: string, { talk }: KeptList): boolean {
  const normalized = toNormalizedText(sentence);
  return (
    /[?？]\s*$/u.test(sentence) &&
    (!talk.spaced || (["polar", "what", "who", "howMany"] as const).some((name) => talk.leads(name, normalized) > 0))
  );
}

export function sentencesWithMarks(text: string): string[] {
  const marked: string[] = [];
  for (const sentence of sentencesOf(text)) {
    const at = text.indexOf(sentence);
    const mark = /^[^\p{L}\p{N}]*/u.exec(text.slice(at + sentence.length))?.[0] ?? "";
    marked.push(`${sentence}${mark.includes("?") || mark.includes("？") ? "?" : ""}`);
  }
  return marked;
}

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
