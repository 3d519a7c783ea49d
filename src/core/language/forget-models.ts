import { unpack } from "#core/linear/model";
import packed from "./forget-models.json" with { type: "json" };

/** Trained by `npm run train:forget`. `asks`: whether a message asks for something to be forgotten. */
export const FORGET_MODELS = { asks: unpack(packed.asks) };
