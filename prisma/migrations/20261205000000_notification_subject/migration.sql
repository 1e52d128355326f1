-- Notifications are marked as read by what they lead to.
CREATE INDEX "notifications_user_id_link_idx" ON "notifications"("user_id", "link");
