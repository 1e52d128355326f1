-- Changing an order's status -------------------------------------------------------------------
-- One statement, like placing one. Which changes are allowed is the contract's to say: it comes in as
-- the statuses from which this party may go to `p_to`, each with whether the stock goes back. Answers
--   { order, was }             the order as it stands now, and its status before
--   { refusal, status }        NOT_FOUND; NOT_ALLOWED from the present status; OVERTAKEN: somebody
--                              else changed it first, to this status
CREATE FUNCTION change_order_status(
  p_order uuid, p_user uuid, p_is_admin boolean, p_to "OrderStatus", p_reason text,
  p_from "OrderStatus"[], p_returns_stock boolean[], p_request_id text
) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  seen record;
  place int;
  changed_at timestamptz(3);
  new_version int;
  after json;
BEGIN
  SELECT "status", "version", "consumer_id", "farmer_id" INTO seen FROM "orders"
    WHERE "id" = p_order AND (p_is_admin OR "consumer_id" = p_user OR "farmer_id" = p_user);
  IF NOT FOUND THEN
    RETURN json_build_object('refusal', 'NOT_FOUND');
  END IF;
  IF seen."status" = p_to THEN
    RETURN json_build_object('was', p_to, 'order',
      (SELECT "wire" FROM "order_wire" WHERE "id" = p_order));
  END IF;
  place := array_position(p_from, seen."status");
  IF place IS NULL THEN
    RETURN json_build_object('refusal', 'NOT_ALLOWED', 'status', seen."status");
  END IF;

  -- The shelf before the order: the sequence of locks that everyone keeps.
  IF p_returns_stock[place] THEN
    PERFORM 1 FROM "products"
      WHERE "id" IN (SELECT "product_id" FROM "order_lines" WHERE "order_id" = p_order)
      ORDER BY "id" FOR NO KEY UPDATE;
  END IF;

  changed_at := clock_timestamp();
  UPDATE "orders"
    SET "status" = p_to, "version" = "version" + 1, "updated_at" = changed_at
    WHERE "id" = p_order AND "status" = seen."status" AND "version" = seen."version"
    RETURNING "version" INTO new_version;
  IF NOT FOUND THEN
    SELECT "status" INTO seen FROM "orders" WHERE "id" = p_order;
    IF seen."status" = p_to THEN
      RETURN json_build_object('was', p_to, 'order',
        (SELECT "wire" FROM "order_wire" WHERE "id" = p_order));
    END IF;
    RETURN json_build_object('refusal', 'OVERTAKEN', 'status', seen."status");
  END IF;

  INSERT INTO "order_timeline" ("order_id", "version", "status", "by_id", "reason", "at")
    VALUES (p_order, new_version, p_to, p_user, p_reason, changed_at);
  SELECT "wire" INTO after FROM "order_wire" WHERE "id" = p_order;
  INSERT INTO "event_outbox" ("id", "name", "data", "rooms", "request_id", "at")
    VALUES (gen_random_uuid(), 'order.updated', after::jsonb,
      ARRAY['user:' || seen."farmer_id", 'user:' || seen."consumer_id", 'role:admin'],
      p_request_id, changed_at);

  IF p_returns_stock[place] THEN
    UPDATE "products" p
      SET "quantity_available" = p."quantity_available" + line."quantity",
          "version" = p."version" + 1, "updated_at" = changed_at
      FROM "order_lines" line
      WHERE line."order_id" = p_order AND p."id" = line."product_id";
    -- Only its farmer knows of an inactive product.
    INSERT INTO "event_outbox" ("id", "name", "data", "rooms", "request_id", "at")
      SELECT gen_random_uuid(), 'product.updated', w."wire"::jsonb,
             CASE WHEN w."is_active" THEN ARRAY['product:' || w."id", 'user:' || w."farmer_id"]
                  ELSE ARRAY['user:' || w."farmer_id"] END,
             p_request_id, changed_at
      FROM "product_wire" w
      WHERE w."id" IN (SELECT "product_id" FROM "order_lines" WHERE "order_id" = p_order)
      ORDER BY w."id";
  END IF;

  IF p_is_admin THEN
    INSERT INTO "audit_entries" ("admin_id", "action", "target_id", "detail", "at")
      VALUES (p_user, 'order.statusChanged', p_order::text,
        jsonb_build_object('from', seen."status", 'to', p_to), changed_at);
  END IF;

  RETURN json_build_object('was', seen."status", 'order', after);
END $$;
