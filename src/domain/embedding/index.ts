export { type ChannelFailure, NO_VECTORS, startVectors } from "./vectors-channel.ts";
