-- A person proves that their email is theirs, keeps several addresses, and is told when they left.
ALTER TABLE "users"
  ADD COLUMN "email_verified_at" TIMESTAMPTZ(3),
  ADD COLUMN "preferred_address_id" UUID;

CREATE TABLE "user_addresses" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "label" TEXT NOT NULL DEFAULT '',
    "street" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "zip_code" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_addresses_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "email_verifications" (
    "token_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "email_verifications_pkey" PRIMARY KEY ("token_hash")
);

CREATE TABLE "farewells" (
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "farewells_pkey" PRIMARY KEY ("user_id")
);

-- The address of each profile is the preferred one.
INSERT INTO "user_addresses" ("user_id", "street", "city", "state", "zip_code")
SELECT "id", "street", "city", "state", "zip_code" FROM "users"
WHERE "deleted_at" IS NULL AND NOT "is_farm" AND "street" || "city" || "state" || "zip_code" <> '';
UPDATE "users" SET "preferred_address_id" = a."id" FROM "user_addresses" a WHERE a."user_id" = "users"."id";

CREATE INDEX "user_addresses_user_id_idx" ON "user_addresses"("user_id");
CREATE INDEX "email_verifications_user_id_idx" ON "email_verifications"("user_id");
CREATE INDEX "email_verifications_expires_at_idx" ON "email_verifications"("expires_at");
CREATE INDEX "farewells_created_at_idx" ON "farewells"("created_at");
CREATE INDEX "users_preferred_address_id_idx" ON "users"("preferred_address_id");
ALTER TABLE "users" ADD CONSTRAINT "users_preferred_address_id_fkey" FOREIGN KEY ("preferred_address_id") REFERENCES "user_addresses"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "user_addresses" ADD CONSTRAINT "user_addresses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "email_verifications" ADD CONSTRAINT "email_verifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
