import { toNormalizedText } from "#core/language/folded";
import { IRREGULAR_FORMS } from "#core/text/irregular-forms";
import { type Change, type Clause, done, type Editing, has, stated } from "./editing.ts";
import { type ItemState, type KeptList, type Mention, nameStems, stemsOf } from "./kept-list.ts";
import { contentWords, type Span, sameStem, wordsIn } from "./talk-words.ts";

/** So few words that name nothing speak of what the sentence before named: "gone", "cross him off". */
const SHORT_WORDS = 5;

/** "Clear the list", "wipe the rest". */
export const clear: Change = (editing, clause) => {
  const { talk } = editing.list;
  const [verb] = talk.find("clear", clause.normalized);
  if (verb === undefined || clause.mentions.length > 0) return null;
  const rest = clause.normalized.slice(verb.end);
  const whole = talk.find("all", rest)[0];
  if (whole === undefined || has(editing, "not", { normalized: clause.normalized.slice(0, verb.start) })) return null;
  const named = nameStems(editing.list);
  const between = contentWords(rest.slice(0, whole.start), talk, ["empty", "generic", "all"]);
  if (between.some(({ stem }) => !named.some((each) => sameStem(each, stem)))) return null;
  const items = editing.list.items.map((item) =>
    item.state === "open" ? { ...item, state: "gone" as const, unsure: false } : item,
  );
  return done(editing, { ...editing.list, items, unsure: false }, []);
};

/** "X is done", "got the X", "cross X off", "no X". */
export const close: Change = (editing, clause) => {
  const { list } = editing;
  const state = stateIn(editing, clause);
  if (state === null) return null;
  const named = clause.mentions.map(({ index }) => index);
  if (state === "open")
    return named.length === 0 ? null : { ...done(editing, stated(list, named, state), named), pending: editing.pending };
  const own = [...editing.pending, ...named];
  const indexes = own.length > 0 ? own : wordsIn(clause.normalized, list.talk).length <= SHORT_WORDS ? editing.spoken : [];
  if (indexes.length === 0) return null;
  if (has(editing, "may", clause)) return null;
  return done(editing, stated(list, indexes, state), indexes);
};

function stateIn(editing: Editing, clause: Clause): ItemState | null {
  const { talk } = editing.list;
  const { normalized, mentions } = clause;
  if (talk.has("back", normalized)) return "open";
  const [mention] = mentions;
  const last = mentions.at(-1);
  const denied = (span: Span) => talk.find("not", normalized).some(({ end }) => end <= span.start);
  const named = mentions.flatMap(({ index }) => stemsOf(editing.list.items[index]?.value ?? "", talk));
  // "The scratch" of a list of damages takes nothing off.
  const isName = (span: Span) =>
    wordsIn(normalized.slice(span.start, span.end), talk).every(({ stem }) => named.some((each) => sameStem(each, stem)));
  const gone = talk.find("remove", normalized).filter((span) => isNear(span, clause, editing.list) && !isName(span));
  const finished = [
    ...talk.find("done", normalized),
    ...talk
      .find("doneActive", normalized)
      .filter(
        ({ end }) =>
          mention !== undefined && end <= mention.start && contentWords(normalized.slice(end, mention.start), talk).length === 0,
      ),
    ...deedsIn(clause, editing.list),
    ...(mention === undefined || last === undefined
      ? []
      : talk
          .find("doneForm", normalized)
          .filter(
            ({ start, end }) =>
              (end <= mention.start && mention.start - end < 12) || (start >= last.end && wordsIn(normalized, talk).length <= 5),
          )),
  ].filter(
    (span) => isNear(span, clause, editing.list) && !isOfItem(normalized.slice(span.start, span.end), editing.list, mentions),
  );
  if (finished.length > 0) return finished.some((span) => denied(span) || talk.has("future", normalized)) ? null : "done";
  if (gone.length > 0) return gone.some(denied) ? null : "gone";
  if (mention === undefined) return null;
  const isNone = ({ end }: Span) => end <= mention.start && contentWords(normalized.slice(end, mention.start), talk).length === 0;
  return talk.find("none", normalized).some(isNone) ? "gone" : null;
}

/** Whether a verb stands near what it is said of, or the clause is short. */
function isNear(span: Span, { normalized, mentions }: Clause, { talk }: KeptList): boolean {
  if (mentions.length === 0 || wordsIn(normalized, talk).length <= SHORT_CLAUSE) return true;
  return mentions.some(({ start, end }) => {
    const between = normalized.slice(Math.min(end, span.end), Math.max(start, span.start));
    return wordsIn(between, talk).length <= NEAR_WORDS;
  });
}

const SHORT_CLAUSE = 9;

const NEAR_WORDS = 5;

/** The item's own verb in the past: "I have ridden a camel" of "ride a camel". */
function deedsIn({ normalized, mentions }: Clause, { talk, items }: KeptList): Span[] {
  if (talk.code !== "en") return [];
  const own = mentions.flatMap(({ index }) => wordsIn(toNormalizedText(items[index]?.value ?? ""), talk));
  const surface = new Set(mentions.flatMap(({ index }) => toNormalizedText(items[index]?.value ?? "").split(/[^a-z']+/)));
  return wordsIn(normalized, talk).filter(({ start, end, stem }) => {
    const word = normalized.slice(start, end);
    const isPast = /[a-z]{3}ed$/.test(word) || IRREGULAR_FORMS.has(word);
    return isPast && !surface.has(word) && own.some((each) => each.stem === stem);
  });
}

/** Whether a verb stands in the item in this very form: "pay the rent" is not done because somebody says "pay". */
function isOfItem(verb: string, { items }: KeptList, mentions: readonly Mention[]): boolean {
  return mentions.some(({ index }) =>
    new RegExp(`(?<!\\p{L})${verb.replace(/[^\p{L} '-]/gu, ".")}(?!\\p{L})`, "u").test(
      toNormalizedText(items[index]?.value ?? ""),
    ),
  );
}
