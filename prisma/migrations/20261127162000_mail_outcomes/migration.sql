ALTER TABLE "users" ADD COLUMN "unreachable_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD COLUMN "unreachable_reason" TEXT NOT NULL DEFAULT '';
ALTER TABLE "email_changes" ADD COLUMN "unreachable_at" TIMESTAMPTZ(3);
ALTER TABLE "farm_members" ADD COLUMN "unreachable_at" TIMESTAMPTZ(3);
ALTER TABLE "notification_deliveries" ADD COLUMN "retry_at" TIMESTAMPTZ(3);
ALTER TABLE "notification_deliveries" ADD COLUMN "outcome_unknown_at" TIMESTAMPTZ(3);
ALTER TABLE "notification_deliveries" ADD COLUMN "is_repeat" BOOLEAN NOT NULL DEFAULT false;
