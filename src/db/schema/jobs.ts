import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { codec } from "#db/row";

/** The outbox: a row is written in the batch of the change that needs it; the queue only makes it run sooner. */
export const jobs = sqliteTable(
  "jobs",
  {
    tenantId: integer("tenant_id").notNull(),
    /** UUIDv7 with its prefix: the primary key is also the order of creation. */
    id: text("id").notNull(),
    kind: text("kind").notNull(),
    payload: text("payload", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    status: text("status", { enum: ["pending", "running", "done", "failed"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    /** When the job is due: after a back-off, or when a lease has run out. */
    dueAt: integer("due_at").notNull(),
    leaseToken: text("lease_token"),
    /** In our own words; never the message of a foreign error. */
    error: text("error"),
    /** The result as counts and our own words; null if there is nothing to report. */
    result: text("result", { mode: "json" }).$type<Record<string, unknown>>(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
    /** The server whose outage the job waits for; null if it does not wait for a server. */
    waitingFor: text("waiting_for", { enum: ["embedder", "vectors", "chatModel"] }),
    /** Since when the job has waited for a server; kept until it is done. */
    waitingSince: integer("waiting_since"),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index("jobs_failed").on(t.tenantId, t.id).where(sql`status = 'failed'`),
    index("jobs_finished").on(t.finishedAt).where(sql`status = 'done'`),
    index("jobs_waiting").on(t.waitingFor, t.tenantId, t.id).where(sql`waiting_for is not null`),
    index("jobs_open").on(t.tenantId, t.dueAt, t.id).where(sql`status in ('pending', 'running')`),
  ],
);

export const JOB = codec(jobs);

/** The embedding models that stored vectors were made with; the newest is the one in use. */
export const vectorModels = sqliteTable("vector_models", {
  model: text("model").primaryKey(),
  dimensions: integer("dimensions").notNull(),
  adoptedAt: integer("adopted_at").notNull(),
});

export const VECTOR_MODEL = codec(vectorModels);
