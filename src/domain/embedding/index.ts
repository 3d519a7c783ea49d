export { readingOf } from "./reading-of.ts";
export { type ChannelFailure, type FoundByVectors, NO_VECTORS, startVectors } from "./vectors-channel.ts";
