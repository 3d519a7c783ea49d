import { rankOf } from "./ordinals.ts";
import type { Span, Talk } from "./talk-words.ts";

/** The words of a question that name a rank. */
export function rankSpans(text: string, talk: Talk): Span[] {
  return [...talk.ordinals(text), ...numberedIn(text, talk), ...talk.find("lastRank", text), ...talk.find("topRank", text)];
}

/** Whether a question names a rank by its number. */
export function hasNumberedRank(text: string, talk: Talk): boolean {
  return talk.ordinals(text).length > 0 || numberedIn(text, talk).length > 0;
}

/** "Number 2", "#2": the word and the number after it. */
function numberedIn(text: string, talk: Talk): Span[] {
  return talk.find("numbered", text).flatMap(({ start, end }) => {
    const figure = /^ ?(?:\d{1,2}|[a-z]{3,6}|[一二三四五六七八九十])(?![\p{L}\d])/u.exec(text.slice(end))?.[0];
    return figure === undefined || rankOf(figure.trim()) === null ? [] : [{ start, end: end + figure.length }];
  });
}

/** The rank that a question asks for. */
export function rankAsked(text: string, talk: Talk): number | "last" | null {
  const [span] = talk.ordinals(text);
  if (span !== undefined) return rankOf(text.slice(span.start, span.end));
  const [numbered] = numberedIn(text, talk);
  if (numbered !== undefined) return rankOf(text.slice(numbered.start, numbered.end).replace(/^\D+ ?(?=\d)|^.* /u, ""));
  if (talk.has("lastRank", text)) return "last";
  return talk.has("next", text) || (talk.has("topRank", text) && !talk.has("show", text.replace(/\S+$/u, ""))) ? 1 : null;
}
