import { ground } from "../../src/domain/extraction/model/ground.ts";
import { readAnswer } from "../../src/domain/extraction/model/read-answer.ts";
import { FITTED_ANSWERS, HELD_OUT_ANSWERS, type JudgedAnswer, type JudgedAnswers } from "../../test/corpora/model-answers.ts";
import { markdown } from "../cost/table.ts";

/** What the checks on a model's answer do with answers that were written by hand. */
export function answersTable(): string {
  const head = ["answers of a model", "right", "of them kept", "wrong", "of them kept"];
  return markdown(head, [rowOf("fitted", FITTED_ANSWERS), rowOf("held out", HELD_OUT_ANSWERS)]);
}

function rowOf(name: string, { right, wrong }: JudgedAnswers): string[] {
  const kept = (answers: readonly JudgedAnswer[]) => answers.filter((answer) => dropReason(answer) === null).length;
  return [name, ...[right.length, kept(right), wrong.length, kept(wrong)].map(String)];
}

/** Why the checks drop an answer; null if they keep it. */
export function dropReason({
  said,
  content,
  quote = said,
  type = "knowledge",
  subjects = ["speaker"],
}: JudgedAnswer): string | null {
  const at = Date.UTC(2026, 10, 20, 9);
  const read = readAnswer(JSON.stringify({ memories: [{ type, content, quote, subjects, confidence: 0.95 }] }));
  if (read.kind !== "read") return read.kind;
  const transcript = [{ index: 0, role: "user", speaker: null, text: said, at }];
  const { memories, dropped } = ground(read, { transcript, now: at, known: [], people: [], withEntities: false });
  return memories.length > 0 ? null : (dropped[0]?.reason ?? "invalid");
}
