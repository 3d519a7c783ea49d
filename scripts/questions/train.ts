import type { PackedModel } from "#core/linear/model";
import { fitting, isExplained } from "../../src/domain/facts/fit-list.ts";
import type { ReplayedList } from "../../src/domain/facts/kept-list.ts";
import { answerOf } from "../../src/domain/facts/list-answer.ts";
import { mayAskLists, questionOf } from "../../src/domain/facts/list-question.ts";
import { questionFeatures } from "../../src/domain/facts/question-features.ts";
import { QUESTION_FORMS, type QuestionForm } from "../../src/domain/facts/question-forms.ts";
import { type Labelled, trainSoftmax } from "../judge/logistic.ts";
import { packed } from "../judge/packed.ts";
import { formByAnswer, type ListChat, saidIn, trueList } from "./talk.ts";

const OPTIONS = { buckets: 2 ** 12, epochs: 12, rate: 0.1, decay: 2e-4, balance: 0 };

/** Steps through the chats, so that the same ones meet each time. */
const NEXT_LIST = 37;
const OTHER_CHAT = 7;

/** Trains the model of questions about lists. `other`: messages that are about no list. */
export function trainQuestions(chats: readonly ListChat[], other: readonly string[]): Record<QuestionForm, PackedModel> {
  const examples = [
    ...chats.flatMap((chat, i) => [
      ...asked(chat),
      ...turnsOf(chat),
      ...askedElsewhere(chat, chats[(i + OTHER_CHAT) % chats.length]),
    ]),
    ...other.filter(mayAskLists).flatMap((text, i) => {
      const chat = chats[((i + 1) * NEXT_LIST) % chats.length];
      return chat === undefined ? [] : example(text, "nothing", { chat, list: trueList(chat) });
    }),
  ];
  const tables = trainSoftmax(examples, QUESTION_FORMS.length, OPTIONS);
  const models = QUESTION_FORMS.map((form, i) => [form, packed(tables[i] ?? new Float32Array(OPTIONS.buckets + 1))] as const);
  // The names are those of `QUESTION_FORMS`.
  return Object.fromEntries(models) as Record<QuestionForm, PackedModel>;
}

type Of = { chat: ListChat; list: ReplayedList | null };

function example(text: string, form: QuestionForm | null, { chat, list }: Of): Labelled[] {
  const question = questionOf(text);
  if (question === null || list === null || form === null || !mayAskLists(text)) return [];
  const fit = fitting(question, list, saidIn(chat, list));
  const isPlain = isExplained(question, list, fit);
  const rule = isPlain ? (answerOf(question, list, fit)?.ask ?? "none") : "unexplained";
  return [{ features: questionFeatures(question, list, { fit, rule }), label: QUESTION_FORMS.indexOf(form) }];
}

function asked(chat: ListChat): Labelled[] {
  const list = trueList(chat);
  return chat.questions.flatMap(({ q, answer }) =>
    example(q, list === null ? null : formByAnswer(q, answer, list), { chat, list }),
  );
}

/** What is said to state or change the list, or beside it, asks nothing of it. */
function turnsOf(chat: ListChat): Labelled[] {
  return chat.turns.flatMap(({ text }, i) => example(text, "nothing", { chat, list: trueList(chat, i) }));
}

/** A question with words of its own list asks nothing of another. */
function askedElsewhere(chat: ListChat, other: ListChat | undefined): Labelled[] {
  const [own, list] = [trueList(chat), other === undefined || other.lang !== chat.lang ? null : trueList(other)];
  if (own === null || list === null || other === undefined || other === chat) return [];
  return chat.questions.flatMap(({ q, answer }) => {
    const question = questionOf(q);
    if (question === null || answer === "not a list question") return [];
    const [of, to] = [fitting(question, own), fitting(question, list)];
    if (of.topic + of.mentions.length === 0 || to.topic + to.mentions.length + to.kin > 0) return [];
    return example(q, "nothing", { chat: other, list });
  });
}
