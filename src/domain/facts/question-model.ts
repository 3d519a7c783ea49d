import { type LinearModel, type PackedModel, scoreOf, unpack } from "#core/linear/model";
import type { Fit } from "./fit-list.ts";
import type { KeptList } from "./kept-list.ts";
import type { Question } from "./list-question.ts";
import { questionFeatures, type RuleAsk } from "./question-features.ts";
import { QUESTION_FORMS, type QuestionForm } from "./question-forms.ts";
import packed from "./question-model.json" with { type: "json" };

/** Trained by `npm run train:questions`: multinomial logistic regression, a table for each form. */
export const QUESTION_MODEL: QuestionModel = unpackAll(packed);

export type QuestionModel = Readonly<Record<QuestionForm, LinearModel>>;

export function unpackAll(models: Readonly<Record<QuestionForm, PackedModel>>): QuestionModel {
  const each = QUESTION_FORMS.map((form) => [form, unpack(models[form])] as const);
  // The names are those of `QUESTION_FORMS`.
  return Object.fromEntries(each) as QuestionModel;
}

/** The likeliest form of a question to a list, and its probability. */
export function formOf(
  question: Question,
  list: KeptList,
  { fit, rule, model = QUESTION_MODEL }: { fit: Fit; rule: RuleAsk; model?: QuestionModel | undefined },
): { form: QuestionForm; odds: number } {
  const features = questionFeatures(question, list, { fit, rule });
  const scores = QUESTION_FORMS.map((form) => scoreOf(model[form], features));
  const most = Math.max(...scores);
  const sum = scores.reduce((total, score) => total + Math.exp(score - most), 0);
  const best = scores.indexOf(most);
  return { form: QUESTION_FORMS[best] ?? "nothing", odds: 1 / sum };
}
