import { lowerCase } from "#core/language/folded";
import { isStandingOrder, namesAnybody } from "#core/language/frames";
import { classOf, hanClassAt } from "#core/language/word-classes";
import { type Sensitivity, sensitivityOf, stricter } from "#core/safety/sensitivity";
import { fold } from "#core/text/normalize";
import { beginsList } from "#domain/facts";
import type { MemoryType } from "#domain/memories";
import { type Judged, judge } from "./judge/judge.ts";
import { type Span, sharedUnits } from "./judge/spans.ts";
import { isInstruction, overridesModel } from "./model/instruction.ts";
import { isOrder } from "./rules/orders.ts";
import { relativesIn } from "./rules/relationships.ts";
import type { NamedPerson, SpokenMessage, TakenMemory } from "./rules/rule.ts";
import { MAX_READ_UNITS, takeMemories } from "./rules/take-memories.ts";

/** A statement that the rules or the judge took from a user's messages. */
export type Taken = Span & {
  source: "rules" | "judge";
  category: string;
  type: MemoryType;
  /** The clause as it was said, in its own language and grammatical person. */
  content: string;
  /** From 0 to 1; the tenant's threshold decides what is stored. */
  confidence: number;
  key: string | null;
  people: NamedPerson[];
  /** Said of "we" or "our". */
  isOfGroup: boolean;
  sensitivity: Sensitivity;
  portable: boolean;
  /** How long it holds; null: as long as its type says. */
  lasts: Judged["lasts"] | null;
  /** Whether it is about the speaker; null: its words decide. */
  aboutSpeaker: boolean | null;
  messageIndex: number;
};

/** Whether a text matters more here than elsewhere: it names somebody who takes part, or the tenant asks for it. */
export type Matters = (text: string) => boolean;

/** What one user stated in these messages, by the rules and the judge. The last 64 Ki units are read. */
export function takeStatements(spoken: readonly SpokenMessage[], matters: Matters = () => false): Taken[] {
  // A colon ends a clause. What stands for a secret stays whole, so that its statement is refused.
  const messages = spoken.map((message) => ({ ...message, text: message.text.replaceAll("[redacted:", "[redacted_") }));
  const byMessage = Map.groupBy(takeMemories(messages), ({ messageIndex }) => messageIndex);
  const taken: Taken[] = [];
  let left = MAX_READ_UNITS;
  for (let messageIndex = messages.length - 1; messageIndex >= 0 && left > 0; messageIndex--) {
    const message = messages[messageIndex];
    if (message === undefined || message.role !== "user") continue;
    const from = Math.max(0, message.text.length - left);
    left -= message.text.length - from;
    taken.unshift(...readMessage(message.text, { from, messageIndex, ruled: byMessage.get(messageIndex) ?? [], matters }));
  }
  return withoutRepetition(taken);
}

type Reading = { from: number; messageIndex: number; ruled: readonly TakenMemory[]; matters: Matters };

/**
 * A statement with a key, or that was asked to be remembered, is the rules': replacing it later must replace nothing else. Of all others
 * the judge decides what is kept, and the rules add the persons.
 */
function readMessage(text: string, { from, messageIndex, ruled, matters }: Reading): Taken[] {
  const sure = ruled.filter(({ key, category }) => key !== null || category === "remember" || category === "task");
  const judged = judge(text, { from, taken: sure })
    // Ranked lists are stored as facts; a memory would lose their ranks.
    .filter(({ isOwn, start }) => isOwn && !beginsList(text.slice(start)))
    .flatMap((statement) => fromJudge(text, statement, { messageIndex, ruled, matters }));
  const named = ruled.filter(
    (one) => one.category === "relationship" && one.key === null && !judged.some((statement) => sharedUnits(statement, one) > 0),
  );
  const safe = [...sure, ...named].filter((one) => !isInstruction(one)).map(fromRules);
  return [...safe, ...judged].sort((a, b) => a.start - b.start);
}

function fromRules(ruled: TakenMemory): Taken {
  // "Remember that …" may be about anything; whatever else the rules take is about the speaker.
  const aboutSpeaker = ruled.category === "remember" || ruled.isOfGroup ? null : true;
  return { ...ruled, source: "rules", portable: true, lasts: null, aboutSpeaker };
}

function fromJudge(text: string, judged: Judged, { messageIndex, ruled, matters }: Omit<Reading, "from">): Taken[] {
  const { start, end, type, lasts, about, isSensitive } = judged;
  const content = text.slice(start, end).replace(/\s+/gu, " ");
  if (/^@\S+$/u.test(content)) return [];
  const named = ruled.filter((one) => sharedUnits(one, judged) > 0);
  // Who somebody is to the speaker, the rules know surely.
  const relationships = named.filter(({ category, key }) => category === "relationship" && key === null);
  const order = orderIn(content, judged);
  if (order === "refused") return [];
  const isSure = matters(content) || (order === "own" && isInstruction({ type, content }) && isStandingOrder(lowerCase(content)));
  const own = isSure ? raise(judged.confidence, MATTERS_ODDS) : judged.confidence;
  const confidence = Math.max(own, ...relationships.map((one) => one.confidence));
  const sensitivity = isSensitive || order === "own" ? stricter(sensitivityOf(content), "personal") : sensitivityOf(content);
  return [
    {
      ...{ start, end, confidence, content, lasts, messageIndex, sensitivity },
      source: "judge",
      category: order === "own" ? "instruction" : type,
      type: order === "own" ? "procedural" : type,
      key: null,
      people: [...named.flatMap(({ people }) => people), ...relativesIn(content)],
      isOfGroup: order === null && about === "us" && isOfUs(content),
      portable: order === null && lasts !== "days",
      aboutSpeaker: about === "me" || order === "own" ? true : null,
    },
  ];
}

/**
 * The judge sees no more than a message: "Priya is off nuts" may be about anybody. Where Priya takes part in the conversation, it matters
 * to those who read it.
 */
const MATTERS_ODDS = 1.7;

function raise(confidence: number, odds: number): number {
  return 1 / (1 + Math.exp(-(Math.log(confidence / (1 - confidence)) + odds)));
}

/**
 * Whether a statement is an order to the assistant. The speaker's own standing instruction is kept for the speaker alone; one that would
 * override the model's instructions or steer what others are told is refused.
 */
function orderIn(content: string, { type, isInstruction: isWish }: Judged): "own" | "refused" | null {
  if (overridesModel(content)) return "refused";
  const words = lowerCase(content);
  const isStanding = isStandingOrder(words);
  const steers = isInstruction({ type, content }) || isOrder({ category: "remember", content });
  // An order that speaks of others would steer the answers that they get.
  if (steers && (namesAnybody(words) || !(isWish || isStanding))) return "refused";
  return isWish || (steers && isStanding) ? "own" : null;
}

/** Behind so many words, "our" is part of what one says of oneself. */
const SUBJECT_WORDS = 3;
const HAN_SUBJECT = 4;

function isOfUs(content: string): boolean {
  const words = (content.match(/[\p{L}']+/gu) ?? []).slice(0, SUBJECT_WORDS).map((word) => classOf(fold(word)));
  return hanClassAt([...content.slice(0, HAN_SUBJECT)], 0)?.name === "us" || (words.includes("us") && !words.includes("me"));
}

/** The first of those with the same words; white space, case and accents make no difference. */
function withoutRepetition(taken: readonly Taken[]): Taken[] {
  const seen = new Set<string>();
  return taken.filter(({ content }) => {
    const words = fold(content);
    if (seen.has(words)) return false;
    seen.add(words);
    return true;
  });
}
