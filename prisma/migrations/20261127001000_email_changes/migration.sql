-- Links say which address they were mailed to; those of before say nothing, and end when the address changes.
ALTER TABLE "password_resets" ADD COLUMN "email" TEXT;
ALTER TABLE "users" ADD COLUMN "email_refused_at" TIMESTAMPTZ(3);
ALTER TABLE "farm_members" ADD COLUMN "invited_by" UUID;

CREATE TABLE "email_changes" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "old_email" TEXT NOT NULL,
  "new_email" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "confirmed_at" TIMESTAMPTZ(3),
  "ended_at" TIMESTAMPTZ(3),
  "undo_until" TIMESTAMPTZ(3) NOT NULL,
  "undone_at" TIMESTAMPTZ(3),

  CONSTRAINT "email_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "email_changes_user_id_idx" ON "email_changes" ("user_id");
CREATE INDEX "email_changes_old_email_idx" ON "email_changes" ("old_email");
CREATE INDEX "email_changes_undo_until_idx" ON "email_changes" ("undo_until");
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_fkey"
  FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "email_verifications" ADD COLUMN "email" TEXT, ADD COLUMN "change_id" UUID;
CREATE INDEX "email_verifications_change_id_idx" ON "email_verifications" ("change_id");
ALTER TABLE "email_verifications" ADD CONSTRAINT "email_verifications_change_id_fkey"
  FOREIGN KEY ("change_id") REFERENCES "email_changes" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
