import type { Ctx } from "#context";
import { toMillis } from "#core/fields";
import { type QueryAnalysis, queryTerms } from "#core/text/query";
import type { Query } from "#db/client";
import { MEMORY_TYPES, type SeenRow, typesOf } from "#domain/memories";
import { getSettings } from "#domain/settings";
import { actingUser } from "#domain/tenants";
import type { MemoryViewerRef, ViewerRef } from "#domain/visibility";
import type { ChunkQuestion } from "./find-chunks.ts";
import type { Span } from "./find-episodes.ts";
import { ASKED, type AskedPeople, type MemoryQuestion } from "./find-memories.ts";
import { nameKeysIn } from "./named.ts";
import type { SearchInput, SearchView } from "./schemas.ts";

/** The most that the tenant's setting allows one search, in estimated tokens. */
const MAX_TOKENS = 8_000;

/** Kinds of hits. */
const KINDS = 3;

/** A search with its defaults: missing values come from the tenant's settings and the question. */
export type Asked = {
  input: SearchInput & { maxTokens: number };
  strategy: SearchView["strategy"];
  viewer: ViewerRef;
  span: Span;
  question: QueryAnalysis;
  episodes: boolean;
  /** null if no memories are wanted. */
  memories: MemoryQuestion | null;
  /** null if no documents are wanted. */
  chunks: ChunkQuestion | null;
  channelLimitMs: number | undefined;
  withLatest: boolean;
  /** Hits at most, and of one kind at most. */
  limits: { all: number; ofKind: number };
  also: Query<SeenRow> | null;
};

/** Options of verbs that search; a request cannot set them. */
export type SearchOptions = {
  /** Of memories with the scope `project` only those of the viewer's own project. */
  ownProjectOnly?: boolean;
  /** The time limit of a channel; the default when absent. */
  channelLimitMs?: number | undefined;
  /** Whether "I" and "my" in the question mean the viewer; if not, they mean nobody known. */
  viewerAsks?: boolean | undefined;
  /** Whether the latest passages are returned too, beside what was found. */
  withLatest?: boolean;
  /** Whether the limit counts each kind apart: of long talk there are so many passages that no memory would be left. */
  limitsKinds?: boolean;
  /** Memories to load beside the hits, for the viewer of the search, in its second round trip. */
  also?: ((viewer: MemoryViewerRef) => Query<SeenRow>) | undefined;
};

type AskCtx = Ctx<"db" | "now" | "caches">;

/** Fills in missing values, from the tenant's settings and from the question. */
export async function readQuestion(ctx: AskCtx, input: SearchInput, options: SearchOptions): Promise<Asked> {
  const settings = await getSettings(ctx);
  const named = input.strategy ?? settings.strategy;
  const asOf = input.asOf === undefined ? null : toMillis(input.asOf);
  const ends = [...(input.to === undefined ? [] : [toMillis(input.to)]), ...(asOf === null ? [] : [asOf + 1])];
  const span: Span = {
    from: input.from === undefined ? null : toMillis(input.from),
    to: ends.length === 0 ? null : Math.min(...ends),
  };
  const viewer: ViewerRef = {
    tenantId: ctx.tenantId,
    user: actingUser(ctx, input.userId),
    sessionExternalId: input.sessionId ?? null,
    projectExternalId: input.projectId ?? null,
    includeGroups: input.includeGroups,
    sessionMayBeNew: true,
    userMayBeNew: true,
  };
  const question = queryTerms(input.query);
  const narrows = input.types !== undefined || input.classes !== undefined || input.about !== undefined;
  const kinds = input.kinds ?? (narrows ? ["memory"] : ["episode", "memory", "chunk"]);
  // A document has no time of conversation.
  const hasSpan = input.from !== undefined || input.to !== undefined;
  const memories = kinds.includes("memory") ? memoryQuestion(ctx, { input, viewer, span, question, asOf, options }) : null;
  return {
    input: { ...input, maxTokens: input.maxTokens ?? Math.min(settings.maxTokens, MAX_TOKENS) },
    strategy: named === "exact" ? "recent" : named,
    viewer,
    span,
    question,
    episodes: kinds.includes("episode"),
    memories,
    chunks: kinds.includes("chunk") && !hasSpan ? { unchangedSince: asOf } : null,
    channelLimitMs: options.channelLimitMs,
    limits: { all: options.limitsKinds === true ? KINDS * input.limit : input.limit, ofKind: input.limit },
    withLatest: options.withLatest === true && kinds.includes("episode"),
    also: memories === null ? null : (options.also?.(memories.viewer) ?? null),
  };
}

function memoryQuestion(
  ctx: AskCtx,
  of: { input: SearchInput; viewer: ViewerRef; span: Span; question: QueryAnalysis; asOf: number | null; options: SearchOptions },
): MemoryQuestion {
  const { input, viewer, question } = of;
  const ofClass = input.classes?.flatMap(typesOf);
  const narrows = input.types !== undefined || ofClass !== undefined;
  const types = MEMORY_TYPES.filter((type) => (input.types ?? [type]).includes(type) && (ofClass ?? [type]).includes(type));
  const reader: MemoryViewerRef = {
    ...viewer,
    includeGroups: false,
    workspaceId: input.workspaceId ?? null,
    scopeType: input.scopeType ?? null,
    scopeId: input.scopeId ?? null,
    // A named scope is exact.
    ownProjectOnly: of.options.ownProjectOnly ?? input.scopeType === undefined,
    reach: input.reach,
    about: ASKED,
    exceptOwner: null,
    asOf: of.asOf,
    now: ctx.now(),
  };
  const onlyAbout = input.about !== undefined;
  return {
    viewer: reader,
    people: {
      ids: input.about ?? [],
      keys: onlyAbout ? [] : nameKeysIn(input.query),
      self: onlyAbout || of.options.viewerAsks === false ? "no" : selfOf(question),
    },
    filter: { types: narrows ? types : null, span: of.span, onlyAbout },
  };
}

/** Whether the question is about the asker. An empty question asks for recent things, including those about the asker. */
function selfOf({ aboutSelf, firstPerson, terms }: QueryAnalysis): AskedPeople["self"] {
  if (aboutSelf || terms.length === 0) return "asked";
  return firstPerson ? "spoken" : "no";
}
