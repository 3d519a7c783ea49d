export { countUsage } from "./count-usage.ts";
export { readUsage } from "./read-usage.ts";
export { UsageInput, UsageView } from "./schemas.ts";
