import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { breaksRule } from "#core/errors";
import { isOwnLabel } from "#core/text/own-label";
import type { Statement, StatementResult } from "#db/client";
import type { StoredMessage } from "#db/schema/sessions";
import { type UserRef, userIdOf } from "#domain/tenants";

/**
 * The user who sends messages, by internal id, with the names by which labels may mean them: their name and the app's id. An alias is a way
 * to be found that users give themselves, and proves nothing of who speaks.
 */
export type Sender = { userId: number | null; names: readonly string[] };

/**
 * Whose statement a message is, by internal id: of the user whom it names, else of its sender, unless its label says that somebody else
 * speaks. A label is never looked up among others' names, so it makes nothing anybody else's. Null for nobody's.
 */
export function authorOf(message: Pick<StoredMessage, "role" | "speaker" | "userId">, sender: Sender): number | null {
  if (message.role !== "user") return null;
  if (message.userId !== undefined) return message.userId;
  return message.speaker === null || isOwnLabel(message.speaker, sender.names) ? sender.userId : null;
}

/** The acting user, and the users whom messages name, by the app's ids. */
export type Speakers = {
  acting: Sender & { externalId: string | null };
  named: ReadonlyMap<string, Pick<SpeakerRow, "userId" | "takesPart" | "leftAt">>;
};

type SpeakerRow = {
  userId: number;
  externalId: string;
  name: string;
  isActing: number;
  takesPart: number;
  /** When they left the group last; null for who never took part. */
  leftAt: number | null;
};

type Asked = { sessionExternalId: string | null; acting: UserRef };

/** The acting user, and whoever of the named users exists, with whether they take part in the session of that name. */
export function findSpeakers(ctx: Ctx<"db">, { sessionExternalId, acting }: Asked, named: readonly string[]): Statement {
  const actingId = userIdOf(ctx.tenantId, acting);
  return ctx.db.all(sql`
    select u.id as userId, u.external_id as externalId, pe.name as name, u.id is ${actingId} as isActing,
      case s.kind
        when 'private' then s.owner_id = u.id
        when 'group' then exists (
          select 1 from participants ph where ph.user_id = u.id and ph.session_id = s.id and ph.left_at is null)
        else 0
      end as takesPart,
      (select max(pl.left_at) from participants pl where pl.session_id = s.id and pl.user_id = u.id and s.kind = 'group') as leftAt
    from (
      select ${actingId} as id
      union select nu.id from json_each(${JSON.stringify(named)}) j
        cross join users nu on nu.tenant_id = ${ctx.tenantId} and nu.external_id = j.value) w
    cross join users u on u.id = w.id
    cross join persons pe on pe.user_id = u.id
    left join sessions s on s.tenant_id = ${ctx.tenantId} and s.external_id = ${sessionExternalId}`);
}

/** From the rows of `findSpeakers`. An acting user who is not known yet goes by their id in the app alone. */
export function speakersIn(result: StatementResult | undefined, { acting }: Pick<Asked, "acting">): Speakers {
  const rows = (result?.rows ?? []) as SpeakerRow[];
  const self = rows.find(({ isActing }) => isActing === 1);
  const externalId = self?.externalId ?? ("externalId" in acting ? acting.externalId : null);
  const names = [self?.name, externalId].filter((name) => typeof name === "string");
  return {
    acting: { userId: self?.userId ?? null, externalId, names },
    named: new Map(rows.map((row) => [row.externalId, row])),
  };
}

/**
 * The user whom a message names as its speaker: the acting user, or another one's internal id. 422 for anybody but who takes part in the
 * session now, or did when it was said.
 */
export function namedSpeaker(
  { acting, named }: Speakers,
  said: { userId: string; role: string; at: number; path: string },
): number | "acting" {
  if (said.role !== "user") throw breaksRule(`${said.path}userId`, "Only a message of the role user names the user who said it.");
  if (said.userId === acting.externalId) return "acting";
  const user = named.get(said.userId);
  if (user !== undefined && (user.takesPart === 1 || (user.leftAt !== null && said.at <= user.leftAt))) return user.userId;
  throw breaksRule(
    `${said.path}userId`,
    "This user does not take part in the session, and did not when it was said. Name a participant, or leave userId out.",
  );
}
