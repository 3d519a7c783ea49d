import { type LinearModel, type PackedModel, unpack } from "#core/linear/model";
import { MODELS } from "../../src/domain/extraction/judge/models.ts";
import { type Talk, train } from "./train.ts";

type Models = typeof MODELS;

/** Runs `work` with the judge that these messages make in place of the product's. For measuring in a process of its own: all of it is affected. */
export function withJudgeOf<T>(talk: Talk, work: () => T): T {
  const own = { ...MODELS };
  Object.assign(MODELS, unpackAll(train(talk)));
  try {
    return work();
  } finally {
    Object.assign(MODELS, own);
  }
}

function unpackAll({ type, lasts, about, ...single }: ReturnType<typeof train>): Models {
  return {
    passage: unpack(single.passage),
    clause: unpack(single.clause),
    continues: unpack(single.continues),
    sensitive: unpack(single.sensitive),
    wishSentence: unpack(single.wishSentence),
    wishClause: unpack(single.wishClause),
    type: each(type),
    lasts: each(lasts),
    about: each(about),
  };
}

function each<Name extends string>(models: Record<Name, PackedModel>): Record<Name, LinearModel> {
  const entries = Object.entries<PackedModel>(models).map(([name, model]) => [name, unpack(model)]);
  // The names are those of `models`.
  return Object.fromEntries(entries) as Record<Name, LinearModel>;
}
