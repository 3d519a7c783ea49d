export { type Counts, countUsage } from "./count-usage.ts";
