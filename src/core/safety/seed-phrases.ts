import type { Secret } from "./secret.ts";

const SEED_LABEL =
  /(?:(?:seed|recovery|backup|mnemonic|wallet|secret)[ -]?(?:phrase|words)|mnemonic|seed|助记词|助記詞|シードフレーズ|сид-?фраза|phrase de récupération|phrase secrète|wiederherstellungs(?:phrase|wörter)|frase (?:semilla|de recuperación|seed|di recupero|de recuperação))(?=[^\n]{0,40}?(?:[:：=是はè—–-]|\s(?:is|are|ist|lautet|est|es|é|será)\s)|\n)/giu;
const SEED_WORDS = /(?<![a-z'-])(?:(?:\d{1,2}[.):]?\s{0,2})?[a-z]{3,8}(?:[\s,]{1,3}|$|(?=[.;"'`)\]]))){12,24}/g;
/** Short words of every English sentence that are not among the 2,048 of BIP-39. */
const NOT_SEED = /\b(?:the|and|was|has|for|are|not|with|from|they|have|your|our|but|which|because|were|should|must|his|her)\b/;
const SEED_REACH = 360;

/** A wallet's recovery phrase (BIP-39: 12 to 24 lower-case words of three to eight letters), named as such. */
export function findSeedPhrases(text: string): Secret[] {
  const found: Secret[] = [];
  for (const match of text.matchAll(SEED_LABEL)) {
    const after = match.index + match[0].length;
    const words = [...text.slice(after, after + SEED_REACH).matchAll(SEED_WORDS)].find(([run]) => !NOT_SEED.test(run));
    if (words === undefined) continue;
    const start = after + words.index;
    found.push({ kind: "seed_phrase", start, end: start + lengthOfPhrase(words[0]) });
  }
  return found;
}

/** A phrase has 12, 15, 18, 21 or 24 words; one or two more are the sentence that follows it. */
function lengthOfPhrase(run: string): number {
  const words = [...run.matchAll(/[a-z]{3,8}/g)];
  const last = words[words.length - (words.length % 3) - 1];
  return last === undefined ? 0 : last.index + last[0].length;
}
