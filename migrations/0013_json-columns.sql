-- The answer of a request without one was an empty text, which is no JSON: one such row stopped every statement that reads the column.
UPDATE idempotency SET response_body = '{}' WHERE response_body = '';
