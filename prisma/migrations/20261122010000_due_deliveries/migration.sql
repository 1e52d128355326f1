-- When a row of the ledger is due -----------------------------------------------------------------
-- The sweep looks for what is overdue. Told by each row, it finds nothing but that, instead of reading
-- every few seconds whatever waits for its time.
ALTER TABLE "notification_deliveries"
  ADD COLUMN "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "notification_deliveries" SET "due_at" = "created_at";
DROP INDEX "notification_deliveries_status_created_at_idx";
CREATE INDEX "notification_deliveries_status_due_at_idx" ON "notification_deliveries"("status", "due_at");

-- Carrying out what events call for ---------------------------------------------------------------
-- The effects of any number of events in one statement, in their order. Each is
--   { do, userId, kind, key, requestId, waitSeconds } and for `tell` also
--   { title, body, link, mark, email, push, lock }
-- where `do` is one of
--   tell    rings the bell and plans mail and push; with a `mark` only if that was not set, and sets it
--   remind  plans a second look
--   mail    plans a mail
--   mark    sets the mark `key`
--   unmark  takes the mark `key` away
-- A mark is a row of the ledger that never goes out. `waitSeconds` is how long a mail or a second look
-- may wait; a worker of the last release does not say, and then it is due at once. `lock` is the name
-- under which one person's notifications are added and read one after the other. A choice never made is
-- the default. All rows are found by key, whatever plan an almost empty table would suggest. Answers the
-- rows of the ledger that need a job.
CREATE OR REPLACE FUNCTION carry_out(p_effects jsonb)
RETURNS TABLE ("id" uuid, "userId" uuid, "channel" "Channel", "kind" text, "requestId" text)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  e record;
  choice jsonb;
  told "notifications";
  told_at timestamptz(3) := clock_timestamp();
BEGIN
  FOR e IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(p_effects) AS (
      "do" text, "userId" uuid, "kind" text, "key" text, "requestId" text, "waitSeconds" int,
      "title" text, "body" text, "link" text, "mark" text, "email" boolean, "push" boolean, "lock" text
    )) WITH ORDINALITY ORDER BY "ordinality"
  LOOP
    IF e."do" = 'unmark' THEN
      DELETE FROM "notification_deliveries" WHERE "key" = e."key";
      CONTINUE;
    END IF;
    IF e."do" = 'mark' OR e."mark" IS NOT NULL THEN
      INSERT INTO "notification_deliveries" ("user_id", "kind", "key", "channel", "status")
        VALUES (e."userId", e."kind", COALESCE(e."mark", e."key"), 'in_app', 'sent')
        ON CONFLICT DO NOTHING;
      CONTINUE WHEN e."do" = 'mark' OR NOT FOUND;
    END IF;

    SELECT u."preferences" -> e."kind" INTO choice FROM "users" u
      WHERE u."id" = e."userId" AND u."deleted_at" IS NULL;
    CONTINUE WHEN NOT FOUND;
    IF e."do" <> 'tell' THEN
      RETURN QUERY
        INSERT INTO "notification_deliveries" AS d ("user_id", "kind", "key", "channel", "due_at")
          VALUES (e."userId", e."kind", e."key",
            CASE e."do" WHEN 'mail' THEN 'email'::"Channel" ELSE 'in_app' END,
            now() + make_interval(secs => COALESCE(e."waitSeconds", 0)))
          ON CONFLICT DO NOTHING
          RETURNING d."id", d."user_id", d."channel", d."kind", e."requestId";
      CONTINUE;
    END IF;

    PERFORM pg_advisory_xact_lock(hashtextextended(e."lock", 0));
    -- The bell shows by time: what is told together still comes one after the other.
    told_at := greatest(clock_timestamp(), told_at + interval '1 millisecond');
    INSERT INTO "notifications" ("user_id", "kind", "key", "title", "body", "link", "created_at")
      VALUES (e."userId", e."kind", e."key", e."title", e."body", e."link", told_at)
      ON CONFLICT DO NOTHING
      RETURNING * INTO told;
    CONTINUE WHEN NOT FOUND;
    INSERT INTO "event_outbox" ("id", "name", "data", "rooms", "request_id")
      VALUES (gen_random_uuid(), 'notification.created',
        json_build_object(
          '_id', told."id", 'kind', told."kind", 'title', told."title", 'body', told."body",
          'link', told."link", 'isRead', false, 'createdAt', wire_time(told."created_at")),
        ARRAY['user:' || e."userId"], e."requestId");
    RETURN QUERY
      INSERT INTO "notification_deliveries" AS d ("user_id", "kind", "key", "channel", "due_at")
        SELECT e."userId", e."kind", e."key", 'email'::"Channel",
               now() + make_interval(secs => COALESCE(e."waitSeconds", 0))
          WHERE COALESCE((choice ->> 'email')::boolean, e."email")
        UNION ALL
        SELECT e."userId", e."kind", e."key" || '@' || s."id", 'push'::"Channel", now()
          FROM "push_subscriptions" s
          WHERE s."user_id" = e."userId" AND COALESCE((choice ->> 'push')::boolean, e."push")
        ON CONFLICT DO NOTHING
        RETURNING d."id", d."user_id", d."channel", d."kind", e."requestId";
  END LOOP;
END $$;

DROP FUNCTION tell_person;
