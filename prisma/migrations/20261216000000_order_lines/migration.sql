-- What may become of an order's lines: quantities that change, wishes for a shortage, weights, proposals, packing.
CREATE TYPE "ShortWish" AS ENUM ('ask', 'similar', 'specific', 'leave_out');
CREATE TYPE "ProposalStatus" AS ENUM (
  'open', 'accepted', 'answered', 'declined', 'expired', 'withdrawn', 'superseded');
CREATE TYPE "Packing" AS ENUM ('none', 'packing', 'packed');

ALTER TABLE "users" ADD COLUMN "on_short_default" "ShortWish" NOT NULL DEFAULT 'ask';

ALTER TABLE "farmer_profiles"
  ADD COLUMN "answer_minutes" INTEGER NOT NULL DEFAULT 120,
  ADD COLUMN "weight_tolerance_percent" SMALLINT NOT NULL DEFAULT 20;

ALTER TABLE "products"
  ADD COLUMN "piece_milli" INTEGER,
  ADD COLUMN "piece_min_milli" INTEGER,
  ADD COLUMN "piece_max_milli" INTEGER;

ALTER TABLE "orders"
  ADD COLUMN "packing" "Packing" NOT NULL DEFAULT 'none',
  ADD COLUMN "crates" SMALLINT;
CREATE INDEX "orders_farmer_id_date_idx" ON "orders"("farmer_id", "date");

ALTER TABLE "order_lines"
  ADD COLUMN "ordered_milli" INTEGER,
  ADD COLUMN "replaces_line_id" UUID,
  ADD COLUMN "on_short" "ShortWish" NOT NULL DEFAULT 'ask',
  ADD COLUMN "preferred_product_id" UUID,
  ADD COLUMN "piece_milli" INTEGER,
  ADD COLUMN "piece_min_milli" INTEGER,
  ADD COLUMN "piece_max_milli" INTEGER,
  ADD COLUMN "packed_milli" INTEGER,
  ADD COLUMN "final_minor" BIGINT;

CREATE TABLE "order_proposals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "order_id" UUID NOT NULL,
    "status" "ProposalStatus" NOT NULL DEFAULT 'open',
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answer_by" TIMESTAMPTZ(3) NOT NULL,
    "answered_by_id" UUID,
    "answered_at" TIMESTAMPTZ(3),
    "base_version" INTEGER NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "batch_id" UUID,
    "total_before_minor" BIGINT NOT NULL,
    "total_after_minor" BIGINT NOT NULL,
    "items" JSONB NOT NULL,

    CONSTRAINT "order_proposals_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "order_proposals_order_id_created_at_id_idx" ON "order_proposals"("order_id", "created_at", "id");
CREATE INDEX "order_proposals_created_by_id_idx" ON "order_proposals"("created_by_id");
CREATE INDEX "order_proposals_answered_by_id_idx" ON "order_proposals"("answered_by_id");
-- The guard of "only one at a time", which Prisma cannot describe.
CREATE UNIQUE INDEX "order_proposals_open" ON "order_proposals"("order_id") WHERE "status" = 'open';
ALTER TABLE "order_proposals" ADD CONSTRAINT "order_proposals_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "order_proposals" ADD CONSTRAINT "order_proposals_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "order_proposals" ADD CONSTRAINT "order_proposals_answered_by_id_fkey" FOREIGN KEY ("answered_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
