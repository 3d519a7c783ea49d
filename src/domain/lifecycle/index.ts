export { checkHealth, DeepHealthView } from "./check-health.ts";
export { sweep, work } from "./work.ts";
