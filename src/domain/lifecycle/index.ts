export { checkHealth, DeepHealthView } from "./check-health.ts";
export { type SweepReport, sweep, work } from "./work.ts";
