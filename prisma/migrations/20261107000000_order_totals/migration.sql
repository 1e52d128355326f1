-- Figures that do not grow with what they count -------------------------------------------------
-- Orders and people are counted when they change, by triggers in the same transaction, so that no
-- dashboard has to walk through all of them. A count stands in up to 16 rows: each connection has one
-- of its own as a rule, so that nobody waits for the commit of somebody else's order. One such row by
-- itself may be negative; only their sum means something. The day '-infinity' stands for all days.

CREATE TABLE "farm_order_totals" (
    "farmer_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "status" "OrderStatus" NOT NULL,
    "slot" SMALLINT NOT NULL,
    "orders" INTEGER NOT NULL,
    "total_minor" BIGINT NOT NULL,

    CONSTRAINT "farm_order_totals_pkey" PRIMARY KEY ("farmer_id","day","status","slot")
) WITH (fillfactor = 70);

CREATE TABLE "market_order_totals" (
    "day" DATE NOT NULL,
    "status" "OrderStatus" NOT NULL,
    "slot" SMALLINT NOT NULL,
    "orders" INTEGER NOT NULL,
    "total_minor" BIGINT NOT NULL,

    CONSTRAINT "market_order_totals_pkey" PRIMARY KEY ("day","status","slot")
) WITH (fillfactor = 50);

CREATE TABLE "user_totals" (
    "role" "Role" NOT NULL,
    "slot" SMALLINT NOT NULL,
    "users" INTEGER NOT NULL,

    CONSTRAINT "user_totals_pkey" PRIMARY KEY ("role","slot")
) WITH (fillfactor = 50);

CREATE FUNCTION totals_slot() RETURNS smallint LANGUAGE sql STABLE AS
$$ SELECT (pg_backend_pid() % 16)::smallint $$;

CREATE FUNCTION utc_day(value timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT (value AT TIME ZONE 'UTC')::date $$;

-- Adds an order (`p_sign` 1) or takes it out (-1). The farm before the market, always.
CREATE FUNCTION count_order(p_order "orders", p_sign int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "farm_order_totals" AS t
    VALUES
      (p_order."farmer_id", '-infinity', p_order."status", totals_slot(), p_sign,
        p_sign * p_order."total_minor"),
      (p_order."farmer_id", utc_day(p_order."created_at"), p_order."status", totals_slot(), p_sign,
        p_sign * p_order."total_minor")
    ON CONFLICT ("farmer_id", "day", "status", "slot") DO UPDATE
      SET "orders" = t."orders" + EXCLUDED."orders",
          "total_minor" = t."total_minor" + EXCLUDED."total_minor";
  INSERT INTO "market_order_totals" AS t
    VALUES
      ('-infinity', p_order."status", totals_slot(), p_sign, p_sign * p_order."total_minor"),
      (utc_day(p_order."created_at"), p_order."status", totals_slot(), p_sign,
        p_sign * p_order."total_minor")
    ON CONFLICT ("day", "status", "slot") DO UPDATE
      SET "orders" = t."orders" + EXCLUDED."orders",
          "total_minor" = t."total_minor" + EXCLUDED."total_minor";
END $$;

CREATE FUNCTION orders_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM count_order(OLD, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM count_order(NEW, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "orders_count_placed" AFTER INSERT OR DELETE ON "orders"
  FOR EACH ROW EXECUTE FUNCTION orders_count();

CREATE TRIGGER "orders_count_changed"
  AFTER UPDATE OF "status", "total_minor", "farmer_id", "created_at" ON "orders"
  FOR EACH ROW
  WHEN ((OLD."status", OLD."total_minor", OLD."farmer_id", OLD."created_at")
    IS DISTINCT FROM (NEW."status", NEW."total_minor", NEW."farmer_id", NEW."created_at"))
  EXECUTE FUNCTION orders_count();

-- A deleted person counts no more.
CREATE FUNCTION count_user(p_role "Role", p_change int) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "user_totals" AS t VALUES (p_role, totals_slot(), p_change)
    ON CONFLICT ("role", "slot") DO UPDATE SET "users" = t."users" + EXCLUDED."users"
$$;

CREATE FUNCTION users_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD."deleted_at" IS NULL THEN
    PERFORM count_user(OLD."role", -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW."deleted_at" IS NULL THEN
    PERFORM count_user(NEW."role", 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "users_count_came" AFTER INSERT OR DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION users_count();

CREATE TRIGGER "users_count_changed" AFTER UPDATE OF "role", "deleted_at" ON "users"
  FOR EACH ROW
  WHEN ((OLD."role", OLD."deleted_at" IS NULL) IS DISTINCT FROM (NEW."role", NEW."deleted_at" IS NULL))
  EXECUTE FUNCTION users_count();

-- Counts everything from the beginning, for what came to be without triggers.
CREATE FUNCTION recount_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE "orders", "users" IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM "farm_order_totals";
  DELETE FROM "market_order_totals";
  DELETE FROM "user_totals";
  INSERT INTO "farm_order_totals"
    SELECT "farmer_id", COALESCE(utc_day("created_at"), '-infinity'), "status", 0, count(*), sum("total_minor")
    FROM "orders"
    GROUP BY GROUPING SETS (("farmer_id", utc_day("created_at"), "status"), ("farmer_id", "status"));
  INSERT INTO "market_order_totals"
    SELECT "day", "status", 0, sum("orders"), sum("total_minor")
    FROM "farm_order_totals" GROUP BY "day", "status";
  INSERT INTO "user_totals"
    SELECT "role", 0, count(*) FROM "users" WHERE "deleted_at" IS NULL GROUP BY "role";
END $$;

SELECT recount_totals();

-- The newest products of all, those not on the market too.
CREATE INDEX "products_created_at_id_idx" ON "products"("created_at" DESC, "id" DESC);
