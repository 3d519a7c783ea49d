-- The sweep takes turns among tenants: it steps through their unfinished jobs by tenant, not by time.
DROP INDEX jobs_due;

CREATE INDEX jobs_open ON jobs (tenant_id,due_at,id) WHERE status in ('pending', 'running');
