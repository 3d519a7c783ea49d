import type { Context, MiddlewareHandler } from "hono";
import { AppError } from "#core/errors";
import { isRecord } from "#core/is-record";
import type { RestEnv, SessionPlace, SessionReader } from "./rest-env.ts";

/** `/v1/sessions/{sessionId}/…` */
export const inPath: SessionReader = async (c) => [c.req.param("sessionId")];

/** `?sessionId=…` */
export const inQuery: SessionReader = async (c) => c.req.queries("sessionId") ?? [undefined];

export const inBody: SessionReader = async (c) => [(await bodyOf(c)).sessionId];

/** Of one memory or several: each belongs to a session, as `sessionId` says; where it was learned is named beside it. */
export const inMemories: SessionReader = async (c) => {
  const body = await bodyOf(c);
  const drafts = [Array.isArray(body.memories) ? body.memories : [body]].flat();
  return drafts.flatMap((draft) => {
    if (!isRecord(draft)) return [undefined];
    return isRecord(draft.learnedIn) ? [draft.sessionId, draft.learnedIn.sessionId] : [draft.sessionId];
  });
};

/**
 * Keeps a token that was made for some sessions inside them. It reads what its user may see from there; what widens that place is refused,
 * and so is a request that names no session or another.
 */
export function confined(place: SessionPlace): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    const { actor } = c.var.ctx;
    if (actor.kind !== "token" || actor.sessions === null || place === "anywhere") return await next();
    if (place === "nowhere")
      throw outside("This request is about no session. Use a token without `sessions`, or a key on your server.");
    await refuseWider(c);
    const { sessions } = actor;
    for (const named of await place(c)) {
      if (named === undefined || named === null) throw outside("Name the session in which this request acts.");
      if (typeof named !== "string" || !sessions.includes(named))
        throw outside("The session that this request names is none of them.");
    }
    return await next();
  };
}

function outside(why: string): AppError {
  return new AppError("forbidden", `This token is for some sessions only. ${why}`);
}

/** Fields, of a query or a body, that show more than the session's own place. */
const WIDER = ["projectId", "workspaceId", "includeGroups", "everywhere"];

async function refuseWider(c: Context<RestEnv>): Promise<void> {
  const body = await bodyOf(c);
  const named = WIDER.filter((field) => isSet(body[field]) || c.req.queries(field)?.some(isSet) === true);
  const metadata = isRecord(body.metadata) ? body.metadata : {};
  if (c.req.header("x-edgewise-project") !== undefined || isSet(metadata.project_id)) named.push("the project");
  if (c.req.header("x-edgewise-workspace") !== undefined) named.push("the workspace");
  if (named.length > 0) throw outside(`Leave out ${named.join(", ")}: the session itself says what can be seen from it.`);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "false";
}

/** An object, empty for a body that is none: the schema refuses it. */
export async function bodyOf(c: Context<RestEnv>): Promise<Record<string, unknown>> {
  const body: unknown = await c.req.json().catch(() => null);
  return isRecord(body) ? body : {};
}
