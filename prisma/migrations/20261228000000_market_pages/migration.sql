-- Texts that admins write, an announcement to everybody, and who agreed to the terms.
ALTER TABLE "market_settings"
  ADD COLUMN "pages" TEXT[] DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "announcement_text" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "announcement_ends_at" TIMESTAMPTZ(3);
CREATE TABLE "market_pages" (
    "slug" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "market_pages_pkey" PRIMARY KEY ("slug")
);
ALTER TABLE "users"
  ADD COLUMN "terms_accepted_at" TIMESTAMPTZ(3);
