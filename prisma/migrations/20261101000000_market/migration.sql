-- Extensions for the search: trigrams find parts of words, unaccent folds accents.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "Role" AS ENUM ('consumer', 'farmer', 'admin');

-- CreateEnum
CREATE TYPE "Unit" AS ENUM ('lb', 'kg', 'oz', 'g', 'each', 'bunch', 'dozen', 'pint', 'quart', 'gallon');

-- CreateEnum
CREATE TYPE "OrderStatus" AS ENUM ('pending', 'accepted', 'rejected', 'completed', 'cancelled');

-- CreateEnum
CREATE TYPE "PaymentMethod" AS ENUM ('cash', 'bank_transfer', 'other');

-- CreateEnum
CREATE TYPE "Channel" AS ENUM ('in_app', 'email', 'push');

-- CreateEnum
CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'sending', 'sent', 'skipped', 'failed');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "role" "Role" NOT NULL,
    "phone" TEXT NOT NULL DEFAULT '',
    "street" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "zip_code" TEXT NOT NULL DEFAULT '',
    "token_version" INTEGER NOT NULL DEFAULT 1,
    "preferences" JSONB NOT NULL DEFAULT '{}',
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "farmer_profiles" (
    "user_id" UUID NOT NULL,
    "farm_name" TEXT NOT NULL DEFAULT '',
    "description" TEXT NOT NULL DEFAULT '',
    "established_year" INTEGER,
    "facebook" TEXT NOT NULL DEFAULT '',
    "instagram" TEXT NOT NULL DEFAULT '',
    "twitter" TEXT NOT NULL DEFAULT '',
    "farming_practices" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "business_hours" JSONB NOT NULL DEFAULT '{}',
    "accepts_pickup" BOOLEAN NOT NULL DEFAULT true,
    "accepts_delivery" BOOLEAN NOT NULL DEFAULT false,
    "delivery_radius" DOUBLE PRECISION,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "farmer_profiles_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "categories" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "icon" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "farmer_id" UUID NOT NULL,
    "category_id" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "price_minor" INTEGER NOT NULL,
    "unit" "Unit" NOT NULL,
    "quantity_available" INTEGER NOT NULL,
    "images" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "is_organic" BOOLEAN NOT NULL DEFAULT false,
    "harvest_date" DATE,
    "available_until" DATE,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "search_text" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "orders" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "consumer_id" UUID NOT NULL,
    "farmer_id" UUID NOT NULL,
    "status" "OrderStatus" NOT NULL DEFAULT 'pending',
    "total_minor" BIGINT NOT NULL,
    "payment_method" "PaymentMethod" NOT NULL DEFAULT 'cash',
    "notes" TEXT NOT NULL DEFAULT '',
    "is_pickup" BOOLEAN NOT NULL,
    "date" DATE NOT NULL,
    "time" VARCHAR(5) NOT NULL,
    "pickup_location" TEXT NOT NULL DEFAULT '',
    "street" TEXT NOT NULL DEFAULT '',
    "city" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL DEFAULT '',
    "zip_code" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_lines" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "order_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "product_id" UUID,
    "name" TEXT NOT NULL,
    "image" TEXT,
    "unit" "Unit" NOT NULL,
    "price_minor" INTEGER NOT NULL,
    "quantity" INTEGER NOT NULL,

    CONSTRAINT "order_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_timeline" (
    "order_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "status" "OrderStatus" NOT NULL,
    "by_id" UUID NOT NULL,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_timeline_pkey" PRIMARY KEY ("order_id","version")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "sender_id" UUID NOT NULL,
    "receiver_id" UUID NOT NULL,
    "content" TEXT NOT NULL,
    "related_order_id" UUID,
    "read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "user_id" UUID NOT NULL,
    "other_id" UUID NOT NULL,
    "last_message_id" UUID NOT NULL,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,
    "unread_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("user_id","other_id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "link" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notification_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "channel" "Channel" NOT NULL,
    "kind" TEXT NOT NULL,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "push_subscriptions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "password_resets" (
    "token_hash" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "password_resets_pkey" PRIMARY KEY ("token_hash")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "user_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "order_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("user_id","key")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "owner_id" UUID NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "admin_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_outbox" (
    "ordinal" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "rooms" TEXT[],
    "request_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("ordinal")
);

-- CreateTable
CREATE TABLE "event_log" (
    "seq" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "rooms" TEXT[],
    "request_id" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_log_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "event_log_head" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_log_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "followers" (
    "name" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "followers_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "users_role_created_at_id_idx" ON "users"("role", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "users_name_trgm" ON "users" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "users_email_trgm" ON "users" USING GIN ("email" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "categories_name_key_key" ON "categories"("name_key");

-- CreateIndex
CREATE INDEX "categories_name_id_idx" ON "categories"("name", "id");

-- CreateIndex
CREATE INDEX "products_is_active_created_at_id_idx" ON "products"("is_active", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_is_active_price_minor_id_idx" ON "products"("is_active", "price_minor", "id");

-- CreateIndex
CREATE INDEX "products_category_id_is_active_created_at_id_idx" ON "products"("category_id", "is_active", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_category_id_is_active_price_minor_id_idx" ON "products"("category_id", "is_active", "price_minor", "id");

-- CreateIndex
CREATE INDEX "products_farmer_id_created_at_id_idx" ON "products"("farmer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_farmer_id_quantity_available_idx" ON "products"("farmer_id", "quantity_available");

-- CreateIndex
CREATE INDEX "products_search_trgm" ON "products" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "orders_consumer_id_created_at_id_idx" ON "orders"("consumer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_consumer_id_status_created_at_id_idx" ON "orders"("consumer_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_farmer_id_created_at_id_idx" ON "orders"("farmer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_farmer_id_status_created_at_id_idx" ON "orders"("farmer_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_status_created_at_id_idx" ON "orders"("status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_created_at_id_idx" ON "orders"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "order_lines_product_id_idx" ON "order_lines"("product_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_lines_order_id_position_key" ON "order_lines"("order_id", "position");

-- CreateIndex
CREATE INDEX "order_timeline_by_id_idx" ON "order_timeline"("by_id");

-- CreateIndex
CREATE INDEX "messages_sender_id_receiver_id_created_at_id_idx" ON "messages"("sender_id", "receiver_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "messages_receiver_id_sender_id_read_at_idx" ON "messages"("receiver_id", "sender_id", "read_at");

-- CreateIndex
CREATE INDEX "messages_related_order_id_idx" ON "messages"("related_order_id");

-- CreateIndex
CREATE INDEX "conversations_user_id_last_message_at_other_id_idx" ON "conversations"("user_id", "last_message_at" DESC, "other_id");

-- CreateIndex
CREATE INDEX "notifications_user_id_created_at_id_idx" ON "notifications"("user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "notifications_user_id_read_at_idx" ON "notifications"("user_id", "read_at");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_user_id_key_key" ON "notifications"("user_id", "key");

-- CreateIndex
CREATE INDEX "notification_deliveries_user_id_kind_channel_created_at_idx" ON "notification_deliveries"("user_id", "kind", "channel", "created_at");

-- CreateIndex
CREATE INDEX "notification_deliveries_status_created_at_idx" ON "notification_deliveries"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "notification_deliveries_key_user_id_channel_key" ON "notification_deliveries"("key", "user_id", "channel");

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_endpoint_key" ON "push_subscriptions"("endpoint");

-- CreateIndex
CREATE INDEX "push_subscriptions_user_id_idx" ON "push_subscriptions"("user_id");

-- CreateIndex
CREATE INDEX "password_resets_user_id_idx" ON "password_resets"("user_id");

-- CreateIndex
CREATE INDEX "password_resets_expires_at_idx" ON "password_resets"("expires_at");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE INDEX "uploads_owner_id_idx" ON "uploads"("owner_id");

-- CreateIndex
CREATE INDEX "uploads_created_at_idx" ON "uploads"("created_at");

-- CreateIndex
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_admin_id_idx" ON "audit_entries"("admin_id");

-- CreateIndex
CREATE UNIQUE INDEX "event_log_id_key" ON "event_log"("id");

-- CreateIndex
CREATE INDEX "event_log_rooms_idx" ON "event_log" USING GIN ("rooms");

-- CreateIndex
CREATE INDEX "event_log_at_idx" ON "event_log"("at");

-- AddForeignKey
ALTER TABLE "farmer_profiles" ADD CONSTRAINT "farmer_profiles_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_farmer_id_fkey" FOREIGN KEY ("farmer_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "categories"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_consumer_id_fkey" FOREIGN KEY ("consumer_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_farmer_id_fkey" FOREIGN KEY ("farmer_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_product_id_fkey" FOREIGN KEY ("product_id") REFERENCES "products"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_timeline" ADD CONSTRAINT "order_timeline_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "order_timeline" ADD CONSTRAINT "order_timeline_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_sender_id_fkey" FOREIGN KEY ("sender_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_receiver_id_fkey" FOREIGN KEY ("receiver_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_related_order_id_fkey" FOREIGN KEY ("related_order_id") REFERENCES "orders"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_other_id_fkey" FOREIGN KEY ("other_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_last_message_id_fkey" FOREIGN KEY ("last_message_id") REFERENCES "messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_deliveries" ADD CONSTRAINT "notification_deliveries_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_admin_id_fkey" FOREIGN KEY ("admin_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- Rules that no code path may break -----------------------------------------------------------

ALTER TABLE "users"
  ADD CONSTRAINT "users_email_normal" CHECK ("email" = lower(btrim("email")) AND "email" <> ''),
  ADD CONSTRAINT "users_name_present" CHECK (btrim("name") <> '');

ALTER TABLE "farmer_profiles"
  ADD CONSTRAINT "farmer_profiles_radius" CHECK ("delivery_radius" >= 0),
  ADD CONSTRAINT "farmer_profiles_year" CHECK ("established_year" BETWEEN 1900 AND 2200);

ALTER TABLE "products"
  ADD CONSTRAINT "products_price_positive" CHECK ("price_minor" > 0),
  ADD CONSTRAINT "products_stock_not_negative" CHECK ("quantity_available" >= 0),
  ADD CONSTRAINT "products_images_max" CHECK (cardinality("images") <= 5),
  ADD CONSTRAINT "products_dates_in_order" CHECK ("available_until" >= "harvest_date");

ALTER TABLE "orders"
  ADD CONSTRAINT "orders_total_positive" CHECK ("total_minor" > 0),
  ADD CONSTRAINT "orders_time_of_day" CHECK ("time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD CONSTRAINT "orders_two_parties" CHECK ("consumer_id" <> "farmer_id");

ALTER TABLE "order_lines"
  ADD CONSTRAINT "order_lines_price_positive" CHECK ("price_minor" > 0),
  ADD CONSTRAINT "order_lines_quantity_positive" CHECK ("quantity" > 0);

ALTER TABLE "messages"
  ADD CONSTRAINT "messages_content_present" CHECK (btrim("content") <> ''),
  ADD CONSTRAINT "messages_two_people" CHECK ("sender_id" <> "receiver_id");

ALTER TABLE "conversations"
  ADD CONSTRAINT "conversations_unread_not_negative" CHECK ("unread_count" >= 0);

ALTER TABLE "event_log_head"
  ADD CONSTRAINT "event_log_head_single" CHECK ("id" = 1);

-- Search text ----------------------------------------------------------------------------------

CREATE FUNCTION search_form(value text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT lower(unaccent(value)) $$;

CREATE FUNCTION products_set_search_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."search_text" := search_form(
    NEW."name" || ' ' || NEW."description" || ' ' || COALESCE(
      (SELECT "farm_name" FROM "farmer_profiles" WHERE "user_id" = NEW."farmer_id"), ''));
  RETURN NEW;
END $$;

CREATE TRIGGER "products_search_text"
  BEFORE INSERT OR UPDATE OF "name", "description", "farmer_id" ON "products"
  FOR EACH ROW EXECUTE FUNCTION products_set_search_text();

-- Touching a searched column lets the trigger above do the work for every product of the farm.
CREATE FUNCTION farmer_profiles_renamed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "products" SET "name" = "name" WHERE "farmer_id" = NEW."user_id";
  RETURN NULL;
END $$;

CREATE TRIGGER "farmer_profiles_renamed"
  AFTER UPDATE OF "farm_name" ON "farmer_profiles"
  FOR EACH ROW WHEN (OLD."farm_name" IS DISTINCT FROM NEW."farm_name")
  EXECUTE FUNCTION farmer_profiles_renamed();

CREATE TRIGGER "farmer_profiles_added"
  AFTER INSERT ON "farmer_profiles"
  FOR EACH ROW WHEN (NEW."farm_name" <> '')
  EXECUTE FUNCTION farmer_profiles_renamed();

-- The event log --------------------------------------------------------------------------------

INSERT INTO "event_log_head" ("id", "seq") VALUES (1, 0);

-- Gives every committed, unnumbered event the next number and moves it into the log. The head row
-- is the lock: whoever holds it sees all that was committed before, so no number can appear later
-- below one that a reader has already passed.
CREATE FUNCTION sequence_events() RETURNS SETOF "event_log" LANGUAGE plpgsql AS $$
DECLARE
  last_seq bigint;
  given bigint;
BEGIN
  SELECT "seq" INTO last_seq FROM "event_log_head" WHERE "id" = 1 FOR UPDATE;
  RETURN QUERY
    WITH taken AS (
      DELETE FROM "event_outbox" RETURNING *
    ), numbered AS (
      INSERT INTO "event_log" ("seq", "id", "name", "data", "rooms", "request_id", "at")
      SELECT last_seq + row_number() OVER (ORDER BY t."ordinal"),
             t."id", t."name", t."data", t."rooms", t."request_id", t."at"
      FROM taken t
      RETURNING *
    )
    SELECT * FROM numbered n ORDER BY n."seq";
  GET DIAGNOSTICS given = ROW_COUNT;
  IF given > 0 THEN
    UPDATE "event_log_head" SET "seq" = last_seq + given WHERE "id" = 1;
  END IF;
END $$;
