import type { Ctx, Settings } from "#context";
import { AppError, upstreamFailed } from "#core/errors";
import { requirePermission } from "#core/permission";
import { readWhole } from "#core/read-whole";
import { getSettings, openUpstream } from "#domain/settings";

export type UpstreamCall = {
  path: `/${"chat/completions" | "responses" | "embeddings" | "models"}` | `/responses/${string}`;
  /** With a body, POST if absent; else GET. */
  method?: "GET" | "POST" | "DELETE";
  body?: string;
  headers: Record<string, string>;
  signal: AbortSignal;
};

/**
 * The answer of the tenant's own model server, whatever its status.
 *
 * @throws unprocessable for a tenant that has none.
 * @throws upstream_failed when it cannot be reached.
 */
export async function askUpstream(ctx: Ctx<"upstream" | "secretBox">, settings: Settings, call: UpstreamCall): Promise<Response> {
  const { base, apiKey } = await openUpstream(ctx, settings.upstream);
  const method = call.method ?? (call.body === undefined ? "GET" : "POST");
  return await ctx.upstream.send({ ...call, tenantId: ctx.tenantId, base, apiKey, method });
}

/** The upstream's name for the model that a client names; null if it is the same, or none is named. */
export function upstreamName(settings: Settings, model: unknown): string | null {
  if (typeof model !== "string") return null;
  const names = settings.upstream?.models ?? {};
  const name = Object.hasOwn(names, model) ? names[model] : undefined;
  return name === undefined || name === model ? null : name;
}

type Model = { id: string; [name: string]: unknown };

/**
 * The upstream's models, followed by the tenant's own names for some. An error response of the upstream is returned as `refused`.
 * @throws upstream_failed for a list that cannot be read, and as `askUpstream`.
 */
export async function listModels(
  ctx: Ctx<"db" | "caches" | "now" | "upstream" | "secretBox">,
  call: { headers: Record<string, string>; signal: AbortSignal },
): Promise<{ models: Model[] } | { refused: Response }> {
  requirePermission(ctx.actor, "read");
  const settings = await getSettings(ctx);
  const answer = await askUpstream(ctx, settings, { path: "/models", ...call });
  if (!answer.ok) return { refused: answer };
  const models = modelsIn(await readJson(answer));
  if (models === null) throw upstreamFailed("The model server's list of models could not be read.");
  const own = Object.keys(settings.upstream?.models ?? {}).filter((name) => !models.some(({ id }) => id === name));
  return { models: [...models, ...own.map((id) => ({ id, object: "model", created: 0, owned_by: "edgewise" }))] };
}

/** Google's OpenAI-compatible server lists `models/gemini-…` and answers to the name without it. */
const PREFIX = "models/";

/**
 * One model of the list, by the upstream's name or the tenant's own. It is looked for in the list because many model servers have only that.
 * @throws not_found for a model that is not in the list, and as `listModels`.
 */
export async function findModel(
  ctx: Parameters<typeof listModels>[0],
  name: string,
  call: Parameters<typeof listModels>[1],
): Promise<{ model: Model } | { refused: Response }> {
  const listed = await listModels(ctx, call);
  if ("refused" in listed) return listed;
  const { models } = listed;
  const model = models.find(({ id }) => id === name) ?? models.find(({ id }) => id === PREFIX + name);
  if (model === undefined)
    throw new AppError("not_found", "The model server lists no such model. GET /v1/models names those that there are.");
  return { model };
}

/** A list of thousands of models, with what each costs. */
const MAX_LIST_BYTES = 10_000_000;

/** Null for what is no JSON, is too long, or broke off. */
async function readJson(answer: Response): Promise<unknown> {
  try {
    const bytes = await readWhole(answer.body, MAX_LIST_BYTES);
    return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function modelsIn(list: unknown): Model[] | null {
  if (typeof list !== "object" || list === null || !("data" in list) || !Array.isArray(list.data)) return null;
  return list.data.filter(isModel);
}

function isModel(value: unknown): value is Model {
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string";
}
