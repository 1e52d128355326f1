-- What an admin sets for the whole market.
ALTER TABLE "market_settings"
  ADD COLUMN "name" TEXT NOT NULL DEFAULT 'Farmgate',
  ADD COLUMN "tagline" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "logo" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "contact_address" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "contact_phone" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "contact_email" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "currency_code" TEXT NOT NULL DEFAULT 'PKR',
  ADD COLUMN "currency_sign" TEXT NOT NULL DEFAULT '₨',
  ADD COLUMN "currency_decimals" SMALLINT NOT NULL DEFAULT 2,
  ADD COLUMN "is_sign_after" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "locale" TEXT NOT NULL DEFAULT 'en-US',
  ADD COLUMN "week_start" SMALLINT NOT NULL DEFAULT 0,
  ADD COLUMN "units" "Unit"[] DEFAULT ARRAY['lb', 'kg', 'oz', 'g', 'each', 'bunch', 'dozen', 'pint', 'quart', 'gallon']::"Unit"[],
  ADD COLUMN "unanswered_seconds" INTEGER,
  ADD COLUMN "approves_farms" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "requires_verified_email" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
