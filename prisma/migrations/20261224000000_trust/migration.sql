-- Suspended people and farms, what admins write about people, and reports.
ALTER TABLE "users"
  ADD COLUMN "suspended_at" TIMESTAMPTZ(3),
  ADD COLUMN "suspended_reason" TEXT NOT NULL DEFAULT '';
CREATE INDEX "users_suspended_at_idx" ON "users"("suspended_at");

ALTER TABLE "products" ADD COLUMN "is_farm_suspended" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "user_notes" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "author_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_notes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "user_notes_user_id_created_at_id_idx" ON "user_notes"("user_id", "created_at", "id");
CREATE INDEX "user_notes_author_id_idx" ON "user_notes"("author_id");
ALTER TABLE "user_notes" ADD CONSTRAINT "user_notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "user_notes" ADD CONSTRAINT "user_notes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TYPE "ReportKind" AS ENUM ('product', 'farm', 'message', 'order');
CREATE TYPE "ReportOutcome" AS ENUM ('dismissed', 'acted');
CREATE TABLE "reports" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "reporter_id" UUID NOT NULL,
    "kind" "ReportKind" NOT NULL,
    "subject_id" UUID NOT NULL,
    "about_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "subject" JSONB NOT NULL,
    "open_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),
    "settled_by_id" UUID,
    "outcome" "ReportOutcome",
    "note" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "reports_open_key_key" ON "reports"("open_key");
CREATE INDEX "reports_created_at_id_idx" ON "reports"("created_at" DESC, "id" DESC);
CREATE INDEX "reports_settled_at_created_at_id_idx" ON "reports"("settled_at", "created_at" DESC, "id" DESC);
CREATE INDEX "reports_reporter_id_idx" ON "reports"("reporter_id");
CREATE INDEX "reports_about_id_idx" ON "reports"("about_id");
CREATE INDEX "reports_settled_by_id_idx" ON "reports"("settled_by_id");
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_fkey" FOREIGN KEY ("reporter_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reports" ADD CONSTRAINT "reports_about_id_fkey" FOREIGN KEY ("about_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "reports" ADD CONSTRAINT "reports_settled_by_id_fkey" FOREIGN KEY ("settled_by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Few of many products are hidden; admins list them.
CREATE INDEX "products_hidden" ON "products"("updated_at" DESC, "id" DESC) WHERE "hidden_reason" IS NOT NULL;
