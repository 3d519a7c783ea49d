export { takeByRules } from "./take-by-rules.ts";
