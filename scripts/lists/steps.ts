import { toNormalizedText } from "#core/language/folded";
import type { KeptItem, KeptList } from "../../src/domain/facts/kept-list.ts";
import { replayLists } from "../../src/domain/facts/replay-lists.ts";
import { talkIn } from "../../src/domain/facts/talk-words.ts";
import { formByAnswer, type ListChat, trueList } from "../questions/talk.ts";

/** A message to the list as it truly was, and what it truly did. Indexes are of the list's items. */
export type Step = {
  chat: ListChat;
  list: KeptList;
  text: string;
  /** Items that the message before changed. */
  before: readonly number[];
  /** Items that went or came back. */
  changed: readonly number[];
  added: readonly string[];
  /** Of the items that went, whether they are done; null where nothing says so. */
  done: readonly (boolean | null)[];
  /** What is on the list afterwards. */
  now: readonly string[];
};

const plain = (text: string): string => toNormalizedText(text).trim();

/** The messages of a chat after the one that states its list. Items have the words with which the list is read, where it is read rightly. */
export function stepsOf(chat: ListChat): Step[] {
  const stating = chat.turns.findIndex(({ list }) => list !== null && list.length > 0);
  const first = chat.turns[stating];
  if (first === undefined || first.list === null) return [];
  const [read] = replayLists([{ text: first.text, session: 0, at: 0 }], undefined, null);
  const said = new Map(first.list.map((value) => [value, itemFor(value, read?.items ?? [])]));
  const at = plain(first.text).indexOf(plain(first.list[0] ?? ""));
  const head = read?.head ?? first.text.slice(0, Math.max(0, at));
  const talk = talkIn(plain(chat.turns.map(({ text }) => text).join(" ")));
  const known = [...first.list];
  let open = first.list;
  let before: readonly number[] = [];
  return chat.turns.slice(stating + 1).flatMap(({ text, list: now }): Step[] => {
    if (now === null) return [];
    const values = [...open, ...known.filter((value) => !open.includes(value))];
    const items = values.map(
      (value): KeptItem => ({
        ...(said.get(value) ?? { label: null, value }),
        state: open.includes(value) ? "open" : "off",
        unsure: false,
        odds: 1,
      }),
    );
    const list: KeptList = { talk, head, items, ordered: read?.ordered ?? false, unsure: false, odds: 1, orderOdds: 1 };
    const changed = values.flatMap((value, i) => (open.includes(value) === now.includes(value) ? [] : [i]));
    const added = now.filter((value) => !values.includes(value));
    const done = changed.map((i) => (open.includes(values[i] ?? "") ? isDone(chat, values[i] ?? "") : null));
    const step = { chat, list, text, before, changed, added, done, now };
    const spoken = new Set([...changed.map((i) => values[i]), ...added]);
    known.push(...added);
    open = now;
    before = [...now, ...known.filter((value) => !now.includes(value))].flatMap((value, i) => (spoken.has(value) ? [i] : []));
    return [step];
  });
}

function itemFor(value: string, items: readonly KeptItem[]): { label: string | null; value: string } {
  const item = items.find((each) => plain(each.value).includes(plain(value)));
  return item === undefined ? { label: null, value } : { label: item.label, value: item.value };
}

/** Whether an item is done, by the answers to the chat's questions: what is done, and whether this item is. */
function isDone(chat: ListChat, value: string): boolean | null {
  const list = trueList(chat);
  if (list === null || list.items.find((item) => plain(item.value) === plain(value))?.state !== "done") return null;
  for (const { q, answer } of chat.questions) {
    const form = formByAnswer(q, answer, list);
    if (form === "done" && Array.isArray(answer)) return answer.some((each) => plain(each) === plain(value));
  }
  return null;
}
