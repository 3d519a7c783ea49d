import { createBuiltInEmbedder } from "#adapters/built-in-embedder";
import { cosinesOf } from "#adapters/cosines";
import type { Cosines } from "#core/rank/cut";
import type { Embedder } from "#ports/embedder";
import type { MemoryTalk } from "./talk.ts";

/** What a model says of how near each memory is to each question, in thousandths: a row for each question, in order, by the id of the user. */
export type KeptCosines = { model: string; thousandths: Record<string, number[][]> };

/** A model with the cosines of a user's questions and memories. */
export type Measured = { name: string; cosines: Cosines; of: (talk: MemoryTalk) => readonly (readonly number[])[] };

const THOUSAND = 1_000;

/** Of a model that runs elsewhere, as kept in the repository, so that training needs no server. */
export function keptModel({ model, thousandths }: KeptCosines): Measured {
  return {
    name: model,
    cosines: cosinesOf(model),
    of: ({ id }) => (thousandths[id] ?? []).map((row) => row.map((value) => value / THOUSAND)),
  };
}

export function builtInModel(): Measured {
  const embedder = createBuiltInEmbedder();
  return {
    name: "built-in",
    cosines: embedder.cosines,
    of: ({ questions, memories }) =>
      questions.map(
        ({ q }) =>
          embedder
            .similarities?.(
              q,
              memories.map(({ text }) => text),
            )
            .map(({ cosine }) => Math.round(cosine * THOUSAND) / THOUSAND) ?? [],
      ),
  };
}

/** Asks the model, to be kept. */
export async function measureModel(embedder: Embedder, model: string, talk: readonly MemoryTalk[]): Promise<KeptCosines> {
  const thousandths: KeptCosines["thousandths"] = {};
  for (const { id, memories, questions } of talk) {
    const documents = await embedder.embed(
      memories.map(({ text }) => text),
      "document",
    );
    const asked = await embedder.embed(
      questions.map(({ q }) => q),
      "query",
    );
    thousandths[id] = asked.map((question) => documents.map((document) => Math.round(dot(question, document) * THOUSAND)));
  }
  return { model, thousandths };
}

/** Of unit vectors: their cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}
