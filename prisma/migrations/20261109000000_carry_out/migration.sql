-- Carrying out what events call for -------------------------------------------------------------
-- The effects of any number of events in one statement, in their order. Each is
--   { do, userId, kind, key, requestId } and for `tell` also { title, body, link, mark, email, push, lock }
-- where `do` is one of
--   tell    rings the bell and plans mail and push; with a `mark` only if that was not set, and sets it
--   remind  plans a second look
--   mail    plans a mail
--   mark    sets the mark `key`
--   unmark  takes the mark `key` away
-- A mark is a row of the ledger that never goes out. Answers the rows of the ledger that need a job.
CREATE FUNCTION carry_out(p_effects jsonb)
RETURNS TABLE ("id" uuid, "userId" uuid, "channel" "Channel", "kind" text, "requestId" text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  e record;
BEGIN
  FOR e IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(p_effects) AS (
      "do" text, "userId" uuid, "kind" text, "key" text, "requestId" text, "title" text,
      "body" text, "link" text, "mark" text, "email" boolean, "push" boolean, "lock" text
    )) WITH ORDINALITY ORDER BY "ordinality"
  LOOP
    CASE e."do"
      WHEN 'tell' THEN
        IF e."mark" IS NOT NULL THEN
          INSERT INTO "notification_deliveries" ("user_id", "kind", "key", "channel", "status")
            VALUES (e."userId", e."kind", e."mark", 'in_app', 'sent') ON CONFLICT DO NOTHING;
          CONTINUE WHEN NOT FOUND;
        END IF;
        RETURN QUERY SELECT told.*, e."requestId" FROM tell_person(
          e."userId", e."kind", e."key", e."title", e."body", e."link",
          e."email", e."push", e."lock", e."requestId") told;
      WHEN 'remind', 'mail' THEN
        RETURN QUERY
          INSERT INTO "notification_deliveries" AS d ("user_id", "kind", "key", "channel")
            SELECT u."id", e."kind", e."key",
                   CASE e."do" WHEN 'mail' THEN 'email'::"Channel" ELSE 'in_app' END
              FROM "users" u WHERE u."id" = e."userId" AND u."deleted_at" IS NULL
            ON CONFLICT DO NOTHING
            RETURNING d."id", d."user_id", d."channel", d."kind", e."requestId";
      WHEN 'mark' THEN
        INSERT INTO "notification_deliveries" ("user_id", "kind", "key", "channel", "status")
          VALUES (e."userId", e."kind", e."key", 'in_app', 'sent') ON CONFLICT DO NOTHING;
      WHEN 'unmark' THEN
        DELETE FROM "notification_deliveries" WHERE "key" = e."key";
    END CASE;
  END LOOP;
END $$;
