import type { ChatMessage, ChatModel, ChatReply, ChatUsage } from "#ports/chat-model";
import { ground } from "./ground.ts";
import { type Labelled, labelNames, unlabelled } from "./label-names.ts";
import { buildPrompt, buildRepairPrompt } from "./prompt.ts";
import { answerFormat, type ReadAnswer, readAnswer } from "./read-answer.ts";
import type { ModelAsk, ModelOutcome, Unusable } from "./types.ts";

/** Thirty memories are about 2,500 tokens. */
const MAX_TOKENS = 3_000;
/** For a model that spent MAX_TOKENS on its reasoning, or had more to say. */
const MORE_TOKENS = 6_000;

type Attempt =
  | { kind: "read"; answer: Extract<ReadAnswer, { kind: "read" }>; usage: ChatUsage }
  | { kind: "unusable"; reason: Unusable; text: string; complaint: string; usage: ChatUsage };

/**
 * Asks once, and once more if the answer cannot be used.
 *
 * @throws whatever the port throws.
 */
export async function askModel(model: ChatModel, ask: ModelAsk): Promise<ModelOutcome> {
  const labelled = labelNames(ask);
  const prompt = buildPrompt(labelled.shown);
  if (prompt === null)
    return { kind: "taken", memories: [], people: [], entities: [], dropped: [], cut: 0, attempts: 0, usage: null };
  const { messages, cut } = prompt;
  const request = (asked: ChatMessage[], maxTokens: number) =>
    model.complete({ messages: asked, schema: answerFormat(ask.withEntities), maxTokens });
  const first = attemptOf(await request(messages, MAX_TOKENS));
  if (first.kind === "read" || first.reason === "refused")
    return outcomeOf(first, labelled, { cut, attempts: 1, usage: first.usage });
  const needsMore = first.reason === "cut" || first.reason === "reasoning_only";
  const repair = buildRepairPrompt(messages, { answer: first.text, complaint: first.complaint });
  const second = attemptOf(await request(repair, needsMore ? MORE_TOKENS : MAX_TOKENS));
  return outcomeOf(second, labelled, { cut, attempts: 2, usage: sumOf(first.usage, second.usage) });
}

function attemptOf(reply: ChatReply): Attempt {
  const { usage } = reply;
  const unusable = (reason: Unusable, complaint: string, text = ""): Attempt => ({
    kind: "unusable",
    reason,
    complaint,
    text,
    usage,
  });
  switch (reply.kind) {
    case "refused":
      return unusable("refused", "");
    case "silent":
      if (reply.reasoned) return unusable("reasoning_only", "It held thoughts and no answer. Do not think at length.");
      return unusable("silent", "It was empty.");
    case "cut": {
      const answer = readAnswer(reply.text);
      // Some servers report a cut whenever the last token was the last allowed one.
      if (answer.kind === "read") return { kind: "read", answer, usage };
      return unusable("cut", "It was cut off because it was too long. Give the ten most important memories at most.");
    }
    case "text": {
      const answer = readAnswer(reply.text);
      if (answer.kind === "read") return { kind: "read", answer, usage };
      return unusable(answer.kind, answer.complaint, reply.text);
    }
  }
}

type Spent = { cut: number; attempts: number; usage: ChatUsage };

function outcomeOf(attempt: Attempt, labelled: Labelled, spent: Spent): ModelOutcome {
  const { cut: _, ...cost } = spent;
  if (attempt.kind === "unusable") return { kind: "nothing usable", reason: attempt.reason, ...cost };
  const { memories, dropped, ...rest } = ground(attempt.answer, labelled.shown);
  const named = memories.flatMap((memory) => unlabelled(memory, labelled) ?? []);
  const unnamed = memories.length - named.length;
  const counts = unnamed === 0 ? dropped : [...dropped, { reason: "no_name" as const, count: unnamed }];
  return { kind: "taken", memories: named, ...rest, dropped: counts, ...spent };
}

/** An unknown usage counts as zero. */
function sumOf(a: ChatUsage, b: ChatUsage): ChatUsage {
  if (a === null || b === null) return a ?? b;
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}
