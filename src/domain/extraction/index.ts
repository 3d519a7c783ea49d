export { takeByModel } from "./take-by-model.ts";
export { takeByRules } from "./take-by-rules.ts";
