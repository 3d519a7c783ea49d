import { judgeListAnswer, type ListVerdict } from "../../bench/context/score.ts";
import { askLists } from "../../src/domain/facts/asked-list.ts";
import { type ChangeModels, unpackModels } from "../../src/domain/facts/change-models.ts";
import { byRank, saidOf } from "../../src/domain/facts/lists-now.ts";
import { type QuestionModel, unpackAll } from "../../src/domain/facts/question-model.ts";
import { replayLists } from "../../src/domain/facts/replay-lists.ts";
import { routeQuestion } from "../../src/domain/facts/route-question.ts";
import { createTopicIndex } from "../../src/domain/facts/topics.ts";
import type { ListChat } from "../questions/talk.ts";
import { trainQuestions } from "../questions/train.ts";
import { lessonsOf, otherLessons, trainChanges } from "./train.ts";

/** Authors that are left out together, so that the models are trained this often. */
const FOLDS = 4;
const NO_TOPICS = createTopicIndex([]);

type Models = { changes: ChangeModels; questions: QuestionModel };

/** What is answered of the English lists of each author by models that never saw them, without a service: the questions that facts answer are approximate. */
export function reportUnseen(
  authors: ReadonlyMap<string, readonly ListChat[]>,
  talk: readonly { lang: string; text: string }[],
  { misses }: { misses: boolean },
): void {
  const verdicts: { author: string; verdict: ListVerdict }[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const isOut = (_: unknown, i: number) => i % FOLDS === fold;
    const own = [...authors].filter((_, i) => !isOut(_, i)).flatMap(([, chats]) => chats);
    const english = talk.filter(({ lang }) => lang === "en").map(({ text }) => text);
    const models = {
      changes: unpackModels(trainChanges([...lessonsOf(own), ...otherLessons(own, english)])),
      questions: unpackAll(
        trainQuestions(
          own,
          talk.map(({ text }) => text),
        ),
      ),
    };
    for (const [author, chats] of [...authors].filter(isOut))
      for (const chat of chats.filter(({ lang }) => lang === "en"))
        verdicts.push(...verdictsOf(chat, { author, models, misses }));
  }
  for (const name of [...authors.keys(), ""])
    console.log(
      lineOf(
        name || "all",
        verdicts.filter(({ author }) => name === "" || author === name),
      ),
    );
}

type Of = { author: string; models: Models; misses: boolean };

function verdictsOf(chat: ListChat, { author, models, misses }: Of): { author: string; verdict: ListVerdict }[] {
  const turns = chat.turns.map(({ text }, at) => ({ text, session: 0, at }));
  const lists = replayLists(turns, NO_TOPICS, models.changes);
  return chat.questions.map(({ q, answer }) => {
    const route = routeQuestion(q, NO_TOPICS);
    const [recent] = lists;
    const got =
      route === null
        ? askLists(q, lists, 0, { said: saidOf(turns), model: models.questions })?.answer
        : recent === undefined
          ? null
          : byRank(recent, route);
    const said = got ?? null;
    const values = said !== null && "values" in said ? said.values.map(({ value }) => value) : [];
    const text =
      said === null
        ? ""
        : said.ask === "count"
          ? `${said.count}.`
          : said.ask === "member"
            ? said.yes
              ? "Yes."
              : "No."
            : values.join(", ");
    const verdict = judgeListAnswer({ routed: said !== null, found: true, text, values }, { answer, ordered: false });
    if (misses && (verdict === "wrong" || verdict === "taken"))
      console.log(
        chat.id,
        verdict,
        turns.map((turn) => turn.text),
        "|",
        q,
        "|",
        answer,
        "| got",
        text,
      );
    return { author, verdict };
  });
}

function lineOf(name: string, of: readonly { verdict: ListVerdict }[]): string {
  const count = (verdict: ListVerdict) => of.filter((each) => each.verdict === verdict).length;
  const asked = of.length - count("left alone") - count("taken");
  const share = (verdict: ListVerdict) => `${verdict} ${(count(verdict) / asked).toFixed(3)}`;
  return `${name}: ${share("right")}, ${share("wrong")}, ${share("not routed")} of ${asked}; others left alone ${count("left alone")} of ${of.length - asked}`;
}
