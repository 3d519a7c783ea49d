import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { readRows, select } from "#db/client";
import { row, text } from "#db/row";
import { addTexts, saveSource } from "#domain/sources";
import type { NamedUser } from "#domain/tenants";
import { type ClaudeProject, parseProject } from "./claude-project.ts";
import { titleOf } from "./conversation-to-store.ts";
import { findErased } from "./find-erased.ts";
import { isOfBase, ownId } from "./own-id.ts";
import type { ImportItem } from "./schemas.ts";
import type { Statistics } from "./statistics.ts";
import { reasonOf } from "./store-conversation.ts";

type ProjectsCtx = Parameters<typeof addTexts>[0] & Ctx<"secretBox">;

type Taking = { user: NamedUser; projectId: string | null; isDry: boolean; statistics: Statistics; from: number };

const STORED = row({ externalId: text(sql`so.external_id`) });

/** Documents that are stored at a time. */
const TEXTS_A_CALL = 50;

/**
 * Stores the documents of Claude's projects, each project as a source of the import's project. Sent again, it stores only those that have
 * changed. Without a project they are left out: sources belong to one.
 */
export async function takeProjects(ctx: ProjectsCtx, raws: readonly unknown[], taking: Taking): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for (const [i, raw] of raws.entries())
    items.push(await takeProject(ctx, parseProject(raw), { ...taking, from: taking.from + i }));
  return items;
}

async function takeProject(ctx: ProjectsCtx, project: ClaudeProject, taking: Taking): Promise<ImportItem> {
  const { statistics, projectId, from } = taking;
  const item = { position: from, title: titleOf(project.name), sessionId: null, messages: 0, messagesKnown: 0, notes: [] };
  const leftOut = (outcome: "skipped" | "failed" | "erased", reason: string): ImportItem => {
    statistics.projectsLeftOut += 1;
    return { ...item, outcome, reason };
  };
  const { id, files } = project;
  if (files.length === 0) return leftOut("skipped", "It has no document.");
  if (projectId === null)
    return leftOut("skipped", `Its documents (${files.length}) need a project. Name one (projectId) for the import.`);
  if (id === null) return leftOut("failed", "It has no id (uuid).");
  const userId = taking.user.externalId;
  try {
    const sourceId = await findSourceId(ctx, { id, projectId });
    if (sourceId === null) return leftOut("erased", "It was erased here.");
    const stored = taking.isDry ? files.length : await storeDocuments(ctx, { sourceId, project, projectId, userId });
    statistics.documents += stored;
    return { ...item, outcome: stored > 0 ? "stored" : "known", reason: null };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    return leftOut("failed", reason);
  }
}

/** The app's id of the project's source that holds the documents, or that of a new one; null if it was erased. */
async function findSourceId(ctx: ProjectsCtx, { id, projectId }: { id: string; projectId: string }): Promise<string | null> {
  const { externalId, base } = await ownId(ctx, { platform: "claude", id, owner: projectId });
  const stored = await readRows(
    ctx,
    select(STORED)`from sources so where so.tenant_id = ${ctx.tenantId} and ${isOfBase(sql`so.external_id`, sql`${base}`)}
      and so.project_id = (select p.id from projects p where p.tenant_id = ${ctx.tenantId} and p.external_id = ${projectId})
      order by so.external_id = ${externalId} desc, so.id limit 1`,
  );
  const sourceId = stored[0]?.externalId ?? externalId;
  const erased = await findErased(ctx, "source", [sourceId, base]);
  return erased.has(sourceId) || (erased.has(base) && stored.length === 0) ? null : sourceId;
}

/** How many documents were stored or replaced. */
async function storeDocuments(
  ctx: ProjectsCtx,
  { sourceId, project, projectId, userId }: { sourceId: string; project: ClaudeProject; projectId: string; userId: string },
): Promise<number> {
  await saveSource(ctx, sourceId, { userId, projectId, ...(project.name === null ? {} : { name: project.name }) });
  let stored = 0;
  for (let from = 0; from < project.files.length; from += TEXTS_A_CALL) {
    const { items } = await addTexts(ctx, sourceId, { userId, files: project.files.slice(from, from + TEXTS_A_CALL) });
    stored += items.filter(({ outcome }) => outcome !== "unchanged").length;
  }
  return stored;
}
