-- The words of the names, and places among what is searched.
ALTER TABLE "products" ADD COLUMN "name_text" TEXT NOT NULL DEFAULT '';

CREATE TABLE "search_words" (
    "word" TEXT NOT NULL,

    CONSTRAINT "search_words_pkey" PRIMARY KEY ("word")
);

-- As the triggers write them from now on.
UPDATE "products" p
SET "name_text" = ' ' || btrim(regexp_replace(translate(lower(unaccent(p."name")),
      '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)), '\s+', ' ', 'g')) || ' ',
    "search_text" = p."search_text" || ' '
      || lower(unaccent(u."city" || ' ' || u."state" || ' ' || u."zip_code"))
FROM "users" u
WHERE u."id" = p."farmer_id";

INSERT INTO "search_words" ("word")
SELECT DISTINCT word
FROM "products", unnest(string_to_array(btrim("name_text"), ' ')) word
WHERE word ~ '^[^0-9]{3,40}$';

CREATE INDEX "products_is_organic_is_active_created_at_id_idx" ON "products"("is_organic", "is_active", "created_at" DESC, "id" DESC);

CREATE INDEX "products_name_trgm" ON "products" USING GIN ("name_text" gin_trgm_ops);

CREATE INDEX "search_words_trgm" ON "search_words" USING GIST ("word" gist_trgm_ops);
