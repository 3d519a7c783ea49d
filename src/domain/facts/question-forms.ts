/** What a question asks of a list: its items, the item at a place, their number, whether something is on it; or something else. */
export const QUESTION_FORMS = ["items", "place", "count", "member", "nothing"] as const;
export type QuestionForm = (typeof QUESTION_FORMS)[number];
