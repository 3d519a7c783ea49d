import type { TalkMessage } from "../judge/talk.ts";

/** Longer ones are cut: most of what a teacher reads of them is in their sentences too. */
const LONGEST = 600;
const SENTENCE_END = /[.!?;\n]/u;
const CLAUSE_END = /[,:]|\s(?:-|and|but|so|because|cos)\s/u;

/** English messages, what is marked in them, their sentences and their clauses, of two words at least; each once. */
export function trainingTexts(messages: readonly TalkMessage[]): string[] {
  const texts = messages
    .filter(({ lang }) => lang === "en")
    .flatMap(({ text, keep }) => {
      const sentences = text.split(SENTENCE_END);
      return [text, ...keep.map(({ span }) => span), ...sentences, ...sentences.flatMap((each) => each.split(CLAUSE_END))];
    })
    .map((text) => text.trim().slice(0, LONGEST));
  return [...new Set(texts)].filter((text) => text.split(/\s/u).length >= 2);
}
