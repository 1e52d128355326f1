-- Placing an order with the rows in hand ----------------------------------------------------------
-- Reading the order back through its view cost a quarter of placing it: Postgres sets up seven scans to
-- find rows that the function has just locked or written. The wire forms are functions of such rows
-- now; the views, where Postgres writes them out again, give them the rows they join.

-- Events are copied as they came: they are told as text and hardly ever looked into.
ALTER TABLE "event_outbox" ALTER COLUMN "data" TYPE json USING "data"::json;
ALTER TABLE "event_log" ALTER COLUMN "data" TYPE json USING "data"::json;

CREATE FUNCTION wire_product(
  p "products", farmer "users", farm_name text, category "categories"
) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    '_id', p."id",
    'name', p."name",
    'description', p."description",
    'category', CASE WHEN category."id" IS NOT NULL
      THEN json_build_object('_id', category."id", 'name', category."name") END,
    'price', wire_amount(p."price_minor"),
    'unit', p."unit",
    'quantityAvailable', p."quantity_available",
    'images', p."images",
    'isOrganic', p."is_organic",
    'harvestDate', p."harvest_date",
    'availableUntil', p."available_until",
    'isActive', p."is_active",
    'farmer', json_build_object(
      '_id', farmer."id",
      'name', farmer."name",
      'farmName', COALESCE(farm_name, ''),
      'address', json_build_object(
        'street', farmer."street",
        'city', farmer."city",
        'state', farmer."state",
        'zipCode', farmer."zip_code")),
    'createdAt', wire_time(p."created_at"),
    'version', p."version")
$$;

CREATE OR REPLACE VIEW "product_wire" AS
SELECT
  p."id", p."farmer_id", p."category_id", p."is_active", p."available_until", p."created_at",
  p."price_minor", p."quantity_available", p."search_text",
  farmer."deleted_at" AS "farmer_deleted_at",
  wire_product(p, farmer, farm."farm_name", category) AS "wire"
FROM "products" p
JOIN "users" farmer ON farmer."id" = p."farmer_id"
LEFT JOIN "farmer_profiles" farm ON farm."user_id" = p."farmer_id"
LEFT JOIN "categories" category ON category."id" = p."category_id";

CREATE FUNCTION wire_order_line(line "order_lines") RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    '_id', line."id",
    'product', json_build_object(
      '_id', line."product_id",
      'name', line."name",
      'images', CASE WHEN line."image" IS NULL THEN '[]'::json
        ELSE json_build_array(line."image") END,
      'unit', line."unit"),
    'quantity', line."quantity",
    'price', wire_amount(line."price_minor"))
$$;

CREATE FUNCTION wire_timeline_entry(
  entry "order_timeline", person "users"
) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_strip_nulls(json_build_object(
    'status', entry."status",
    'at', wire_time(entry."at"),
    'by', json_build_object(
      '_id', person."id",
      'name', CASE WHEN person."deleted_at" IS NULL THEN person."name" ELSE 'Deleted user' END,
      'role', person."role"),
    'reason', entry."reason"))
$$;

CREATE FUNCTION wire_order(
  o "orders", consumer "users", farmer "users", farm_name text, items json, timeline json
) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object(
    '_id', o."id",
    'createdAt', wire_time(o."created_at"),
    'status', o."status",
    'totalAmount', wire_amount(o."total_minor"),
    'paymentMethod', o."payment_method",
    'notes', o."notes",
    'consumer', json_build_object(
      '_id', consumer."id",
      'name', CASE WHEN consumer."deleted_at" IS NULL THEN consumer."name" ELSE 'Deleted user' END,
      'email', CASE WHEN consumer."deleted_at" IS NULL THEN consumer."email" ELSE '' END,
      'phone', CASE WHEN consumer."deleted_at" IS NULL THEN consumer."phone" ELSE '' END),
    'farmer', json_build_object(
      '_id', farmer."id",
      'name', CASE WHEN farmer."deleted_at" IS NULL THEN farmer."name" ELSE 'Deleted user' END,
      'email', CASE WHEN farmer."deleted_at" IS NULL THEN farmer."email" ELSE '' END,
      'phone', CASE WHEN farmer."deleted_at" IS NULL THEN farmer."phone" ELSE '' END,
      'farmName', COALESCE(farm_name, '')),
    'items', items,
    CASE WHEN o."is_pickup" THEN 'pickupDetails' ELSE 'deliveryDetails' END,
    CASE WHEN o."is_pickup"
      THEN json_build_object('date', o."date", 'time', o."time", 'location', o."pickup_location")
      ELSE json_build_object(
        'address', json_build_object(
          'street', o."street", 'city', o."city", 'state', o."state", 'zipCode', o."zip_code"),
        'date', o."date",
        'time', o."time") END,
    'version', o."version",
    'timeline', timeline)
