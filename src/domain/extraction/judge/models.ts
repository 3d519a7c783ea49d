import { type LinearModel, type PackedModel, unpack } from "#core/linear/model";
import { MEMORY_TYPES } from "#db/schema/memories";
import { ABOUT, LASTS } from "./kinds.ts";
import packed from "./models.json" with { type: "json" };

function each<Name extends string>(
  names: readonly Name[],
  models: Readonly<Record<Name, PackedModel>>,
): Record<Name, LinearModel> {
  return Object.fromEntries(names.map((name) => [name, unpack(models[name])])) as Record<Name, LinearModel>;
}

/** Trained by `npm run train:judge`. `passage`: whether there is anything to keep; `continues`: whether a clause belongs to the statement before it;
 * `wishSentence`, `wishClause`: whether they say how the assistant is to behave from now on. */
export const MODELS = {
  passage: unpack(packed.passage),
  clause: unpack(packed.clause),
  continues: unpack(packed.continues),
  sensitive: unpack(packed.sensitive),
  wishSentence: unpack(packed.wishSentence),
  wishClause: unpack(packed.wishClause),
  type: each(MEMORY_TYPES, packed.type),
  lasts: each(LASTS, packed.lasts),
  about: each(ABOUT, packed.about),
};
