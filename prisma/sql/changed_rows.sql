-- Locks and changes rows that many orders want at once. A statement sees rows as they were when it began: where one
-- of its parts locks or changes a row that somebody else has changed since, Postgres sets up the whole statement again
-- to look at the newest version. The statement that places an order has some thirty parts, so that this cost more than
-- the order. A function sees rows as they are when it is called, and only its own line is set up again.

-- Locks products by ascending id. The ids come out of a sub-select: of a parameter Postgres would count the entries, and
-- make a plan of its own for every call because of it.
CREATE OR REPLACE FUNCTION lock_products(p_ids uuid[]) RETURNS SETOF "products" LANGUAGE sql ROWS 5 AS $$
  SELECT * FROM "products" WHERE "id" = ANY (ARRAY(SELECT unnest(p_ids)))
  ORDER BY "id" FOR NO KEY UPDATE
$$;

-- Puts so much more on the stock of a locked product, or so much less.
CREATE OR REPLACE FUNCTION change_stock(p_id uuid, p_change_milli bigint, p_at timestamptz)
RETURNS SETOF "products" LANGUAGE sql STRICT ROWS 1 AS $$
  UPDATE "products"
  SET "stock_milli" = "stock_milli" + p_change_milli, "version" = "version" + 1, "updated_at" = p_at
  WHERE "id" = p_id
  RETURNING *
$$;

-- Locks a slot; nothing without one.
CREATE OR REPLACE FUNCTION lock_slot(p_id uuid) RETURNS SETOF "slots" LANGUAGE sql STRICT ROWS 1 AS $$
  SELECT * FROM "slots" WHERE "id" = p_id FOR NO KEY UPDATE
$$;

-- Takes room for so many more orders in a slot, or gives it back.
CREATE OR REPLACE FUNCTION change_taken(p_id uuid, p_orders int) RETURNS SETOF "slots"
LANGUAGE sql STRICT ROWS 1 AS $$
  UPDATE "slots" SET "taken" = "taken" + p_orders WHERE "id" = p_id RETURNING *
$$;
