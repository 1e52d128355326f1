-- What a delivery is about, and whether it waits to go together with others about the same.
ALTER TABLE "notification_deliveries" ADD COLUMN "about" TEXT,
  ADD COLUMN "is_held" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "notification_deliveries_user_id_about_created_at_idx" ON "notification_deliveries" ("user_id", "about", "created_at");

CREATE TABLE "limited_mails" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "sender_key" TEXT,
  "farm_id" UUID,
  "target_key" TEXT NOT NULL,
  "sent_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "limited_mails_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "limited_mails_sent_at_idx" ON "limited_mails" ("sent_at");
