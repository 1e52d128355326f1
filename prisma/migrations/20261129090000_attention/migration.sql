CREATE TYPE "AttentionState" AS ENUM ('waiting', 'acknowledged', 'resolved', 'exhausted');

CREATE TABLE "attentions" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "user_id" UUID,
  "kind" TEXT NOT NULL,
  "order_id" UUID,
  "subject_id" UUID NOT NULL,
  "state" "AttentionState" NOT NULL DEFAULT 'waiting',
  "step" INTEGER NOT NULL DEFAULT 0,
  "round" INTEGER NOT NULL DEFAULT 1,
  "round_at" TIMESTAMPTZ(3) NOT NULL,
  "next_at" TIMESTAMPTZ(3),
  "plan" JSONB NOT NULL DEFAULT '{}',
  "params" JSONB NOT NULL,
  "link" TEXT NOT NULL,
  "key" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "begun_at" TIMESTAMPTZ(3),
  "admins_at" TIMESTAMPTZ(3),
  "seen_at" TIMESTAMPTZ(3),
  "seen_by_id" UUID,
  "acknowledged_at" TIMESTAMPTZ(3),
  "acknowledged_by_id" UUID,
  "exhausted_at" TIMESTAMPTZ(3),
  "resolved_at" TIMESTAMPTZ(3),
  "resolution" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,

  CONSTRAINT "attentions_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "attentions_farm_id_fkey" FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles"("user_id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "attentions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "attentions_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "attentions_seen_by_id_fkey" FOREIGN KEY ("seen_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE,
  CONSTRAINT "attentions_acknowledged_by_id_fkey" FOREIGN KEY ("acknowledged_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE
);

-- One at a time of each kind and subject, whoever is meant.
CREATE UNIQUE INDEX "attentions_open" ON "attentions"
  ("kind", "subject_id", "farm_id", COALESCE("user_id", '00000000-0000-0000-0000-000000000000'))
  WHERE "state" <> 'resolved';
-- What is due and has not run is looked for by every process that measures itself.
CREATE INDEX "attentions_next_at_idx" ON "attentions"("next_at") WHERE "state" IN ('waiting', 'acknowledged');
-- What stands in the admins' feed.
CREATE INDEX "attentions_admins_at_idx" ON "attentions"("admins_at") WHERE "admins_at" IS NOT NULL;
-- What is kept for a while.
CREATE INDEX "attentions_resolved_at_idx" ON "attentions"("resolved_at") WHERE "state" = 'resolved';
CREATE INDEX "attentions_farm_id_created_at_idx" ON "attentions"("farm_id", "created_at");
CREATE INDEX "attentions_order_id_idx" ON "attentions"("order_id");
CREATE INDEX "attentions_subject_id_idx" ON "attentions"("subject_id");

ALTER TABLE "notification_deliveries" ADD COLUMN "attention_id" UUID;
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_attention_id_fkey"
  FOREIGN KEY ("attention_id") REFERENCES "attentions"("id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE INDEX "notification_deliveries_attention_id_idx" ON "notification_deliveries"("attention_id");

ALTER TABLE "farmer_profiles"
  ADD COLUMN "escalation" JSONB NOT NULL DEFAULT '{}',
  ADD COLUMN "escalation_version" INTEGER NOT NULL DEFAULT 1;

ALTER TABLE "farm_members" ADD COLUMN "off_until" TIMESTAMPTZ(3);
