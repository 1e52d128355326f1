-- Internal notes about orders.
CREATE TABLE "order_notes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "order_id" UUID NOT NULL,
    "author_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_notes_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "order_notes_order_id_created_at_id_idx" ON "order_notes"("order_id", "created_at", "id");

CREATE INDEX "order_notes_author_id_idx" ON "order_notes"("author_id");

ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "order_notes" ADD CONSTRAINT "order_notes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Products that an admin hid.
ALTER TABLE "products" ADD COLUMN "hidden_reason" TEXT,
ADD COLUMN "is_active_unhidden" BOOLEAN NOT NULL DEFAULT false;

-- The audit, filtered and sorted.
DROP INDEX "audit_entries_at_idx";

DROP INDEX "audit_entries_admin_id_idx";

CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries"("at" DESC, "id" DESC);

CREATE INDEX "audit_entries_admin_id_at_id_idx" ON "audit_entries"("admin_id", "at" DESC, "id" DESC);

CREATE INDEX "audit_entries_action_at_id_idx" ON "audit_entries"("action", "at" DESC, "id" DESC);

CREATE INDEX "audit_entries_target_id_idx" ON "audit_entries"("target_id");

-- Orders found by the name of a product, and people by the digits of their phone number.
CREATE INDEX "order_lines_name_trgm" ON "order_lines" USING GIN ("name" gin_trgm_ops);

CREATE INDEX "users_phone_digits_trgm" ON "users" USING GIN (regexp_replace("phone", '\D', '', 'g') gin_trgm_ops);
