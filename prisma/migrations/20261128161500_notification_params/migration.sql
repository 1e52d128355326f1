-- Notifications are written when they are read, in the reader's language. Processes of the version before go on
-- writing words, which are shown as they are; what rows from before are made of is not known.
ALTER TABLE "notifications"
  ADD COLUMN "params" JSONB,
  ALTER COLUMN "title" SET DEFAULT '',
  ALTER COLUMN "body" SET DEFAULT '';

ALTER TABLE "notification_deliveries" ADD COLUMN "language" TEXT;
