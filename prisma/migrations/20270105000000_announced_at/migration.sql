-- When an announcement was told: whoever put it away sees the same text again when it is told again.
ALTER TABLE "market_settings"
  ADD COLUMN "announced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
