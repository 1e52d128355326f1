-- Numbering, told as the one text that is published ------------------------------------------------
-- Gives numbers to everything in the outbox, in the order of its writing, and answers it as a JSON
-- array of events in their order, or nothing. The outbox is always nearly empty but full of rows that
-- were deleted and not yet cleaned away: read through its index, which skips them, it costs the same
-- however long ago that was.
DROP FUNCTION sequence_events();

CREATE FUNCTION sequence_events() RETURNS text LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  last_seq bigint;
  given bigint;
  batch text;
BEGIN
  SELECT "seq" INTO last_seq FROM "event_log_head" WHERE "id" = 1 FOR UPDATE;
  WITH taken AS (
    DELETE FROM "event_outbox"
      WHERE "ordinal" = ANY (ARRAY(SELECT "ordinal" FROM "event_outbox" ORDER BY "ordinal"))
      RETURNING *
  ), numbered AS (
    INSERT INTO "event_log" ("seq", "id", "name", "data", "rooms", "request_id", "at")
    SELECT last_seq + row_number() OVER (ORDER BY t."ordinal"),
           t."id", t."name", t."data", t."rooms", t."request_id", t."at"
    FROM taken t
    RETURNING *
  )
  SELECT count(*), json_agg(json_build_object(
           'seq', n."seq", 'id', n."id", 'name', n."name", 'data', n."data", 'rooms', n."rooms",
           'requestId', n."request_id", 'at', wire_time(n."at")) ORDER BY n."seq")
    INTO given, batch FROM numbered n;
  IF given > 0 THEN
    UPDATE "event_log_head" SET "seq" = last_seq + given WHERE "id" = 1;
  END IF;
  RETURN batch;
END $$;

-- A queue's dead rows are worth cleaning away long before they are a fifth of a table.
ALTER TABLE "event_outbox" SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);
