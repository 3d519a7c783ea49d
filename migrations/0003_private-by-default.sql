-- A change of words kept where and when the old ones were learned. What was written since was not said there: a personal memory was learned
-- nowhere then, a group's when it was changed.
UPDATE memories
SET learned_in = CASE WHEN ownership = 'personal' THEN NULL ELSE learned_in END,
  episode_id = CASE WHEN ownership = 'personal' THEN NULL ELSE episode_id END,
  learned_at = updated_at
WHERE ownership <> 'shared' AND EXISTS (
  SELECT 1 FROM memory_versions v
  WHERE v.memory_id = memories.id AND v.data ->> 'content' <> memories.content
    AND v.data ->> 'learnedAt' = memories.learned_at AND v.data ->> 'learnedIn' IS memories.learned_in
);
--> statement-breakpoint
-- Memories that were stored before they were private by default: what was learned in private (a private session, a group session in
-- which nobody else took part then, or no session at all) is for its owner alone. Whether a caller had said otherwise was not recorded.
UPDATE memories
SET portable = 0, sensitivity = CASE WHEN ownership = 'personal' THEN coalesce(sensitivity, 'personal') ELSE sensitivity END
WHERE ownership <> 'shared' AND (
  SELECT count(DISTINCT p.user_id) FROM participants p
  WHERE p.session_id = coalesce(memories.learned_in, memories.session_id)
    AND p.joined_at <= memories.learned_at AND (p.left_at IS NULL OR p.left_at > memories.learned_at)
) < 2;
--> statement-breakpoint
-- The same for what they said before.
UPDATE memory_versions
SET data = json_set(data, '$.portable', json('false'), '$.sensitivity', CASE
  WHEN (SELECT m.ownership FROM memories m WHERE m.id = memory_id) = 'personal' THEN coalesce(data ->> 'sensitivity', 'personal')
  ELSE data ->> 'sensitivity' END)
WHERE (SELECT m.ownership FROM memories m WHERE m.id = memory_id) <> 'shared' AND (
  SELECT count(DISTINCT p.user_id) FROM participants p
  WHERE p.session_id = coalesce(data ->> 'learnedIn', (SELECT m.session_id FROM memories m WHERE m.id = memory_id))
    AND p.joined_at <= data ->> 'learnedAt' AND (p.left_at IS NULL OR p.left_at > data ->> 'learnedAt')
) < 2;
--> statement-breakpoint
-- Whole answers were kept for repeats; from now on only ids, versions and outcomes are.
UPDATE idempotency SET response_body = NULL WHERE response_body <> '';
--> statement-breakpoint
-- The words of sensitivity are no matter of SQL: a job for each tenant reads them.
INSERT OR IGNORE INTO jobs (tenant_id, id, kind, payload, status, due_at, created_at)
SELECT t.id,
  printf('job_%08x-%04x-7000-8000-%012x', unixepoch() * 1000 / 65536, unixepoch() * 1000 % 65536, t.id),
  'memories.classify', '{}', 'pending', unixepoch() * 1000, unixepoch() * 1000
FROM tenants t;
