import type { Ctx } from "#context";
import { AppError } from "#core/errors";
import { requirePermission } from "#core/permission";
import { retryLostRace } from "#core/retry-lost-race";
import { actingUser, userIdOf } from "#domain/tenants";
import { requireOwnPerson } from "./find-person.ts";
import { distinctAliases } from "./names.ts";
import type { PersonChange, PersonView } from "./schemas.ts";
import { type PersonValues, parsePersonInput, storePerson, valuesOf } from "./store-person.ts";
import { toPerson } from "./view.ts";

type ChangeCtx = Ctx<"db" | "now" | "newId" | "wait" | "random">;

/**
 * Changes the fields that the input names, as the person or as the user who created it. `ifVersions`: the versions that the client has,
 * null for any.
 * @throws not_found
 * @throws forbidden for anybody except the person and its creator.
 * @throws precondition_failed if the person has another version than those that are named.
 * @throws conflict for a person that was merged into another, and, if no version is named, if concurrent calls keep changing it.
 * @throws unprocessable for a text that holds a secret.
 */
export async function changePerson(
  ctx: ChangeCtx,
  named: { personId: string; ifVersions: readonly number[] | null },
  input: PersonChange,
): Promise<PersonView> {
  requirePermission(ctx.actor, "write");
  return await retryLostRace(ctx, "This person is being changed by others at the same moment. Try again.", () =>
    tryChange(ctx, named, input),
  );
}

async function tryChange(
  ctx: ChangeCtx,
  named: { personId: string; ifVersions: readonly number[] | null },
  input: PersonChange,
): Promise<PersonView | "lost"> {
  const user = actingUser(ctx, input.userId);
  const person = await requireOwnPerson(ctx, { personId: named.personId, user });
  if (named.ifVersions !== null && !named.ifVersions.includes(person.version)) throw changedSince();
  const before = valuesOf(person);
  const wished = { ...before, ...parsePersonInput(input) };
  const next = { ...wished, aliases: distinctAliases(wished) };
  const fields = changedFields(before, next);
  if (fields.length === 0) return toPerson(person);
  const stored = await storePerson(ctx, {
    person,
    next,
    audit: { action: "person.changed", userId: userIdOf(ctx.tenantId, user), detail: { fields } },
  });
  if (stored !== "lost") return toPerson(stored);
  if (named.ifVersions !== null) throw changedSince();
  return "lost";
}

function changedFields(before: PersonValues, next: PersonValues): string[] {
  const fields = ["name", "aliases", "relationship", "notes"] as const;
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(next[field]));
}

function changedSince(): AppError {
  return new AppError("precondition_failed", "This person has another version than If-Match names. Read it again.");
}
