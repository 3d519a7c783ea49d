import { z } from "@hono/zod-openapi";
import type { Caller } from "#context";
import { invalid } from "#core/errors";
import { ExternalId } from "#core/fields";
import { isRecord } from "#core/is-record";
import { refuseSecretName } from "#core/safety/name-secrets";
import type { NamedPlace } from "#domain/injection";
import { boundUserOf, userNotNamed } from "#domain/tenants";
import { ownSession } from "#domain/visibility";
import type { SessionReader } from "#surfaces/rest/rest-env";
import { bodyOf } from "#surfaces/rest/session-place";

/** Any string, because it is read only when memory is on. */
const Percent = z.string().optional();

/** Only these values, so that the chat of a client that sends `false`, or both, is not stored by mistake. */
const Memory = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.enum(["on", "off"], "It is on or off, once, or left out."));

const Placement = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.enum(["system", "latest"], "It is system or latest, once, or left out."));

/** Percent-encoded, because a header can hold only ASCII. */
export const ProxyHeaders = z.object({
  "x-edgewise-user": Percent.describe(
    "The user, by the app's id, percent-encoded; else `user` or `metadata.user_id` of the body",
  ),
  "x-edgewise-session": Percent.describe(
    "The session, percent-encoded; else `metadata.session_id`; else one of the user's own (see docs/proxy.md)",
  ),
  "x-edgewise-project": Percent.describe("The project, percent-encoded; else `metadata.project_id`"),
  "x-edgewise-workspace": Percent.describe("The workspace, percent-encoded"),
  "x-edgewise-memory": Memory.optional().describe(
    "off: nothing is retrieved, injected or stored; on: memory is used even if the request looks like one that a chat app makes for itself, such as for a title",
  ),
  "x-edgewise-placement": Placement.optional().describe(
    "Where memory goes in this request, instead of the setting `placement`: system or latest",
  ),
});

export type ProxyHeaders = z.infer<typeof ProxyHeaders>;

/** The fields of a body that name the user and the place. */
export type PlaceFields = { user?: unknown; metadata?: unknown };

/** Their schemas; whether they are names is checked only where they are used. */
export const placeFields = {
  user: passedOn("string", "The user for whom it is, by the app's id, if no header names one"),
  metadata: passedOn("object", "`user_id`, `session_id` and `project_id` name the place if nothing else does"),
};

/** A field that the model server validates. */
export function passedOn(type: string, description: string) {
  return z.unknown().optional().meta({ type, description });
}

/**
 * The user and the place. A header has priority over the body.
 * @throws invalid_input for a required name that is missing, or is no id.
 */
export function readPlace(caller: Caller, { headers, body }: { headers: ProxyHeaders; body: PlaceFields }): NamedPlace {
  const metadata = isRecord(body.metadata) ? body.metadata : {};
  const fromMetadata = (name: "user_id" | "session_id" | "project_id") => idIn(`metadata.${name}`, metadata[name]);
  const named = fromHeader(headers, "x-edgewise-user") ?? idIn("user", body.user) ?? fromMetadata("user_id");
  const userId = named ?? boundUserOf(caller);
  if (userId === null) throw userNotNamed("x-edgewise-user");
  const projectId = fromHeader(headers, "x-edgewise-project") ?? fromMetadata("project_id");
  const sessionId = fromHeader(headers, "x-edgewise-session") ?? fromMetadata("session_id");
  return {
    userId,
    projectId,
    sessionId: sessionId ?? sessionOf({ userId, projectId }),
    workspaceId: fromHeader(headers, "x-edgewise-workspace"),
  };
}

/** The session that a completion names, as `readPlace` reads it. */
export const inCompletion: SessionReader = async (c) => {
  const { metadata } = await bodyOf(c);
  const headers = { "x-edgewise-session": c.req.header("x-edgewise-session") };
  return [fromHeader(headers, "x-edgewise-session") ?? (isRecord(metadata) ? metadata.session_id : undefined)];
};

/** Every name of a user in a request, whether it is used or not. A header that cannot be decoded names nobody. */
export function usersNamed({ headers, body }: { headers: ProxyHeaders; body: PlaceFields }): string[] {
  const header = headers["x-edgewise-user"];
  const metadata = isRecord(body.metadata) ? body.metadata : {};
  const named = header === undefined ? null : readHeader(header.trim());
  return [named !== null && "id" in named ? named.id : null, body.user, metadata.user_id].filter(
    (name) => typeof name === "string",
  );
}

const ENCODE =
  "Percent-encode it, as encodeURIComponent does: a header holds ASCII only, and other characters do not come through as they were sent.";
const COMMA = "It has a comma, or the header was sent more than once. Send it once, and a comma in an id as %2C.";
const PERCENT = "It is not percent-encoded UTF-8. Encode the id, as encodeURIComponent does: a percent sign is %25.";
const EXTENDED =
  "It looks like RFC 8187's form. Send the percent-encoded id alone, as in Jos%C3%A9; an apostrophe of the id's own is %27.";
const EMPTY = "It is empty. Leave the header out, if nobody is named.";

type IdHeader = Exclude<keyof ProxyHeaders, "x-edgewise-memory" | "x-edgewise-placement">;

/**
 * RFC 8187's `UTF-8''Jos%C3%A9`. It is refused, because encodeURIComponent keeps apostrophes: a user named `UTF-8''alice` in an app would
 * be mistaken for alice.
 */
const EXTENDED_FORM = /^(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d)'[a-z0-9-]{0,35}'/i;

/** An id from a header, in percent-encoded UTF-8. */
export function fromHeader(headers: Partial<ProxyHeaders>, name: IdHeader): string | undefined {
  const value = headers[name]?.trim();
  if (value === undefined) return undefined;
  const read = readHeader(value);
  if ("problem" in read) throw invalid(name, read.problem);
  return idIn(name, read.id);
}

function readHeader(value: string): { id: string } | { problem: string } {
  // Otherwise all users of an app that does not name its user would share one memory.
  if (value === "") return { problem: EMPTY };
  if (!/^[\x20-\x7e]*$/.test(value)) return { problem: ENCODE };
  // A header that is sent twice arrives as one, joined by a comma.
  if (value.includes(",")) return { problem: COMMA };
  if (EXTENDED_FORM.test(value)) return { problem: EXTENDED };
  const id = percentDecoded(value);
  return id === null ? { problem: PERCENT } : { id };
}

function percentDecoded(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** Some clients send null for a field that they leave out. */
function idIn(path: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const id = ExternalId.safeParse(value);
  if (!id.success) throw invalid(path, id.error.issues[0]?.message ?? "It is no id.");
  refuseSecretName(path, id.data);
  return id.data;
}

function sessionOf(named: { userId: string; projectId: string | undefined }): string {
  const session = ownSession(named);
  if (ExternalId.safeParse(session).success) return session;
  throw invalid("x-edgewise-session", "The names of user and project are too long to make a session's of: name the session.");
}
