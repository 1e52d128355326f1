-- Which command caused an event, for the client that sent it.
ALTER TABLE "event_outbox" ADD COLUMN "command_id" UUID;

ALTER TABLE "event_log" ADD COLUMN "command_id" UUID;
