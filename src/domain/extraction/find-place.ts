import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { nameKey } from "#core/text/normalize";
import { actingUser, userIdOf } from "#domain/tenants";
import { type Participant, type Place, readPlace } from "./read-episodes.ts";

type Asked = { userId?: string | undefined; sessionId?: string | undefined };

/** Where a user would speak: in a session that they may enter (404 if not), or privately in none. A user who is not known has said nothing yet. */
export async function findPlace(ctx: Ctx<"db">, asked: Asked): Promise<{ place: Place; user: Participant }> {
  const user = await findSelf(ctx, asked.userId);
  if (asked.sessionId === undefined) {
    const place: Place = { sessionId: 0, externalId: "", kind: "private", ownerId: user.userId, project: null, people: [user] };
    return { place, user };
  }
  const place = await readPlace(ctx, asked.sessionId);
  const here = place?.people.find(({ userId, takesPart }) => userId === user.userId && takesPart);
  if (place === undefined || here === undefined) throw notFound("session");
  return { place, user: here };
}

type SelfRow = { userId: number; externalId: string; personId: number; personPublicId: string; name: string; aliases: string };

const Aliases = z.array(z.string());

async function findSelf(ctx: Ctx<"db">, named: string | undefined): Promise<Participant> {
  const { externalId } = actingUser(ctx, named);
  const [row] = await ctx.db.all<SelfRow>(sql`
    select u.id as userId, u.external_id as externalId, pe.id as personId, pe.public_id as personPublicId, pe.name as name, pe.aliases as aliases
    from users u cross join persons pe on pe.user_id = u.id
    where u.tenant_id = ${ctx.tenantId} and u.id = ${userIdOf(ctx.tenantId, { externalId })}`);
  const self = row ?? { userId: 0, externalId, personId: 0, personPublicId: "", name: externalId, aliases: "[]" };
  const names = [...new Set([self.name, ...Aliases.parse(JSON.parse(self.aliases)), self.externalId])];
  const keys = names.map(nameKey).filter((key) => key !== "");
  return { ...self, names, keys, takesPart: true, isMember: false, tookPart: true, hadJoined: true };
}
