import type { Ctx } from "#context";
import { describeError } from "#core/describe-error";
import { AppError } from "#core/errors";
import { type EntitySearchView, searchEntities } from "#domain/entities";
import { chooseProfile, findProfile } from "#domain/profile";
import { type Searched, type SearchOptions, type SearchView, searchFor } from "#domain/retrieval";
import { actingUser } from "#domain/tenants";
import { type FoundItem, fromEntities, fromHits, merged } from "./candidates.ts";
import { findForgot } from "./find-forgot.ts";
import { profileItems } from "./profile-items.ts";
import type { ProfileItem } from "./profile-part.ts";
import type { ContextInput, ContextView } from "./schemas.ts";

type FindCtx = Ctx<"db" | "now" | "embedder" | "vectors" | "caches" | "log" | "defer">;

export type Wanted = Omit<ContextInput, "messages" | "query"> & {
  query: string;
  skillsEnabled: boolean;
  channelLimitMs: number | undefined;
  viewerAsks: boolean | undefined;
};

export type Known = {
  /** Best first. */
  items: FoundItem[];
  /** The latest passages that are not in `items`, the newest first, and whether there are no others. */
  latest: FoundItem[];
  isWhole: boolean;
  /** Procedural memories that the user asked for, which apply to every question; the newest first. */
  skills: FoundItem[];
  /** What is always worth knowing of the user, what is worth most first. */
  profile: ProfileItem<FoundItem>[];
  /** Where the viewer is, by IANA's name; null where it is not known. */
  timeZone: string | null;
  /** What was forgotten lately because it was asked for in this session. */
  forgot: ContextView["forgot"];
  /** Ids of what was found and is left out because all that it says has been replaced. */
  heldBack: readonly string[];
  degraded: ContextView["degraded"];
  explain: SearchView["explain"];
  /** Records which of the memories were shown. */
  recall: (ids: readonly string[]) => void;
};

/** More is searched than shown, because memories that repeat the conversation are left out. */
const SPARE = 20;
const MAX_HITS = 100;
const MAX_ENTITIES = 10;
const MAX_SKILLS = 20;

/**
 * What the viewer may see that is relevant to the query: passages, memories, passages of documents, entities of their project, and procedural memories that
 * they asked for. The searches run in parallel, so together they take two sequential round trips.
 */
export async function findKnown(ctx: FindCtx, wanted: Wanted): Promise<Known> {
  const { skillsEnabled } = wanted;
  const [found, skills, entities, forgot] = await Promise.all([
    lookForHits(ctx, wanted),
    lookForSkills(ctx, wanted),
    lookForEntities(ctx, wanted),
    findForgot(ctx, wanted),
  ]);
  const hits = found === null ? [] : fromHits(found.answer.hits, { ...found, skillsEnabled });
  const entries = found === null ? [] : chooseProfile(found.also, ctx.now());
  return {
    profile: found === null ? [] : profileItems(entries, { place: { ...found, skillsEnabled }, explains: wanted.explain }),
    items: merged(hits, fromEntities(entities.hits)),
    latest: found === null ? [] : fromHits(found.latest, { ...found, skillsEnabled }),
    isWhole: found?.isWhole ?? false,
    timeZone: found?.timeZone ?? skills?.timeZone ?? null,
    skills:
      skills === null
        ? []
        : fromHits(skills.answer.hits, { ...skills, skillsEnabled }).filter(({ isInstruction }) => isInstruction),
    forgot,
    heldBack: found?.heldBack ?? [],
    degraded: [...(found?.answer.degraded ?? []), ...entities.degraded],
    explain: found?.answer.explain,
    recall: (ids) => {
      found?.recall(ids);
      const foundBefore = new Set(found?.memories.keys());
      skills?.recall(ids.filter((id) => !foundBefore.has(id)));
    },
  };
}

async function lookForHits(ctx: FindCtx, wanted: Wanted): Promise<Searched | null> {
  const kinds = (wanted.kinds ?? ["memory", "episode", "chunk"]).filter((kind) => kind !== "entity");
  const limit = Math.min(MAX_HITS, 2 * wanted.limit + SPARE);
  return kinds.length === 0
    ? null
    : await look(ctx, wanted, { kinds, limit }, { withLatest: true, limitsKinds: true, also: profileOf(wanted) });
}

async function lookForSkills(ctx: FindCtx, wanted: Wanted): Promise<Searched | null> {
  if (!wanted.skillsEnabled || wanted.kinds?.includes("memory") === false) return null;
  const last = { strategy: "recent", query: "", kinds: ["memory"], types: ["procedural"], limit: MAX_SKILLS } as const;
  return await look(ctx, wanted, { ...last, kinds: [...last.kinds], types: [...last.types] });
}

type Search = Parameters<typeof searchFor>[1];

/** The profile says what holds now. */
function profileOf({ profile, asOf }: Wanted): SearchOptions["also"] {
  return profile && asOf === undefined ? findProfile : undefined;
}

async function look(
  ctx: FindCtx,
  wanted: Wanted,
  search: Pick<Search, "limit"> & Partial<Search>,
  options: Pick<SearchOptions, "withLatest" | "limitsKinds" | "also"> = {},
): Promise<Searched> {
  const { skillsEnabled: _, maxTokens: __, kinds: ___, profile: ____, channelLimitMs, viewerAsks, ...place } = wanted;
  // The block has its own budget, which includes its frame.
  const all = { reach: "tenant", adjust: true, cut: true, maxTokens: Number.MAX_SAFE_INTEGER } as const;
  return await searchFor(ctx, { ...place, ...all, ...search }, { ownProjectOnly: true, channelLimitMs, viewerAsks, ...options });
}

type EntityHits = Pick<EntitySearchView, "hits"> & Pick<ContextView, "degraded">;

const NO_ENTITIES: EntityHits = { hits: [], degraded: [] };

/**
 * Entities have no history, so there is none for a time in the past. If the search fails, the block has no entities, and the answer reports
 * it.
 */
async function lookForEntities(ctx: FindCtx, wanted: Wanted): Promise<EntityHits> {
  const { query, userId, sessionId = null, projectId = null, kinds, asOf, limit, explain, channelLimitMs } = wanted;
  if (asOf !== undefined || kinds?.includes("entity") === false) return NO_ENTITIES;
  const isAlone = kinds?.every((kind) => kind === "entity") === true;
  const user = actingUser(ctx, userId);
  const found = await searchEntities(ctx, {
    query,
    user,
    sessionId,
    projectId,
    limit: Math.min(limit, MAX_ENTITIES),
    explain,
    channelLimitMs,
    requiresPlace: isAlone,
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") throw error;
    ctx.log("context.degraded", { channel: "entities", ...describeError(error) });
    return null;
  });
  if (found === null) return { hits: [], degraded: [{ channel: "entities", reason: "failed" }] };
  const [failure] = found.degraded;
  return { hits: found.hits, degraded: failure === undefined ? [] : [{ channel: "entities", reason: failure.reason }] };
}
