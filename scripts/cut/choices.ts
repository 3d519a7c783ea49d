import { WORD_MEANINGS } from "#adapters/word-meanings";
import { analyse } from "#core/text/analyse";
import { queryTerms } from "#core/text/query";
import { precisionAndRecall } from "../../bench/context/score.ts";
import { readNeed } from "../../src/domain/retrieval/need/asked.ts";
import { chooseNeeded, type NeedWeights, needsOf } from "../../src/domain/retrieval/need/choose.ts";
import { needFeatures } from "../../src/domain/retrieval/need/features.ts";
import type { Measured } from "./cosines.ts";
import type { MemoryTalk } from "./talk.ts";
import type { Choice } from "./train.ts";

export type AskedChoice = Choice & { model: string; q: string; ids: string[]; needed: ReadonlySet<string> };

/** Each question of a user under each model, with all memories of the user as its candidates. */
export function choicesOf(talk: MemoryTalk, models: readonly Measured[]): AskedChoice[] {
  const { memories, questions } = talk;
  const tokens = memories.map(({ text }) => new Set(analyse(text)));
  return models.flatMap(({ name, cosines, of }) => {
    const rows = of(talk);
    return questions.map(({ q, needed }, i): AskedChoice => {
      const asked = readNeed(q, WORD_MEANINGS);
      const terms = queryTerms(q).terms.map(({ term }) => term);
      const candidates = memories.map(({ text }, m) => ({
        text,
        cosine: rows[i]?.[m] ?? null,
        found: new Set(terms.filter((term) => tokens[m]?.has(term))),
      }));
      return {
        ...{ model: name, q, asked, needed: new Set(needed), ids: memories.map(({ id }) => id) },
        features: needFeatures(asked, candidates, { cosines, meanings: WORD_MEANINGS }),
        isNeeded: memories.map(({ id }) => needed.includes(id)),
      };
    });
  });
}

export type Score = { precision: number; recall: number; emptyIfNone: number; kept: number; questions: number };

/** Means over the questions, as `npm run bench:context` counts them. */
export function scoreChoices(choices: readonly AskedChoice[], weights: NeedWeights, worth?: number): Score {
  const results = choices.map(({ asked, features, ids, needed }) => {
    const found = chooseNeeded(needsOf(asked, features, weights), worth).map((place) => ids[place] ?? "");
    return { ...precisionAndRecall(needed, found), kept: found.length };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    precision: mean(results.map(({ precision }) => precision)),
    recall: mean(results.flatMap(({ recall }) => recall ?? [])),
    emptyIfNone: mean(results.flatMap(({ recall, precision }) => (recall === null ? [precision] : []))),
    kept: mean(results.map(({ kept }) => kept)),
    questions: results.length,
  };
}
