-- Why an order changed where nobody gave a reason, as a word of the program: its sentence is written for each reader.
-- Rows that old processes still write keep an English reason, which is shown as it is.
ALTER TABLE "order_timeline" ADD COLUMN "cause" TEXT;

UPDATE "order_timeline" entry SET "reason" = NULL, "cause" = known.cause
FROM (VALUES
  ('accepted_at_cutoff', 'Accepted automatically when orders for this day closed.'),
  ('rejected_at_cutoff', 'The farm had not answered when orders for this day closed.'),
  ('accepted_after_cutoff', 'Accepted automatically, because orders for this day are closed.'),
  ('rejected_after_cutoff', 'Orders for this day had closed before it was accepted.'),
  ('account_deleted', 'The account was deleted.'),
  ('farm_left', 'The farm has left the market.'),
  ('change_unanswered', 'Nothing of it could be had, and the change was not answered in time.'),
  ('change_declined', 'Cancelled because of the farm''s change.'),
  ('nothing_left', 'Nothing of this order can be had.'),
  ('all_left_out', 'Everything was left out.'),
  ('clock_skips', 'The farm''s time zone changed, and its clock skips this time that night.')
) AS known (cause, words)
WHERE entry."reason" = known.words;