$$;

CREATE OR REPLACE VIEW "order_wire" AS
SELECT
  o."id", o."consumer_id", o."farmer_id", o."status", o."created_at", o."version",
  wire_order(o, consumer, farmer, farm."farm_name",
    (SELECT COALESCE(json_agg(wire_order_line(line) ORDER BY line."position"), '[]')
      FROM "order_lines" line WHERE line."order_id" = o."id"),
    (SELECT COALESCE(json_agg(wire_timeline_entry(entry, person) ORDER BY entry."version"), '[]')
      FROM "order_timeline" entry
      JOIN "users" person ON person."id" = entry."by_id"
      WHERE entry."order_id" = o."id")
  ) AS "wire"
FROM "orders" o
JOIN "users" consumer ON consumer."id" = o."consumer_id"
JOIN "users" farmer ON farmer."id" = o."farmer_id"
LEFT JOIN "farmer_profiles" farm ON farm."user_id" = o."farmer_id";

-- What it answers and the sequence of its locks are as before. Everything is found by key. In a market
-- just opened Postgres would rather read its tables from end to end, the foreign keys' checks as well,
-- and keep those plans until ANALYZE comes along, a minute and thousands of orders later.
CREATE OR REPLACE FUNCTION place_order(
  p_consumer uuid, p_farmer uuid,
  p_products uuid[], p_quantities int[], p_prices int[],
  p_is_pickup boolean, p_date date, p_time text, p_location text,
  p_street text, p_city text, p_state text, p_zip_code text,
  p_notes text, p_payment_method "PaymentMethod",
  p_key text, p_request_hash text, p_key_hours int,
  p_total_max bigint, p_request_id text
) RETURNS json LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  new_id uuid := gen_random_uuid();
  placed_at timestamptz(3);
  known record;
  consumer "users";
  farmer "users";
  farm "farmer_profiles";
  total bigint;
  problems json;
  refusal text;
  placed "orders";
  beginning "order_timeline";
  items json;
  shelf "products"[];
  answer json;
