import { unpack } from "#core/linear/model";
import type { Named } from "#core/linear/named";
import packed from "./models.json" with { type: "json" };

const named = (weights: Named): Readonly<Named> => weights;

/**
 * Trained by `npm run train:forget`. `asks`: whether a message asks for something to be forgotten, given what was said before it; `message`:
 * which message it means; `whole`: whether all of that; `clause`: else which clauses of it, and which of them are one statement.
 */
export const MODELS = {
  asks: unpack(packed.asks),
  message: named(packed.message),
  clause: named(packed.clause),
  whole: named(packed.whole),
};
