-- Names of long lists are sorted as people expect it, by ICU's root collation: apples, Äpfel, Zucchini. A Postgres
-- that was built without ICU sorts them byte by byte.
DO $$
BEGIN
  CREATE COLLATION IF NOT EXISTS "by_name" (provider = icu, locale = 'und');
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION IF NOT EXISTS "by_name" (provider = libc, locale = 'C');
END $$;

CREATE INDEX "users_name_id_idx" ON "users" ("name" COLLATE "by_name", "id");

-- A farm is listed by its name, or, without one, by its farmer's. Functions in prisma/sql keep it.
ALTER TABLE "farmer_profiles" ADD COLUMN "listed_name" TEXT NOT NULL DEFAULT '';
UPDATE "farmer_profiles" f SET "listed_name" = COALESCE(NULLIF(f."farm_name", ''), u."name")
  FROM "users" u WHERE u."id" = f."user_id";
CREATE INDEX "farmer_profiles_listed_name_user_id_idx"
  ON "farmer_profiles" ("listed_name" COLLATE "by_name", "user_id");

-- The form in which the name is searched. Functions in prisma/sql keep it, and fill it first.
ALTER TABLE "users" ADD COLUMN "search_name" TEXT NOT NULL DEFAULT '';
CREATE INDEX "users_search_name_trgm" ON "users" USING GIN ("search_name" gin_trgm_ops);

-- What took their place is made of functions, in prisma/sql/search_form.sql.
DROP INDEX "users_name_trgm", "users_email_trgm", "users_phone_digits_trgm", "farmer_profiles_farm_name_trgm",
  "order_lines_name_trgm";