BEGIN
  SELECT * INTO consumer FROM "users" WHERE "id" = p_consumer AND "deleted_at" IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RETURN json_build_object('refusal', 'CONSUMER_GONE');
  END IF;

  -- The key comes before the stock: a repeat must find the first order even when that took the last
  -- unit. Whoever repeats at the same moment waits here until the first is through.
  IF p_key IS NOT NULL THEN
    LOOP
      INSERT INTO "idempotency_keys" AS k ("user_id", "key", "request_hash", "order_id")
        VALUES (p_consumer, p_key, p_request_hash, new_id)
        ON CONFLICT ("user_id", "key") DO UPDATE
          SET "request_hash" = p_request_hash, "order_id" = new_id, "created_at" = now()
          WHERE k."created_at" < now() - make_interval(hours => p_key_hours);
      EXIT WHEN FOUND;
      SELECT "request_hash", "order_id" INTO known FROM "idempotency_keys"
        WHERE "user_id" = p_consumer AND "key" = p_key;
      IF FOUND THEN
        IF known."request_hash" <> p_request_hash THEN
          RETURN json_build_object('refusal', 'KEY_REUSED');
        END IF;
        RETURN json_build_object('isRepeat', true, 'order',
          (SELECT "wire" FROM "order_wire" WHERE "id" = known."order_id"));
      END IF;
    END LOOP;
  END IF;

  SELECT * INTO farmer FROM "users"
    WHERE "id" = p_farmer AND "role" = 'farmer' AND "deleted_at" IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    refusal := 'FARMER_UNKNOWN';
  ELSE
    SELECT * INTO farm FROM "farmer_profiles" WHERE "user_id" = p_farmer;
    IF p_is_pickup AND NOT COALESCE(farm."accepts_pickup", true) THEN
      refusal := 'PICKUP_NOT_OFFERED';
    ELSIF NOT p_is_pickup AND NOT COALESCE(farm."accepts_delivery", false) THEN
      refusal := 'DELIVERY_NOT_OFFERED';
    ELSE
      WITH shelf AS (
        SELECT * FROM "products" WHERE "id" = ANY (p_products) ORDER BY "id" FOR NO KEY UPDATE
      ), checked AS (
        SELECT item."place", item."quantity", p."name", p."unit", p."price_minor",
               p."quantity_available",
               CASE
                 WHEN p."id" IS NULL OR NOT p."is_active" OR p."available_until" < market_day()
                   THEN 'PRODUCT_UNAVAILABLE'
                 WHEN p."farmer_id" <> p_farmer THEN 'OTHER_FARM'
                 WHEN item."price" <> p."price_minor" THEN 'PRICE_CHANGED'
                 WHEN item."quantity" > p."quantity_available" THEN 'OUT_OF_STOCK'
               END AS "code"
        FROM unnest(p_products, p_quantities, p_prices)
          WITH ORDINALITY AS item("product_id", "quantity", "price", "place")
        LEFT JOIN shelf p ON p."id" = item."product_id"
      )
      SELECT sum(checked."price_minor"::bigint * checked."quantity"),
             json_agg(json_build_object(
               'line', checked."place" - 1, 'code', checked."code", 'name', checked."name",
               'unit', checked."unit", 'price', wire_amount(checked."price_minor"),
               'left', checked."quantity_available") ORDER BY checked."place")
               FILTER (WHERE checked."code" IS NOT NULL)
        INTO total, problems FROM checked;
      IF problems IS NULL AND total > p_total_max THEN
        refusal := 'TOTAL_TOO_LARGE';
      END IF;
    END IF;
  END IF;

  IF refusal IS NOT NULL OR problems IS NOT NULL THEN
    -- Nothing was ordered, so the key is free for the next try.
    DELETE FROM "idempotency_keys" WHERE "user_id" = p_consumer AND "key" = p_key;
    RETURN json_build_object('refusal', refusal, 'problems', problems);
  END IF;

  -- The clock, not the transaction's beginning: it may have waited for the locks.
  placed_at := clock_timestamp();

  INSERT INTO "orders" (
    "id", "consumer_id", "farmer_id", "total_minor", "payment_method", "notes", "is_pickup",
    "date", "time", "pickup_location", "street", "city", "state", "zip_code",
    "created_at", "updated_at")
  VALUES (
    new_id, p_consumer, p_farmer, total, p_payment_method, p_notes, p_is_pickup,
    p_date, p_time, p_location, p_street, p_city, p_state, p_zip_code,
    placed_at, placed_at)
  RETURNING * INTO placed;

  WITH taken AS (
    UPDATE "products" p
      SET "quantity_available" = p."quantity_available" - item."quantity",
          "version" = p."version" + 1, "updated_at" = placed_at
      FROM unnest(p_products, p_quantities)
        WITH ORDINALITY AS item("product_id", "quantity", "place")
      WHERE p."id" = item."product_id"
      RETURNING p AS "row", p.*, item."quantity", item."place"
  ), line AS (
    INSERT INTO "order_lines" (
      "order_id", "position", "product_id", "name", "image", "unit", "price_minor", "quantity")
    SELECT new_id, taken."place", taken."id", taken."name", taken."images"[1], taken."unit",
           taken."price_minor", taken."quantity"
      FROM taken
    RETURNING *
  )
  SELECT (SELECT json_agg(wire_order_line(line) ORDER BY line."position") FROM line),
         (SELECT array_agg(taken."row" ORDER BY taken."id") FROM taken)
    INTO items, shelf;

  INSERT INTO "order_timeline" ("order_id", "version", "status", "by_id", "at")
    VALUES (new_id, placed."version", placed."status", p_consumer, placed_at)
    RETURNING * INTO beginning;

  answer := wire_order(placed, consumer, farmer, farm."farm_name", items,
    json_build_array(wire_timeline_entry(beginning, consumer)));

  INSERT INTO "event_outbox" ("id", "name", "data", "rooms", "request_id", "at")
    VALUES (gen_random_uuid(), 'order.created', answer,
      ARRAY['user:' || p_farmer, 'user:' || p_consumer, 'role:admin'], p_request_id, placed_at);
  INSERT INTO "event_outbox" ("id", "name", "data", "rooms", "request_id", "at")
    SELECT gen_random_uuid(), 'product.updated',
           wire_product(p, farmer, farm."farm_name", category),
           ARRAY['product:' || p."id", 'user:' || p_farmer], p_request_id, placed_at
    FROM unnest(shelf) p
    LEFT JOIN "categories" category ON category."id" = p."category_id"
    ORDER BY p."id";

  RETURN json_build_object('isRepeat', false, 'order', answer);
END $$;

ALTER FUNCTION change_order_status SET enable_seqscan = off;
