import { env } from "cloudflare:workers";
import fc from "fast-check";
import { recordMentions } from "#domain/entities";
import { extraction } from "#test/entity-requests";
import { type ModelTenant, type Standing, userId, type World } from "./world.ts";

/** What the test believes of one entity, kept by its own reckoning. `mentions` are episodes by their public ids. */
export type ModelEntity = { id: string; project: string; type: string; name: string; mentions: Set<string> };

export type EntityWorld = { world: World; entities: [ModelEntity[], ModelEntity[]] };

/** In every name, so that a search for it finds whatever may be found. */
export const COMMON = "quince";

const tenant = fc.constantFrom<0 | 1>(0, 0, 0, 1);
const user = fc.nat(3).map((i) => `u${i}`);
const project = fc.nat(2).map((i) => `p${i}`);
const thing = {
  type: fc.constantFrom("tool", "place"),
  name: fc.constantFrom("alpha", "beta", "gamma").map((word) => `${COMMON} ${word}`),
};
const who = { tenant, user, insider: fc.boolean() };

export const entityCommand = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("save" as const), ...who, project, ...thing }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("note" as const), tenant, session: fc.nat(5).map((i) => `s${i}`), ...thing }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("retag" as const), ...who, entity: fc.nat(20), project }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("forget" as const), ...who, entity: fc.nat(20) }) },
);

export type EntityCommand = typeof entityCommand extends fc.Arbitrary<infer C> ? C : never;

function isOf(tenant: ModelTenant, user: string, name: string): boolean {
  const project = tenant.projects.get(name);
  return project !== undefined && [project.owner, ...project.members].includes(userId(tenant, user));
}

/** An insider acts as the project's owner. */
function actorOf(tenant: ModelTenant, { user, insider }: { user: string; insider: boolean }, name: string): string {
  const project = tenant.projects.get(name);
  return insider && project !== undefined ? `u${project.owner % 1000}` : user;
}

/** Sends the command and answers the status that came and the one that had to come; the model moves on if it was carried out. */
export async function carryOutEntity(
  { world, entities }: EntityWorld,
  command: EntityCommand,
): Promise<{ expected: number; status: number; text: string }> {
  const tenant = world.tenants[command.tenant];
  const model = entities[command.tenant];
  switch (command.kind) {
    case "save":
      return await save(tenant, model, command);
    case "note":
      return await recordEntities(tenant, model, command);
    case "retag":
      return await retag(tenant, model, command);
    case "forget":
      return await forget(tenant, model, command);
  }
}

const find = (model: ModelEntity[], { project, type, name }: Omit<ModelEntity, "id" | "mentions">) =>
  model.find((entity) => entity.project === project && entity.type === type && entity.name === name);

async function save(tenant: ModelTenant, model: ModelEntity[], command: Extract<EntityCommand, { kind: "save" }>) {
  const { project, type, name } = command;
  const acting = actorOf(tenant, command, project);
  const known = find(model, { project, type, name });
  const expected = !isOf(tenant, acting, project) ? 404 : known === undefined ? 201 : 200;
  const body = { userId: acting, projectId: project, type, name: name.toUpperCase() };
  const { status, text, json } = await tenant.harness.fetch<{ id: string }>("POST", "/v1/entities", { body });
  if (status === 201) model.push({ id: json.id, project, type, name, mentions: new Set() });
  return { expected, status, text };
}

/** As extraction does it, of the session's latest episode. */
async function recordEntities(tenant: ModelTenant, model: ModelEntity[], command: Extract<EntityCommand, { kind: "note" }>) {
  const { type, name } = command;
  const session = tenant.sessions.get(command.session);
  const episode = session?.episodes.at(-1);
  if (session === undefined || episode === undefined) return { expected: 0, status: 0, text: "" };
  const row = await env.DB.prepare("select id from episodes where public_id = ?").bind(episode.id).first<{ id: number }>();
  const { harness } = tenant;
  const made = await recordMentions(
    { ...harness.services(), ...extraction(harness) },
    { episodes: [{ episodeId: row?.id ?? 0, at: 5, entities: [{ type, name }] }] },
  );
  const project = session.project;
  const known = project === null ? undefined : find(model, { project, type, name });
  if (project !== null && known === undefined) {
    const found = await env.DB.prepare(
      "select en.public_id as id from entities en join projects p on p.id = en.project_id where p.tenant_id = ? and p.external_id = ? and en.type = ? and en.name_key = ?",
    )
      .bind(harness.tenantId, project, type, name)
      .first<{ id: string }>();
    model.push({ id: found?.id ?? "none", project, type, name, mentions: new Set([episode.id]) });
  }
  known?.mentions.add(episode.id);
  const expected = project !== null && known === undefined ? 1 : 0;
  return { expected, status: made.made, text: JSON.stringify(made) };
}

async function retag(tenant: ModelTenant, model: ModelEntity[], command: Extract<EntityCommand, { kind: "retag" }>) {
  const entity = model[command.entity % Math.max(1, model.length)];
  if (entity === undefined) return { expected: 0, status: 0, text: "" };
  const { project } = command;
  const acting = actorOf(tenant, command, entity.project);
  const may = isOf(tenant, acting, entity.project) && isOf(tenant, acting, project);
  const body = { userId: acting, projectId: project };
  const { status, text } = await tenant.harness.fetch("POST", `/v1/entities/${entity.id}/retag`, { body });
  if (may && project !== entity.project) {
    const target = find(model, { ...entity, project });
    if (target === undefined) entity.project = project;
    else {
      for (const mention of entity.mentions) target.mentions.add(mention);
      model.splice(model.indexOf(entity), 1);
    }
  }
  return { expected: may ? 200 : 404, status, text };
}

async function forget(tenant: ModelTenant, model: ModelEntity[], command: Extract<EntityCommand, { kind: "forget" }>) {
  const entity = model[command.entity % Math.max(1, model.length)];
  if (entity === undefined) return { expected: 0, status: 0, text: "" };
  const acting = actorOf(tenant, command, entity.project);
  const may = isOf(tenant, acting, entity.project);
  const { status, text } = await tenant.harness.fetch("DELETE", `/v1/entities/${entity.id}?userId=${acting}`);
  if (may) model.splice(model.indexOf(entity), 1);
  return { expected: may ? 204 : 404, status, text };
}

/**
 * The project whose entities are visible in the viewer's place, in the words of docs/visibility.md: null for none, "refused" where they
 * have no part.
 */
export function visibleProject({ tenant, user, session: named, project }: Standing): string | null | "refused" {
  const id = userId(tenant, user);
  if (!tenant.users.has(user)) return "refused";
  if (named === null) return project !== null && isOf(tenant, user, project) ? project : "refused";
  const session = tenant.sessions.get(named);
  if (session === undefined) return "refused";
  if (session.kind === "private" ? session.owner !== id : !session.participants.has(id)) return "refused";
  if (project !== null && project !== session.project) return "refused";
  if (session.project === null) return null;
  if (session.kind === "private") return isOf(tenant, user, session.project) ? session.project : "refused";
  const everybody = [...session.participants].map((participant) => `u${participant % 1000}`);
  const home = session.project;
  return everybody.every((participant) => isOf(tenant, participant, home)) ? home : null;
}
