export { type ChannelFailure, type FoundByVectors, NO_VECTORS, startVectors } from "./vectors-channel.ts";
