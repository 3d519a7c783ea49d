import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { nameKey } from "#core/text/normalize";
import type { Statement } from "#db/client";
import { failUnless, isLostRace } from "#db/guard";
import { users } from "#db/schema/tenants";
import { commit } from "#domain/audit";
import type { UserInput, UserView } from "./schemas.ts";
import { ensureUsers, refuseOtherUsers, userIdOf } from "./user-ref.ts";
import { toUser, type UserRow } from "./view.ts";

/** Makes the user, or changes what the input names, and calls their own person the same; what is so already is no change. */
export async function saveUser(
  ctx: Ctx<"db" | "now" | "newId" | "wait" | "random">,
  externalId: string,
  input: UserInput,
): Promise<UserView> {
  requirePermission(ctx.actor, "write");
  refuseOtherUsers(ctx, [externalId]);
  refuseSecrets({ name: input.name });
  return await retryLostRace(ctx, "This user is being changed by others at the same moment. Try again.", async () => {
    const found = await findUser(ctx, externalId);
    const isSo = input.name === undefined || input.name === found?.name;
    if (found !== undefined && isSo) return toUser(found);
    return (await storeUser(ctx, { externalId, input, found })) === "lost" ? "lost" : await loadUser(ctx, externalId);
  });
}

export async function getUser(ctx: Ctx<"db">, externalId: string): Promise<UserView> {
  requirePermission(ctx.actor, "read");
  refuseOtherUsers(ctx, [externalId]);
  return await loadUser(ctx, externalId);
}

async function loadUser(ctx: Ctx<"db">, externalId: string): Promise<UserView> {
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.tenantId, ctx.tenantId), eq(users.externalId, externalId)));
  if (row === undefined) throw notFound("user");
  return toUser(row);
}

type Found = UserRow & { personName: string; aliases: string; version: number };

async function findUser(ctx: Ctx<"db">, externalId: string): Promise<Found | undefined> {
  const [found] = await ctx.db.all<Found>(sql`
    select u.external_id as externalId, u.name, u.created_at as createdAt,
      p.name as personName, p.aliases, p.version
    from users u cross join persons p on p.user_id = u.id
    where u.tenant_id = ${ctx.tenantId} and u.external_id = ${externalId}`);
  return found;
}

type Saving = { externalId: string; input: UserInput; found: Found | undefined };

/** `lost`, and nothing written, if the user or their person are not as they were found: whatever changes one gives the person another version. */
async function storeUser(ctx: Ctx<"db" | "now" | "newId">, saving: Saving): Promise<"stored" | "lost"> {
  const user = { externalId: saving.externalId };
  const version = sql`(select p.version from persons p where p.user_id = ${userIdOf(ctx.tenantId, user)})`;
  try {
    await commit(ctx, {
      statements: [
        failUnless(ctx.db, sql`${version} is ${saving.found?.version ?? null}`),
        ...ensureUsers(ctx, [user]),
        ...rename(ctx, saving),
      ],
      audit: [
        {
          action: "user.saved",
          objectId: sql`(select public_id from users where id = ${userIdOf(ctx.tenantId, user)})`,
          userId: userIdOf(ctx.tenantId, user),
          detail: { names: Object.keys(saving.input) },
        },
      ],
    });
  } catch (error) {
    if (isLostRace(error)) return "lost";
    throw error;
  }
  return "stored";
}

/** A person without a name of their own is called what the app calls them. The old name finds them no more, unless they go by it still. */
function rename(ctx: Ctx<"db" | "now">, { externalId, input, found }: Saving): Statement[] {
  if (input.name === undefined) return [];
  const userId = userIdOf(ctx.tenantId, { externalId });
  const name = input.name ?? externalId;
  const before = nameKey(found?.personName ?? externalId);
  const keys = [name, externalId, ...aliasesIn(found)].map(nameKey);
  const key = nameKey(name);
  return [
    ctx.db.run(sql`update users set name = ${input.name} where id = ${userId}`),
    ctx.db.run(sql`
      update persons set name = ${name}, version = version + 1, updated_at = ${ctx.now()} where user_id = ${userId} and tenant_id = ${ctx.tenantId}`),
    ...(keys.includes(before)
      ? []
      : [
          ctx.db.run(sql`
            delete from person_names where tenant_id = ${ctx.tenantId} and name_key = ${before}
              and person_id = (select id from persons where user_id = ${userId})`),
        ]),
    ...(key === ""
      ? []
      : [
          ctx.db.run(sql`
            insert into person_names (tenant_id, name_key, person_id)
            select ${ctx.tenantId}, ${key}, id from persons where user_id = ${userId}
            on conflict do nothing`),
        ]),
  ];
}

/** The column holds a JSON array of texts. */
function aliasesIn(found: Found | undefined): string[] {
  return found === undefined ? [] : (JSON.parse(found.aliases) as string[]);
}
