import type { Ctx } from "#context";
import { conflict } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { nameKey } from "#core/text/normalize";
import { actingUser, userIdOf } from "#domain/tenants";
import { requireOwnPerson } from "./find-person.ts";
import { distinctAliases } from "./names.ts";
import { MAX_ALIASES, type PersonView } from "./schemas.ts";
import { storableText, storePerson, valuesOf } from "./store-person.ts";
import { toPerson } from "./view.ts";

/**
 * Adds or removes an alias, as the person or as the user who created it. Aliases that are looked up alike are the same; idempotent.
 * @throws not_found
 * @throws forbidden for anybody except the person and its creator.
 * @throws conflict for a person that was merged into another, for too many aliases, and if concurrent calls keep changing the person.
 * @throws unprocessable for an alias that holds a secret.
 */
export async function changeAlias(
  ctx: Ctx<"db" | "now" | "newId" | "wait" | "random">,
  personId: string,
  change: { alias: string; userId?: string | undefined; added: boolean },
): Promise<PersonView> {
  requirePermission(ctx.actor, "write");
  const user = actingUser(ctx, change.userId);
  const alias = change.added ? storableText("alias", change.alias) : change.alias;
  return await retryLostRace(ctx, "This person is being changed by others at the same moment. Try again.", async () => {
    const person = await requireOwnPerson(ctx, { personId, user });
    const before = valuesOf(person);
    const aliases = change.added
      ? distinctAliases({ name: before.name, aliases: [...before.aliases, alias] })
      : before.aliases.filter((other) => nameKey(other) !== nameKey(alias));
    if (aliases.length === before.aliases.length) return toPerson(person);
    if (change.added && aliases.length > MAX_ALIASES)
      throw conflict(`A person may have ${MAX_ALIASES} aliases. Take one away first.`);
    const stored = await storePerson(ctx, {
      person,
      next: { ...before, aliases },
      audit: {
        action: change.added ? "person.alias_added" : "person.alias_removed",
        userId: userIdOf(ctx.tenantId, user),
        detail: {},
      },
    });
    return stored === "lost" ? "lost" : toPerson(stored);
  });
}
