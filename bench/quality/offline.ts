import { termValues } from "#core/rank/ranking";
import { indexTokens } from "#core/text/analyse";
import { queryTerms } from "#core/text/query";
import { BOOST, type BoostConstants, boost } from "../../src/domain/retrieval/boost.ts";
import { PRESENCE, type PresenceConstants, rankByPresence } from "../../src/domain/retrieval/rank-by-presence.ts";
import type { Conversation, Turn } from "./locomo.ts";
import { score } from "./metrics.ts";
import type { Scored } from "./table.ts";

/** The constants under test, of both stages. */
export type Tuning = { presence: PresenceConstants; boosts: BoostConstants };

export const DEFAULT_TUNING: Tuning = { presence: PRESENCE, boosts: BOOST };

type Indexed = {
  conversation: Conversation;
  turns: Map<number, { turn: Turn; occurredAt: number }>;
  postings: Map<string, number[]>;
};

const SESSION_STRIDE = 2 ** 22;
const CANDIDATES = 150;
const SHOWN = 20;

/** The ranking functions of the product over postings in memory: what the service answers, without the service. */
export function rankOffline(conversations: readonly Conversation[], tuning: Tuning = DEFAULT_TUNING): Scored[] {
  return conversations.map(indexed).flatMap((index) => scoreIndexed(index, tuning));
}

/** Indexes once, for rankings with many tunings. */
export function offlineRanker(conversations: readonly Conversation[]): (tuning: Tuning) => Scored[] {
  const all = conversations.map(indexed);
  return (tuning) => all.flatMap((index) => scoreIndexed(index, tuning));
}

function scoreIndexed(index: Indexed, tuning: Tuning): Scored[] {
  return index.conversation.questions.map(({ text, evidence, category }) => ({
    conversation: index.conversation.id,
    category,
    scores: score(evidence, answer(index, text, tuning)),
  }));
}

function indexed(conversation: Conversation): Indexed {
  const index: Indexed = { conversation, turns: new Map(), postings: new Map() };
  for (const { number, occurredAt, turns } of conversation.sessions) {
    turns.forEach((turn, seq) => {
      const id = number * SESSION_STRIDE + seq;
      index.turns.set(id, { turn, occurredAt: occurredAt.getTime() });
      for (const token of new Set(indexTokens(turn.text, occurredAt).split(" "))) {
        const ids = index.postings.get(token);
        if (ids === undefined) index.postings.set(token, [id]);
        else ids.push(id);
      }
    });
  }
  return index;
}

function answer({ turns, postings }: Indexed, text: string, { presence, boosts }: Tuning): string[] {
  const question = queryTerms(text);
  const lists = question.terms.map(({ term }) => postings.get(term) ?? []);
  const values = termValues(question.terms, { holders: lists.map((ids) => ids.length), total: turns.size });
  const ranked = rankByPresence({ values, postings: lists, limit: CANDIDATES }, presence);
  const candidates = ranked.flatMap(({ id, score: retrieved, terms }) => {
    const entry = turns.get(id);
    if (entry === undefined) return [];
    const { turn, occurredAt } = entry;
    return {
      kind: "episode" as const,
      id,
      score: retrieved,
      terms,
      text: turn.text,
      speaker: turn.speaker,
      role: "user",
      occurredAt,
      turnId: turn.id,
    };
  });
  const boosted = boost(question, candidates, { adjust: true, now: Date.now() }, boosts);
  return boosted.slice(0, SHOWN).map(({ turnId }) => turnId);
}
