export { embedQuery } from "./embed-query.ts";
export { type ChannelFailure, orDegraded } from "./or-degraded.ts";
