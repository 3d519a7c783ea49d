import { sql } from "drizzle-orm";
import type { Ctx } from "#context";
import { notFound } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { refuseSecrets } from "#core/safety/refuse-secrets";
import { nameKey } from "#core/text/normalize";
import { readRows, type Statement, select } from "#db/client";
import { failUnless } from "#db/guard";
import { type RowOf, row, text } from "#db/row";
import { PERSON } from "#db/schema/people";
import { USER } from "#db/schema/tenants";
import { commitUnlessLost } from "#domain/audit";
import { boundUserOf, ensureUsers, refuseOtherUsers, type UserRef, userIdOf } from "./acting-user.ts";
import type { UserInput, UserView } from "./schemas.ts";
import { toUser, USER_COLUMNS } from "./view.ts";

/**
 * Creates the user, or changes the fields that the input names, and gives their own person the same name; equal values are no change. A
 * name that comes with a server key is the app's word about who they are.
 * @throws forbidden for another user than the one to whom the key is bound.
 * @throws unprocessable for a name that holds a secret.
 * @throws conflict if concurrent calls keep changing the user.
 */
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
    const isOfApp = boundUserOf(ctx) === null;
    const isNamedSo = input.name === undefined || (input.name === found?.name && (!isOfApp || input.name === found.appName));
    const isSo = isNamedSo && (input.timeZone === undefined || input.timeZone === found?.timeZone);
    if (found !== undefined && isSo) return toUser(found);
    return (await storeUser(ctx, { externalId, input, found })) === "lost" ? "lost" : await loadUser(ctx, externalId);
  });
}

/**
 * @throws forbidden for another user than the one to whom the key is bound.
 * @throws not_found
 */
export async function getUser(ctx: Ctx<"db">, externalId: string): Promise<UserView> {
  requirePermission(ctx.actor, "read");
  refuseOtherUsers(ctx, [externalId]);
  return await loadUser(ctx, externalId);
}

const USER_ROW = row(USER_COLUMNS);

async function loadUser(ctx: Ctx<"db">, externalId: string): Promise<UserView> {
  const found = select(USER_ROW)`from users u where u.tenant_id = ${ctx.tenantId} and u.external_id = ${externalId}`;
  const [user] = await readRows(ctx, found);
  if (user === undefined) throw notFound("user");
  return toUser(user);
}

/** A user and their own person. */
const FOUND = row({
  ...USER_COLUMNS,
  personName: text(sql`p.name`),
  ...PERSON.of(sql`p`, "aliases", "version"),
  ...USER.of(sql`u`, "appName"),
});

type Found = RowOf<typeof FOUND>;

async function findUser(ctx: Ctx<"db">, externalId: string): Promise<Found | undefined> {
  const found = select(FOUND)`from users u cross join persons p on p.user_id = u.id
    where u.tenant_id = ${ctx.tenantId} and u.external_id = ${externalId}`;
  return (await readRows(ctx, found))[0];
}

type Saving = { externalId: string; input: UserInput; found: Found | undefined };

/**
 * `lost`, and nothing written, if the user or their person has changed since they were read: every change gives the person another version.
 */
async function storeUser(ctx: Ctx<"db" | "now" | "newId">, saving: Saving): Promise<"stored" | "lost"> {
  const { input } = saving;
  const user = { externalId: saving.externalId };
  const version = sql`(select p.version from persons p where p.user_id = ${userIdOf(ctx.tenantId, user)})`;
  const stored = await commitUnlessLost(ctx, {
    statements: [
      failUnless(ctx.db, sql`${version} is ${saving.found?.version ?? null}`),
      ...ensureUsers(ctx, [user]),
      ...rename(ctx, saving),
      ...moveTo(ctx, user, input.timeZone),
    ],
    audit: [
      {
        action: "user.saved",
        objectId: sql`(select public_id from users where id = ${userIdOf(ctx.tenantId, user)})`,
        userId: userIdOf(ctx.tenantId, user),
        detail: { names: Object.keys(input) },
      },
    ],
  });
  return stored === "lost" ? "lost" : "stored";
}

/** Their person gets another version with it, as with every change of a user. */
function moveTo(ctx: Ctx<"db" | "now">, user: UserRef, timeZone: UserInput["timeZone"]): Statement[] {
  if (timeZone === undefined) return [];
  const userId = userIdOf(ctx.tenantId, user);
  return [
    ctx.db.run(sql`update users set ${USER.set({ timeZone })} where id = ${userId}`),
    ctx.db.run(sql`
      update persons set ${PERSON.set({ version: sql`version + 1`, updatedAt: ctx.now() })} where user_id = ${userId} and tenant_id = ${ctx.tenantId}`),
  ];
}

/** A person without a name is called by the app's id. The old name no longer finds them, unless it is one of their aliases. */
function rename(ctx: Ctx<"db" | "now">, { externalId, input, found }: Saving): Statement[] {
  if (input.name === undefined) return [];
  const userId = userIdOf(ctx.tenantId, { externalId });
  const name = input.name ?? externalId;
  const before = nameKey(found?.personName ?? externalId);
  const keys = [name, externalId, ...(found?.aliases ?? [])].map(nameKey);
  const key = nameKey(name);
  const names = { name: input.name, ...(boundUserOf(ctx) === null ? { appName: input.name } : {}) };
  return [
    ctx.db.run(sql`update users set ${USER.set(names)} where id = ${userId}`),
    ctx.db.run(sql`
      update persons set ${PERSON.set({ name, version: sql`version + 1`, updatedAt: ctx.now() })} where user_id = ${userId} and tenant_id = ${ctx.tenantId}`),
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
