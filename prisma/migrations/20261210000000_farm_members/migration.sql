CREATE TYPE "FarmRole" AS ENUM ('owner', 'manager', 'packer', 'seller');

CREATE TABLE "farm_members" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "farm_id" UUID NOT NULL,
    "user_id" UUID,
    "email" TEXT,
    "role" "FarmRole" NOT NULL,
    "has_alerts" BOOLEAN NOT NULL DEFAULT true,
    "token_hash" TEXT,
    "invite_expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "farm_members_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "farm_members_user_id_key" ON "farm_members"("user_id");
CREATE UNIQUE INDEX "farm_members_token_hash_key" ON "farm_members"("token_hash");
CREATE UNIQUE INDEX "farm_members_farm_id_email_key" ON "farm_members"("farm_id", "email");
CREATE INDEX "farm_members_farm_id_created_at_id_idx" ON "farm_members"("farm_id", "created_at", "id");

ALTER TABLE "farm_members" ADD CONSTRAINT "farm_members_farm_id_fkey"
  FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "farm_members" ADD CONSTRAINT "farm_members_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever registered a farm owns it.
INSERT INTO "farm_members" ("farm_id", "user_id", "role")
SELECT farm."user_id", farm."user_id", 'owner' FROM "farmer_profiles" farm;
