ALTER TABLE "users" ADD COLUMN "phone_verified_at" TIMESTAMPTZ(3),
  ADD COLUMN "texted_at" TIMESTAMPTZ(3)[] NOT NULL DEFAULT '{}';

CREATE TABLE "phone_codes" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "phone" TEXT NOT NULL,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "phone_codes_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "phone_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "phone_codes_user_id_created_at_idx" ON "phone_codes" ("user_id", "created_at");
CREATE INDEX "phone_codes_created_at_idx" ON "phone_codes" ("created_at");
