import packed from "./change-models.json" with { type: "json" };
import type { ChangeModels } from "./change-models.ts";
import { type PackedChangeModels, unpackModels } from "./change-models.ts";

/** Trained by `npm run train:lists`. */
export const CHANGE_MODELS: ChangeModels | null = "fate" in packed ? unpackModels(packed as unknown as PackedChangeModels) : null;
