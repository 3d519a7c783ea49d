import type { Ctx } from "#context";
import { upstreamFailed } from "#core/errors";
import { requirePermission } from "#core/permission";
import { getSettings } from "#domain/settings";
import { askUpstream } from "./ask-upstream.ts";

type Model = { id: string; [name: string]: unknown };

/**
 * The upstream's models, and after them the tenant's own names for some. A refusal of the upstream's comes back as it is, under `refused`.
 */
export async function listModels(
  ctx: Ctx<"db" | "caches" | "now" | "upstream" | "secretBox">,
  call: { headers: Record<string, string>; signal: AbortSignal },
): Promise<{ models: Model[] } | { refused: Response }> {
  requirePermission(ctx.actor, "read");
  const settings = await getSettings(ctx);
  const answer = await askUpstream(ctx, settings, { path: "/models", ...call });
  if (!answer.ok) return { refused: answer };
  const models = modelsIn(await answer.json().catch(() => null));
  if (models === null) throw upstreamFailed("The model server's list of models could not be read.");
  const own = Object.keys(settings.upstream?.models ?? {}).filter((name) => !models.some(({ id }) => id === name));
  return { models: [...models, ...own.map((id) => ({ id, object: "model", created: 0, owned_by: "edgewise" }))] };
}

function modelsIn(list: unknown): Model[] | null {
  if (typeof list !== "object" || list === null || !("data" in list) || !Array.isArray(list.data)) return null;
  return list.data.filter(isModel);
}

function isModel(value: unknown): value is Model {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
