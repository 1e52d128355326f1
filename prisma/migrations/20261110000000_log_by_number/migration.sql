-- The log is read by its numbers alone: whoever was away reads the part they missed, and what is too
-- old is a beginning. Each of these cost every event a write and no query used it.
DROP INDEX "event_log_id_key";
DROP INDEX "event_log_rooms_idx";
DROP INDEX "event_log_at_idx";
