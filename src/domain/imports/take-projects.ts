import { addTexts, saveSource } from "#domain/sources";
import type { NamedUser } from "#domain/tenants";
import { type ClaudeProject, parseProject } from "./claude-project.ts";
import { titleOf } from "./conversation-to-store.ts";
import type { ImportItem } from "./schemas.ts";
import type { Statistics } from "./statistics.ts";
import { reasonOf } from "./store-conversation.ts";

type ProjectsCtx = Parameters<typeof addTexts>[0];

type Taking = { user: NamedUser; projectId: string | null; isDry: boolean; statistics: Statistics; from: number };

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
  const leftOut = (outcome: "skipped" | "failed", reason: string): ImportItem => {
    statistics.projectsLeftOut += 1;
    return { ...item, outcome, reason };
  };
  const { id, files } = project;
  if (files.length === 0) return leftOut("skipped", "It has no document.");
  if (projectId === null)
    return leftOut("skipped", `Its documents (${files.length}) need a project. Name one (projectId) for the import.`);
  if (id === null) return leftOut("failed", "It has no id (uuid).");
  try {
    const stored = taking.isDry
      ? files.length
      : await storeDocuments(ctx, { id, project, projectId, userId: taking.user.externalId });
    statistics.documents += stored;
    return { ...item, outcome: stored > 0 ? "stored" : "known", reason: null };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === null) throw error;
    return leftOut("failed", reason);
  }
}

/** How many documents were stored or replaced. */
async function storeDocuments(
  ctx: ProjectsCtx,
  { id, project, projectId, userId }: { id: string; project: ClaudeProject; projectId: string; userId: string },
): Promise<number> {
  const sourceId = `claude:${id}`;
  await saveSource(ctx, sourceId, { userId, projectId, ...(project.name === null ? {} : { name: project.name }) });
  let stored = 0;
  for (let from = 0; from < project.files.length; from += TEXTS_A_CALL) {
    const { items } = await addTexts(ctx, sourceId, { userId, files: project.files.slice(from, from + TEXTS_A_CALL) });
    stored += items.filter(({ outcome }) => outcome !== "unchanged").length;
  }
  return stored;
}
