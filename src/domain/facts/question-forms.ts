/**
 * What a question asks of a list: its items, those that are done, the item at a place, their number, whether something is on it, whether
 * something is done; or something else.
 */
export const QUESTION_FORMS = ["items", "done", "place", "count", "member", "deed", "nothing"] as const;
export type QuestionForm = (typeof QUESTION_FORMS)[number];
