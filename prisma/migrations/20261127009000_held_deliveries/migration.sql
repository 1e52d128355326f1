ALTER TABLE "notification_deliveries" ADD COLUMN "restored_at" TIMESTAMPTZ(3);
ALTER TABLE "timers" ADD COLUMN "restored_at" TIMESTAMPTZ(3);
