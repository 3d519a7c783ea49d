import { sql } from "drizzle-orm";
import { describeError } from "#core/describe-error";
import { inTime } from "#core/in-time";
import { asksToForget } from "#core/language/forget-requests";
import { readRows, select } from "#db/client";
import { row } from "#db/row";
import { EPISODE } from "#db/schema/sessions";
import { type ChatTurn, type NamedPlace, storeAsked } from "#domain/injection";
import { type AppendCtx, type AppendedView, type AppendInput, appendEpisodes, type ForgotView } from "#domain/sessions";
import { getSettingsEvenStale } from "#domain/settings";
import { type FollowCtx, followRequests } from "./follow-requests.ts";

type AppendAndForgetCtx = AppendCtx & FollowCtx;

/** Time limit for following requests before the answer; what takes longer is done by the job of the episode. */
const BUDGET_MS = 2_000;

/**
 * `appendEpisodes`, and what its new messages explicitly ask to be forgotten is forgotten before the answer, which says so. Only such messages
 * cost more round trips. What fails or takes too long is done by the job that follows the append.
 */
export async function appendAndForget(ctx: AppendAndForgetCtx, externalId: string, input: AppendInput): Promise<AppendedView[]> {
  const items = await appendEpisodes(ctx, externalId, input);
  const episodes = "episodes" in input ? input.episodes : [input];
  const asking = items.filter(({ created }, i) => created && episodes[i]?.messages.some(isRequest) === true);
  const forgot = await forgetAsked(
    ctx,
    asking.map(({ id }) => id),
  );
  return items.map((item) => ({ ...item, forgot: forgot.get(item.id) ?? [] }));
}

function isRequest({ role, content }: { role: string; content: string }): boolean {
  return role === "user" && asksToForget(content);
}

/**
 * Stores the messages that a chat ends with and follows their requests, before the reply to them, so that nothing that is to be forgotten is
 * in it. Fails open: what could not be done is done when the exchange has been stored.
 */
export async function forgetBeforeReply(
  ctx: AppendAndForgetCtx,
  { readPlace, messages, continues }: { readPlace: () => NamedPlace; messages: readonly ChatTurn[]; continues: string },
): Promise<ForgotView[]> {
  const store = async () => {
    const { userId, sessionId, projectId } = readPlace();
    return await storeAsked(ctx, { place: { userId, sessionId, projectId }, messages, continues });
  };
  const stored = await inTime(store(), BUDGET_MS);
  return stored.ok ? [...(await forgetAsked(ctx, stored.value)).values()].flat() : [];
}

const FOUND = row(EPISODE.of(sql`e`, "id", "publicId", "sentBy"));

/** What was forgotten by the requests of these episodes, by episode. */
async function forgetAsked(ctx: AppendAndForgetCtx, episodes: readonly string[]): Promise<Map<string, ForgotView[]>> {
  if (episodes.length === 0 || (await getSettingsEvenStale(ctx)).extraction === "off") return new Map();
  // As the job would do it: the caller may be one that may not read.
  const asJob: AppendAndForgetCtx = { ...ctx, idempotent: null, actor: { kind: "job", id: "job:episodes.forget" } };
  const followed = await inTime(followAll(asJob, episodes), BUDGET_MS);
  if (followed.ok) return followed.value;
  if (followed.reason === "failed") ctx.log("forgetting.failed", { requestId: ctx.requestId, ...describeError(followed.error) });
  return new Map();
}

async function followAll(ctx: AppendAndForgetCtx, episodes: readonly string[]): Promise<Map<string, ForgotView[]>> {
  const which = sql`e.public_id in (select value from json_each(${JSON.stringify(episodes)})) and e.tenant_id = ${ctx.tenantId}`;
  const forgot = new Map<string, ForgotView[]>();
  for (const { id, publicId, sentBy } of await readRows(ctx, select(FOUND)`from episodes e where ${which} order by e.id`)) {
    const outcomes = await followRequests(ctx, id, sentBy);
    forgot.set(
      publicId,
      outcomes.flatMap((outcome) =>
        typeof outcome === "string" || outcome.forgettingId === null
          ? []
          : [
              {
                id: outcome.forgettingId,
                memories: outcome.memories,
                facts: outcome.facts,
                passages: outcome.redacted.length,
                undoUntil: outcome.undoUntil,
              },
            ],
      ),
    );
  }
  return forgot;
}
