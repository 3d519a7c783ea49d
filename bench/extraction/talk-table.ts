import { markdown } from "../cost/table.ts";
import type { Unseen, UnseenKind } from "./authors.ts";
import { HEADS } from "./authors.ts";
import { DEFAULT_THRESHOLD, storedFrom } from "./stored.ts";
import type { FirstContacts, RoundMessage } from "./talk.ts";
import { areaUnderCurve, byLanguage, scoreTalk, share, type TalkCounts } from "./talk-score.ts";

const NOW = ["recall", "precision", "stored from nothing"];

/** Every round by language as the code stands, beside what first contact measured. */
export function roundsTable(rounds: ReadonlyMap<string, readonly RoundMessage[]>, first: FirstContacts): string {
  const rows = [...rounds].flatMap(([round, messages]) =>
    byLanguage(messages).map(([language, of]) => {
      const counts = scoreTalk(of.map(readMessage));
      const met = first[round]?.[language];
      const recorded =
        met === undefined ? ["", "", ""] : [share(met.recall, 1), share(met.precision, 1), ofNothing(met.storedFromNothing)];
      return [round, language, String(counts.messages), String(counts.facts), ...recorded, ...figures(counts)];
    }),
  );
  const heads = [
    "round",
    "language",
    "messages",
    "facts",
    ...NOW.map((name) => `first contact: ${name}`),
    ...NOW.map((name) => `now: ${name}`),
  ];
  return `### Outside talk, rules and judge, confidence ${DEFAULT_THRESHOLD} and more\n\n${markdown(heads, rows)}`;
}

/** How the judge reads authors that it was not trained on: by author, and by language over all of them. */
export function authorsTable(messages: readonly Unseen[]): string {
  const authors = [...Map.groupBy(messages, ({ author }) => author)];
  const groups = [...authors, ...byLanguage(messages), ["all", messages] as const];
  const rows = groups.map(([name, of]) => {
    const counts = scoreTalk(of);
    const area = areaUnderCurve(of.map(({ score, keep }) => ({ score, isKept: keep })));
    return [name, String(counts.messages), String(counts.facts), area.toFixed(3), ...figures(counts)];
  });
  const heads = ["author or language", "messages", "facts", "AUC of messages", ...NOW];
  return `### Each author read by a judge that was trained without them\n\n${markdown(heads, rows)}`;
}

/** How often such a judge says of a marked span what its author said. */
export function kindsTable(kinds: readonly UnseenKind[]): string {
  const rows = HEADS.map((head) => {
    const pairs = kinds.map((kind) => kind[head]);
    const agreed = pairs.filter(({ said, marked }) => said === marked).length;
    const [[name = "", most = 0] = []] = [...countsOf(pairs.map(({ marked }) => marked))].sort((a, b) => b[1] - a[1]);
    return [
      head,
      String(pairs.length),
      share(agreed, pairs.length),
      `${share(most, pairs.length)} (${name})`,
      ...ofMarked(pairs),
    ];
  });
  const heads = ["", "spans", "agreement", "always the commonest", "found of those marked true", "right of those said true"];
  return `### What kind of statement a marked span is\n\n${markdown(heads, rows)}`;
}

/** Recall and precision of a kind that is true or false. */
function ofMarked(pairs: readonly { said: string; marked: string }[]): [string, string] {
  const marked = pairs.filter((pair) => pair.marked === "true");
  const said = pairs.filter((pair) => pair.said === "true");
  const both = marked.filter((pair) => pair.said === "true").length;
  return [share(both, marked.length), share(both, said.length)];
}

function readMessage({ lang, text, keep, facts }: RoundMessage) {
  return { lang, keep, facts: facts.map(({ mustContain }) => mustContain), stored: storedFrom(text) };
}

function figures({ kept, facts, right, stored, storedFromNothing, nothing }: TalkCounts): string[] {
  return [share(kept, facts), share(right, stored), ofNothing(`${storedFromNothing}/${nothing}`)];
}

/** "9/110" with its share of a hundred. */
function ofNothing(counts: string): string {
  const [part = 0, of = 0] = counts.split("/").map(Number);
  return of === 0 ? counts : `${counts} (${((100 * part) / of).toFixed(1)} %)`;
}

function countsOf(names: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, same]) => [name, same.length]));
}
