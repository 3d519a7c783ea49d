import type { WordClass } from "#core/language/pack";
import { classOf, hanClassAt } from "#core/language/word-classes";
import { fold } from "#core/text/normalize";

/** Pronouns, kinship words and kinds of pets are no names, in any of the languages. */
const NO_NAME: ReadonlySet<WordClass> = new Set(["me", "us", "you", "third", "kin", "pet", "not", "be"]);
/** Articles, and words for whoever uses the app. */
const NO_NAME_EITHER = new Set(
  "the a an this that user speaker assistant ai person people somebody someone nobody everyone everybody unknown none der die das ein eine nutzer benutzer el la los las un una usuario le les une utilisateur utilisatrice 用户 的 说话者".split(
    " ",
  ),
);
const NUMBER = /^\d+$/;
const SEPARATED_ID = /^(?=\S*\d)(?=\S*[-_:.@/|#])\S+$/u;
const SHORT_ID = /^(?:[a-z]|(?:[Uu]ser|usr|uid|id|[Gg]uest|[Mm]ember|[Cc]ustomer|[Cc]lient))\d+$/u;
const LONG_ID = /^(?=\S*\d\S*\d\S*\d)\S+$/u;

/** Whether a name is an app's id ("q3-1", "user_42", an e-mail address), which says nothing to a reader. */
export function isIdLike(name: string): boolean {
  const word = name.trim().replace(/^@/, "");
  return SEPARATED_ID.test(word) || SHORT_ID.test(word) || LONG_ID.test(word) || /^\S+@\S+$/u.test(word);
}

/** Whether a name can be somebody's: no id, and not only pronouns, kinship words ("my father") and the like. */
export function isPersonName(name: string): boolean {
  if (isIdLike(name)) return false;
  return wordsOf(name).some((word) => !isNoName(word));
}

/** Whether these words mean the speaker or somebody known only by their relationship to them: "I", "the user", "mum", "he". */
export function isOfSpeaker(name: string): boolean {
  return !isIdLike(name) && !isPersonName(name) && !wordsOf(name).every((word) => classOf(word) === "us");
}

function isNoName(word: string): boolean {
  if (NO_NAME_EITHER.has(word) || NUMBER.test(word)) return true;
  const found = classOf(word);
  return (found !== null && NO_NAME.has(found)) || isHanNoName(word);
}

/** Whether a run of Han is made of nothing but such words, as "我妈妈" is. */
function isHanNoName(word: string): boolean {
  const characters = [...word];
  let at = 0;
  while (at < characters.length) {
    const found = hanClassAt(characters, at);
    if (found !== null && NO_NAME.has(found.name)) at += found.length;
    else if (characters[at] === "的") at += 1;
    else return false;
  }
  return true;
}

function wordsOf(name: string): string[] {
  return (name.replaceAll("’", "'").match(/[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []).map((word) =>
    fold(word.replace(/'s$/iu, "")),
  );
}
