export { type ChannelFailure, channelDeadline, embedQuery, orDegraded } from "./embed-query.ts";
