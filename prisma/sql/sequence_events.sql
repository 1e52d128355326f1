-- Gives every committed event that has no number the next one, in the order of writing, moves it into the
-- log, and returns the batch as a JSON array, or null when there was none. The head row is the lock:
-- the person who holds it sees all that was committed before, so no number can appear later below one that a
-- reader has already passed.
--
-- The outbox is nearly empty but full of dead rows between two vacuums. Its index skips those; a
-- sequential scan, which the planner prefers for an empty table, would read them all each time.
CREATE OR REPLACE FUNCTION sequence_events() RETURNS text
LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  last_seq bigint;
  numbered_count bigint;
  batch text;
BEGIN
  SELECT "seq" INTO last_seq FROM "event_log_head" WHERE "id" = 1 FOR UPDATE;
  WITH taken AS (
    DELETE FROM "event_outbox"
      WHERE "ordinal" = ANY (ARRAY(SELECT "ordinal" FROM "event_outbox" ORDER BY "ordinal"))
      RETURNING *
  ), numbered AS (
    INSERT INTO "event_log" ("seq", "id", "name", "data", "rooms", "request_id", "command_id", "at")
    SELECT last_seq + row_number() OVER (ORDER BY t."ordinal"),
           t."id", t."name", t."data", t."rooms", t."request_id", t."command_id", t."at"
    FROM taken t
    RETURNING *
  )
  SELECT count(*), json_agg(json_build_object(
           'seq', n."seq", 'id', n."id", 'name', n."name", 'data', n."data", 'rooms', n."rooms",
           'requestId', n."request_id", 'commandId', n."command_id", 'at', iso_instant(n."at")) ORDER BY n."seq")
    INTO numbered_count, batch FROM numbered n;
  IF numbered_count > 0 THEN
    UPDATE "event_log_head" SET "seq" = last_seq + numbered_count WHERE "id" = 1;
  END IF;
  RETURN batch;
END $$;
