-- Telling a person -----------------------------------------------------------------------------
-- Rings the bell once per person and key, records the event that shows it, and plans what goes out
-- by mail and push, all in one statement. Answers the rows of the ledger that need a job; none when
-- the person is gone or was told already. `p_lock` is the name under which one person's
-- notifications are added and read one after the other. A choice never made is the default.
CREATE FUNCTION tell_person(
  p_user uuid, p_kind text, p_key text, p_title text, p_body text, p_link text,
  p_email boolean, p_push boolean, p_lock text, p_request_id text
) RETURNS TABLE ("id" uuid, "userId" uuid, "channel" "Channel", "kind" text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  choice jsonb;
  told "notifications";
BEGIN
  SELECT u."preferences" -> p_kind INTO choice FROM "users" u
    WHERE u."id" = p_user AND u."deleted_at" IS NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(p_lock, 0));

  INSERT INTO "notifications" ("user_id", "kind", "key", "title", "body", "link")
    VALUES (p_user, p_kind, p_key, p_title, p_body, p_link)
    ON CONFLICT DO NOTHING
    RETURNING * INTO told;
  IF NOT FOUND THEN
    RETURN;
  END IF;

  INSERT INTO "event_outbox" ("id", "name", "data", "rooms", "request_id")
    VALUES (gen_random_uuid(), 'notification.created',
      jsonb_build_object(
        '_id', told."id", 'kind', told."kind", 'title', told."title", 'body', told."body",
        'link', told."link", 'isRead', false, 'createdAt', wire_time(told."created_at")),
      ARRAY['user:' || p_user], p_request_id);

  RETURN QUERY
    INSERT INTO "notification_deliveries" ("user_id", "kind", "key", "channel")
      SELECT p_user, p_kind, p_key, 'email'::"Channel"
        WHERE COALESCE((choice ->> 'email')::boolean, p_email)
      UNION ALL
      SELECT p_user, p_kind, p_key || '@' || s."id", 'push'::"Channel"
        FROM "push_subscriptions" s
        WHERE s."user_id" = p_user AND COALESCE((choice ->> 'push')::boolean, p_push)
      ON CONFLICT DO NOTHING
      RETURNING "notification_deliveries"."id", "notification_deliveries"."user_id",
                "notification_deliveries"."channel", "notification_deliveries"."kind";
END $$;
