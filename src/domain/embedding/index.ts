export { embedQuery } from "./embed-query.ts";
export { type ChannelFailure, channelDeadline, orDegraded } from "./or-degraded.ts";
