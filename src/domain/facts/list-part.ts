export type Item = { rank: number; value: string };
/** `end`: where the last value begins to end, for what is said after it. */
export type ListItems = { items: Item[]; whole: boolean; from: number; end: number };
/** A part of the text, with the normalized text of the whole. */
export type Part = { text: string; normalizedText: string; from: number; to: number };

const CLAUSE_START =
  /^(?:i|i'm|we|he|she|they|you|it|there|my|your|his|her|that|this|which|what|who|when|if|ich|wir|er|sie|es|du|mein\p{L}*|yo|mi|je|tu|il|elle|on|mon|ma|getting|becoming|being|going|changing|based|very|so|too|really|all|both|much|quite|always|dont|don't|no|keine?|got|to|had|have|was|were|went|hard|easy|difficult|tough|impossible|the same|either|whatever|up to|different) /u;
const NO_NAME = /^(?:that|this|it|which|what|who|there|he|she|they|something|anything|one|的)$/u;
const NAME_WORDS = 7;

/** Whether it can be a thing's name, rather than a clause; a title's second word has a capital letter. */
export function isName(value: string): boolean {
  const lower = value.toLowerCase();
  const title = /^\p{Lu}\S* \p{Lu}/u.test(value);
  return (
    value.split(" ").length <= NAME_WORDS &&
    !NO_NAME.test(lower) &&
    !/: /.test(value) &&
    (title || !CLAUSE_START.test(lower)) &&
    !(value === lower && / (?:or|oder|ou) /.test(lower))
  );
}
