import { z } from "@hono/zod-openapi";
import { invalid } from "#core/errors";
import { ExternalId } from "#core/fields";
import type { Completion } from "#domain/injection";

const Percent = z.string().max(2_000).optional();

/** Percent-encoded, because a header holds no other scripts. */
export const CompletionHeaders = z.object({
  "x-edgewise-user": Percent.describe(
    "The user, by the app's id, percent-encoded; else `user` or `metadata.user_id` of the body",
  ),
  "x-edgewise-session": Percent.describe(
    "The session, percent-encoded; else `metadata.session_id`; else one of the user's own (see docs/proxy.md)",
  ),
  "x-edgewise-project": Percent.describe("The project, percent-encoded; else `metadata.project_id`"),
  "x-edgewise-workspace": Percent.describe("The workspace, percent-encoded"),
  "x-edgewise-memory": z.string().optional().describe("off: nothing is retrieved, injected or stored"),
});

const Turn = z
  .looseObject({ role: z.string().min(1).max(40), content: z.unknown().optional() })
  .meta({ id: "ChatMessage", description: "As OpenAI's chat completions know it" });

export const CompletionBody = z
  .looseObject({
    model: z.string().min(1).max(200),
    messages: z.array(Turn).min(1),
    stream: z.boolean().nullish(),
    n: z.number().int().min(1).max(128).nullish(),
    user: ExternalId.nullish().describe("The user for whom it is, by the app's id, if no header names one"),
    metadata: z
      .looseObject({
        user_id: ExternalId.nullish(),
        session_id: ExternalId.nullish(),
        project_id: ExternalId.nullish(),
      })
      .nullish()
      .describe("Names the place if no header does"),
  })
  .meta({
    id: "ChatCompletionInput",
    description: "OpenAI's chat completion; every field goes to the tenant's model server as it came",
  });

export type CompletionHeaders = z.infer<typeof CompletionHeaders>;
export type CompletionBody = z.infer<typeof CompletionBody>;

type Named = Pick<Completion, "userId" | "sessionId" | "projectId" | "workspaceId">;

/** Who speaks and where. A header wins over the body. */
export function readPlace(headers: CompletionHeaders, body: CompletionBody, callerId: string): Named {
  const userId = fromHeader(headers, "x-edgewise-user") ?? body.user ?? body.metadata?.user_id ?? undefined;
  const projectId = fromHeader(headers, "x-edgewise-project") ?? body.metadata?.project_id ?? undefined;
  const sessionId = fromHeader(headers, "x-edgewise-session") ?? body.metadata?.session_id ?? undefined;
  return {
    userId,
    projectId,
    sessionId: sessionId ?? ownSession({ userId, projectId, callerId }),
    workspaceId: fromHeader(headers, "x-edgewise-workspace"),
  };
}

function fromHeader(headers: CompletionHeaders, name: Exclude<keyof CompletionHeaders, "x-edgewise-memory">): string | undefined {
  const value = headers[name];
  if (value === undefined || value === "") return undefined;
  const id = ExternalId.safeParse(decoded(value));
  if (id.success) return id.data;
  throw invalid(name, id.error.issues[0]?.message ?? "It is no id.");
}

/** What cannot be decoded is nothing, which no id is. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return "";
  }
}

/**
 * The session of chats that name none: `proxy:alice`, or `proxy:alice/garden` in a project. A key's default user has no name, so the
 * key's stands for it, behind a colon, which no encoded name holds.
 */
export function ownSession(named: { userId: string | undefined; projectId: string | undefined; callerId: string }): string {
  const user = named.userId === undefined ? `:${named.callerId}` : encodeURIComponent(named.userId);
  const session = `proxy:${user}${named.projectId === undefined ? "" : `/${encodeURIComponent(named.projectId)}`}`;
  if (ExternalId.safeParse(session).success) return session;
  throw invalid("x-edgewise-session", "The names of user and project are too long to make a session's of: name the session.");
}

/** Whether a plain text will do: nobody waits for JSON, for a call of a tool or for sound. */
export function takesPlainAnswer(body: CompletionBody): boolean {
  const { response_format: format, tool_choice: choice, function_call: call, modalities } = body;
  const wantsText = format == null || (isObject(format) && format.type === "text");
  const isFree = (wish: unknown) => wish == null || wish === "auto" || wish === "none";
  return wantsText && isFree(choice) && isFree(call) && !(Array.isArray(modalities) && modalities.includes("audio"));
}

export function wantsUsage(body: CompletionBody): boolean {
  return isObject(body.stream_options) && body.stream_options.include_usage === true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
