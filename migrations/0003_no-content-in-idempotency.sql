-- Whole answers were kept for repeats; from now on only their ids, versions and outcomes are.
UPDATE `idempotency` SET `response_body` = NULL WHERE `response_body` <> '';
