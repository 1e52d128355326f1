-- Keeps which SKUs a product and its sizes have, so that each is there once within a farm.
CREATE OR REPLACE FUNCTION write_product_skus() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "product_skus" WHERE "product_id" = NEW."id";
  INSERT INTO "product_skus" ("farmer_id", "sku", "product_id")
  SELECT NEW."farmer_id", "sku", NEW."id" FROM (
    SELECT NEW."sku"
    UNION ALL
    SELECT size ->> 'sku' FROM jsonb_array_elements(NEW."sizes") AS size
  ) AS given ("sku")
  WHERE "sku" IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "products_skus_added" AFTER INSERT ON "products"
  FOR EACH ROW WHEN (NEW."sku" IS NOT NULL OR NEW."sizes" <> '[]')
  EXECUTE FUNCTION write_product_skus();

CREATE OR REPLACE TRIGGER "products_skus_changed" AFTER UPDATE OF "sku", "sizes" ON "products"
  FOR EACH ROW WHEN (
    NEW."sku" IS DISTINCT FROM OLD."sku" OR NEW."sizes" IS DISTINCT FROM OLD."sizes")
  EXECUTE FUNCTION write_product_skus();
