-- Keeps for each farm the last day on which it sells something: the latest `available_until` of its active
-- products, `infinity` where one of them has none, `-infinity` where none is active. So the farms with nothing for
-- sale are found without a walk through all farms and their products.
CREATE OR REPLACE FUNCTION last_day_of_goods(p_farm uuid) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT COALESCE(max(COALESCE("available_until", 'infinity')), '-infinity')
  FROM "products" WHERE "farmer_id" = p_farm AND "is_active"
$$;

CREATE OR REPLACE FUNCTION products_note_goods() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  farm uuid := CASE TG_OP WHEN 'INSERT' THEN NEW."farmer_id" ELSE OLD."farmer_id" END;
  earlier date := CASE WHEN TG_OP <> 'INSERT' AND OLD."is_active"
    THEN COALESCE(OLD."available_until", 'infinity') ELSE '-infinity' END;
  later date := CASE WHEN TG_OP <> 'DELETE' AND NEW."is_active"
    THEN COALESCE(NEW."available_until", 'infinity') ELSE '-infinity' END;
  kept date;
BEGIN
  -- Locked before anything is read: of two changes at once, the second sees what the first left.
  SELECT "last_day" INTO kept FROM "farm_goods" WHERE "farmer_id" = farm FOR UPDATE;
  IF later > kept THEN
    UPDATE "farm_goods" SET "last_day" = later WHERE "farmer_id" = farm;
  -- Only what was the last can leave an earlier one. Of a farm that loses all its products in one statement, the
  -- first row finds that none is left, and the others end here.
  ELSIF earlier = kept AND later < kept THEN
    UPDATE "farm_goods" SET "last_day" = last_day_of_goods(farm) WHERE "farmer_id" = farm;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "products_goods_came" AFTER INSERT OR DELETE ON "products"
  FOR EACH ROW EXECUTE FUNCTION products_note_goods();

CREATE OR REPLACE TRIGGER "products_goods_changed" AFTER UPDATE OF "is_active", "available_until" ON "products"
  FOR EACH ROW
  WHEN ((OLD."is_active", OLD."available_until") IS DISTINCT FROM (NEW."is_active", NEW."available_until"))
  EXECUTE FUNCTION products_note_goods();

-- Notes the farms that are not noted yet.
CREATE OR REPLACE FUNCTION fill_farm_goods() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "farm_goods" SELECT "user_id", last_day_of_goods("user_id") FROM "farmer_profiles"
  ON CONFLICT ("farmer_id") DO NOTHING
$$;

CREATE OR REPLACE FUNCTION farmer_profiles_note_goods() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "farm_goods" VALUES (NEW."user_id", last_day_of_goods(NEW."user_id"))
  ON CONFLICT ("farmer_id") DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "farmer_profiles_goods" AFTER INSERT ON "farmer_profiles"
  FOR EACH ROW EXECUTE FUNCTION farmer_profiles_note_goods();

SELECT fill_farm_goods();
