export { extract } from "./extract.ts";
export { worthOf } from "./judge/judge.ts";
export { keysIn } from "./rules/keys-in.ts";
export { ExtractInput, ExtractView } from "./schemas.ts";
export { takeByModel } from "./take-by-model.ts";
export { type OfImport, takeByRules } from "./take-by-rules.ts";
export { rarityOf } from "./updates/rarity.ts";
