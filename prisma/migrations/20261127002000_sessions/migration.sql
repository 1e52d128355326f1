-- Sessions move their end on with use; how far depends on how they began.
ALTER TABLE "sessions" ADD COLUMN "is_remembered" BOOLEAN NOT NULL DEFAULT false;
UPDATE "sessions" SET "is_remembered" = true
WHERE "expires_at" - "created_at" > interval '2 days';

-- A subscription ends with the session that made it. Of the ones before, nobody knows which that was: it is taken to
-- be the one seen last. Where every session has run out, one that has just run out keeps the subscription for its time.
ALTER TABLE "push_subscriptions" ADD COLUMN "session_id" UUID;
INSERT INTO "sessions" ("user_id", "expires_at")
SELECT DISTINCT p."user_id", now() FROM "push_subscriptions" p
WHERE NOT EXISTS (SELECT FROM "sessions" s WHERE s."user_id" = p."user_id");
UPDATE "push_subscriptions" p SET "session_id" = (
  SELECT s."id" FROM "sessions" s WHERE s."user_id" = p."user_id"
  ORDER BY s."last_seen_at" DESC, s."id" LIMIT 1);
CREATE INDEX "push_subscriptions_session_id_idx" ON "push_subscriptions" ("session_id");
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_fkey"
  FOREIGN KEY ("session_id") REFERENCES "sessions" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
