-- What is to happen at a time.
CREATE TABLE "timers" (
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "request_id" TEXT,

    CONSTRAINT "timers_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "timers_done_at_due_at_idx" ON "timers"("done_at", "due_at");

-- Reminders were rows of the ledger that are never sent. Flags, which are sent from the start, stay there.
INSERT INTO "timers" ("key", "kind", "due_at")
    SELECT DISTINCT ON ("key") "key", "kind", "due_at" FROM "notification_deliveries"
    WHERE "channel" = 'in_app' AND "kind" IN ('order.unanswered', 'message.unread')
        AND "status" NOT IN ('sent', 'skipped');

DELETE FROM "notification_deliveries"
    WHERE "channel" = 'in_app' AND "kind" IN ('order.unanswered', 'message.unread');
