import { AppError } from "#core/errors";
import type { ChatModel } from "#ports/chat-model";
import { askModel } from "../../src/domain/extraction/model/ask-model.ts";
import type { ModelOutcome } from "../../src/domain/extraction/model/types.ts";
import type { ExtractionCase } from "../../test/corpora/extraction.ts";

/** When every message of the corpus is taken to have been said: dates in it are relative. */
const SAID_AT = Date.UTC(2026, 10, 20, 9);

export type Asked = { one: ExtractionCase; seconds: number } & (
  | { outcome: ModelOutcome; failure: null }
  | { outcome: null; failure: string }
);

/** Each case as a conversation of its own, one after the other: a model on this machine has no more than one at a time. */
export async function askCases(
  model: ChatModel,
  cases: readonly ExtractionCase[],
  report: (done: number) => void,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const one of cases) {
    asked.push(await ask(model, one));
    report(asked.length);
  }
  return asked;
}

async function ask(model: ChatModel, one: ExtractionCase): Promise<Asked> {
  const transcript = one.messages.map(({ role, text }, index) => ({ index, role, speaker: null, text, at: SAID_AT }));
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  try {
    const outcome = await askModel(model, { transcript, now: SAID_AT, known: [], people: [], withEntities: false });
    return { one, seconds: seconds(), outcome, failure: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "misconfigured") throw error;
    return { one, seconds: seconds(), outcome: null, failure: error.message };
  }
}
