import type { MemoryType } from "#domain/memories";
import type { ChatUsage } from "#ports/chat-model";

/** The subject that stands for the author of the message. */
export const SPEAKER = "speaker";

export type TranscriptMessage = {
  /** The message's number, to which answers refer. */
  index: number;
  role: string;
  speaker: string | null;
  /** As it was said; injected memory is removed by `conversationMessages`. */
  text: string;
  /** Unix milliseconds. */
  at: number;
};

/** A stored memory that new words may replace. The model sees a number for it, never its public id. */
export type KnownMemory = {
  /** K1, K2, … */
  id: string;
  content: string;
  about: string[];
  stated: string | null;
};

export type ModelAsk = {
  transcript: readonly TranscriptMessage[];
  /** Indexes of the messages to extract from; the others are context. All messages of users if absent. */
  spoken?: readonly number[];
  /** Unix milliseconds. */
  now: number;
  known: readonly KnownMemory[];
  /** Names of participants and known persons. */
  people: readonly string[];
  /** Entities belong to projects, so they are asked for in projects only. */
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
  /** Words of the message that support it. */
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
  /** What they are to the speaker, such as `wife`. */
  relationship: string | null;
  /** `index` of the message of role `user` that names them first. */
  message: number;
};

/** Why a part of a model's answer was not used. */
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
      /** Messages to extract from that were too long, or too many, to be shown in full. */
      cut: number;
      /** Requests that it took: 2 when the first answer had to be repaired. */
      attempts: number;
      usage: ChatUsage;
    }
  | { kind: "nothing usable"; reason: Unusable; attempts: number; usage: ChatUsage };
