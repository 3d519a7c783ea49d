import { sql } from "drizzle-orm";
import type { Services } from "#context";
import { runBatch } from "#domain/audit";

/**
 * Notices that the configured model is not the one that vectors were last made with, and gives every tenant the jobs that embed its
 * episodes, its memories and its entities anew. Until a vector has been renewed it is left out of every ranking. Answers whether it was so.
 */
export async function adoptModel(services: Pick<Services, "db" | "now" | "embedder">): Promise<boolean> {
  const { model, dimensions } = services.embedder;
  const now = services.now();
  const latest = await services.db.all<{ model: string }>(sql`select model from vector_models order by adopted_at desc limit 1`);
  if (latest[0]?.model === model) return false;
  // The ids are made of kind and time, so that two isolates that notice at once make the same jobs.
  await runBatch(services, [
    services.db.run(sql`
      insert into vector_models (model, dimensions, adopted_at) values (${model}, ${dimensions}, ${now})
      on conflict (model) do update set adopted_at = excluded.adopted_at, dimensions = excluded.dimensions`),
    services.db.run(sql`
      insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
      select t.id, ${`job_reembed_${now}`}, 'episodes.reembed', '{"after":-1}', 'pending', 0, ${now}, ${now} from tenants t
      where ${latest.length > 0} and exists (select 1 from sessions s where s.tenant_id = t.id)
      on conflict (tenant_id, id) do nothing`),
    services.db.run(sql`
      insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
      select t.id, ${`job_reembed_memories_${now}`}, 'memories.reembed', '{}', 'pending', 0, ${now}, ${now} from tenants t
      where ${latest.length > 0} and exists (select 1 from users u where u.tenant_id = t.id)
      on conflict (tenant_id, id) do nothing`),
    services.db.run(sql`
      insert into jobs (tenant_id, id, kind, payload, status, attempts, due_at, created_at)
      select t.id, ${`job_reembed_entities_${now}`}, 'entities.reembed', '{}', 'pending', 0, ${now}, ${now} from tenants t
      where ${latest.length > 0} and exists (select 1 from projects p where p.tenant_id = t.id)
      on conflict (tenant_id, id) do nothing`),
  ]);
  return latest.length > 0;
}
