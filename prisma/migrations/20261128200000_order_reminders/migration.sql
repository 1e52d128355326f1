-- Orders that were accepted before there were reminders get theirs, as far as the evening before is still to come.
INSERT INTO timers (key, kind, due_at)
SELECT 'order.reminder:' || id || ':' || version, 'order.reminder', starts_at - interval '31 hours'
FROM orders
WHERE status = 'accepted' AND starts_at > now() + interval '31 hours'
ON CONFLICT DO NOTHING;
