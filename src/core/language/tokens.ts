import { fold } from "#core/text/normalize";
import { classOf, hanClassAt } from "./word-classes.ts";

/** A word, folded, and its class (`word-classes`) or its shape. */
export type Token = { word: string; name: string; isHan: boolean };

const TOKEN = /\p{Script=Han}|[\p{L}\p{M}]+(?:'[\p{L}]+)*|\p{N}+(?:[.,:]\p{N}+)*|[^\s\p{L}\p{N}]/gu;
const HAN = /\p{Script=Han}/u;
const CAPITAL = /^\p{Lu}\p{Ll}/u;
/** Longer clauses and passages are judged by so many tokens of their beginning. */
export const MAX_TOKENS = 400;

/** The words of a text, folded, with digits as zeros, each with its class (`word-classes`) or its shape. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const written = (text.match(TOKEN) ?? []).slice(0, MAX_TOKENS);
  for (let i = 0; i < written.length; i++) {
    const word = written[i] ?? "";
    if (HAN.test(word)) {
      const found = hanClassAt(written, i);
      for (let at = 0; at < (found?.length ?? 1); at++)
        tokens.push({ word: written[i + at] ?? "", name: found !== null && at === 0 ? found.name : "", isHan: true });
      i += (found?.length ?? 1) - 1;
      continue;
    }
    const folded = fold(word);
    if (/^\p{N}/u.test(word)) tokens.push({ word: folded.replace(/\p{N}/gu, "0"), name: "number", isHan: false });
    else tokens.push({ word: folded, name: classOf(folded) ?? shapeOf(word, i), isHan: false });
  }
  return tokens;
}

function shapeOf(word: string, at: number): string {
  if (!/\p{L}/u.test(word)) return word;
  if (at > 0 && CAPITAL.test(word)) return "Name";
  return "w";
}
