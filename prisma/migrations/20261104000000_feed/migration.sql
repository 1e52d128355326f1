-- The admins' feed walks back through what happened to all orders.
CREATE INDEX "order_timeline_at_idx" ON "order_timeline"("at" DESC);
