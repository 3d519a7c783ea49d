import type { Zone } from "#core/local-time";
import type { ChatUsage } from "#ports/chat-model";
import type { ReadEntity, ReadMemory, ReadPerson } from "./read-answer.ts";

export type TranscriptMessage = {
  /** The message's number, to which answers refer. */
  index: number;
  role: string;
  speaker: string | null;
  /** As it was said; injected memory is removed by `conversationMessages`. */
  text: string;
  /** Unix milliseconds. */
  at: number;
  /** Where it was said, if that is known. */
  zone?: Zone;
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
  /** Where the speaker is, if that is known. */
  zone?: Zone;
  known: readonly KnownMemory[];
  /** Names of participants and known persons. */
  people: readonly string[];
  /** Entities belong to projects, so they are asked for in projects only. */
  withEntities: boolean;
  /** The tenant's own, what to keep and what never; see `isExcluded`. */
  instructions?: string;
};

/** What was read of an answer, and the `index` of the message of role `user` that it quotes or names first. */
export type ModelMemory = ReadMemory & { message: number };
export type ModelPerson = ReadPerson & { message: number };
/** Here the message may be of the assistant too. */
export type ModelEntity = ReadEntity & { message: number };

/** Why a part of a model's answer was not used. */
export type DropReason =
  | "invalid"
  | "not_said"
  | "quoted"
  | "not_asserted"
  | "contrary"
  | "invented"
  | "instruction"
  | "excluded"
  | "no_name"
  | "other_language"
  | "duplicate"
  | "too_many";

export type Dropped = { reason: DropReason; count: number };

export type Unusable = "no_json" | "invalid" | "silent" | "reasoning_only" | "refused" | "cut";

/** What one question cost; 2 `attempts` if the first answer had to be repaired. */
type Cost = { attempts: number; usage: ChatUsage };

/** What a model extracted. */
export type ModelTaken = Cost & {
  kind: "taken";
  memories: ModelMemory[];
  entities: ModelEntity[];
  people: ModelPerson[];
  dropped: Dropped[];
  /** Messages to extract from that were too long, or too many, to be shown in full. */
  cut: number;
};

export type ModelOutcome = ModelTaken | (Cost & { kind: "nothing usable"; reason: Unusable });
