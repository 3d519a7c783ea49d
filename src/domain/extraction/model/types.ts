import type { MemoryType } from "#domain/memories";
import type { ChatUsage } from "#ports/chat-model";

/** A subject that is whoever said it; the message tells who that was. */
export const SPEAKER = "speaker";

export type TranscriptMessage = {
  /** The message's own number: answers point at it. */
  index: number;
  role: string;
  speaker: string | null;
  /** As it was said; memory that was put before a model is taken out here, whoever left it in. */
  text: string;
  /** Unix milliseconds. */
  at: number;
};

/** A memory that what was said may replace. Only its number leaves the house. */
export type KnownMemory = {
  /** K1, K2, … */
  id: string;
  content: string;
  about: string[];
  stated: string | null;
};

export type ModelAsk = {
  transcript: readonly TranscriptMessage[];
  /** Numbers of the messages that memories and people are taken from; the others only tell what these are about. All of users when absent. */
  spoken?: readonly number[];
  /** Unix milliseconds. */
  now: number;
  known: readonly KnownMemory[];
  /** Names of those who may be spoken of: who takes part, and who is known already. */
  people: readonly string[];
  /** Entities belong to projects: asked for only where there is one. */
  withEntities: boolean;
};

export type ModelMemory = {
  type: MemoryType;
  content: string;
  /** 0 to 1. */
  confidence: number;
  sensitivity: "public" | "personal" | "sensitive";
  portable: boolean;
  /** Names that were said or are known, and `SPEAKER`. */
  subjects: string[];
  /** A stable name for what has one value at a time, such as `identity:home`. */
  key: string | null;
  /** Ids of `known` memories. */
  replaces: string[];
  /** Words of the message that it rests on. */
  quote: string;
  /** `index` of that message, one of role `user`. */
  message: number;
};

export type ModelEntity = {
  type: string;
  name: string;
  notes: string | null;
  /** `index` of the message that names it first. */
  message: number;
};

export type ModelPerson = {
  name: string;
  aliases: string[];
  /** What they are to whoever said so, such as `wife`. */
  relationship: string | null;
  /** `index` of the message of role `user` that names them first. */
  message: number;
};

/** Why something that a model answered was not taken. */
export type DropReason =
  | "invalid"
  | "not_said"
  | "quoted"
  | "contrary"
  | "invented"
  | "instruction"
  | "other_language"
  | "duplicate"
  | "too_many";

export type Dropped = { reason: DropReason; count: number };

export type Unusable = "no_json" | "invalid" | "silent" | "reasoning_only" | "refused" | "cut";

export type ModelOutcome =
  | {
      kind: "taken";
      memories: ModelMemory[];
      entities: ModelEntity[];
      people: ModelPerson[];
      dropped: Dropped[];
      /** Messages to be learned from that were too long, or too many, to be shown whole. */
      cut: number;
      /** Requests that it took: 2 when the first answer had to be repaired. */
      attempts: number;
      usage: ChatUsage;
    }
  | { kind: "nothing usable"; reason: Unusable; attempts: number; usage: ChatUsage };
