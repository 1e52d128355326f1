-- All tables of the first release, in the order of schema.prisma, and what that file cannot say. Columns are explained
-- there. Functions, triggers and checks are in prisma/sql.

-- Extensions --------------------------------------------------------------------------------------

-- Trigrams find parts of words, unaccent folds accents.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS unaccent;

-- Enums -------------------------------------------------------------------------------------------

CREATE TYPE "Role" AS ENUM ('consumer', 'farmer', 'admin');
CREATE TYPE "FarmRole" AS ENUM ('owner', 'manager', 'packer', 'seller');
CREATE TYPE "Unit" AS ENUM ('lb', 'kg', 'oz', 'g', 'each', 'bunch', 'dozen', 'pint', 'quart', 'gallon');
CREATE TYPE "OrderStatus" AS ENUM ('pending', 'accepted', 'rejected', 'completed', 'cancelled');
CREATE TYPE "AtCutoff" AS ENUM ('remind', 'accept', 'reject');
CREATE TYPE "TimelineKind" AS ENUM ('status', 'lines', 'proposal', 'weights', 'slot', 'packing', 'handoff');
CREATE TYPE "ShortWish" AS ENUM ('ask', 'similar', 'specific', 'leave_out');
CREATE TYPE "ProposalStatus" AS ENUM (
  'open', 'accepted', 'answered', 'declined', 'expired', 'withdrawn', 'superseded');
CREATE TYPE "Packing" AS ENUM ('none', 'packing', 'packed');
CREATE TYPE "PaymentMethod" AS ENUM ('cash', 'bank_transfer', 'other');
CREATE TYPE "Channel" AS ENUM ('in_app', 'email', 'push');
CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'sending', 'sent', 'skipped', 'failed');
CREATE TYPE "SlotState" AS ENUM ('open', 'closed', 'cancelled');
CREATE TYPE "ReportKind" AS ENUM ('product', 'farm', 'message', 'order');
CREATE TYPE "ReportOutcome" AS ENUM ('dismissed', 'acted');

-- The market --------------------------------------------------------------------------------------

-- One row: what an admin sets for the whole market. A check in prisma/sql keeps it the only one.
CREATE TABLE "market_settings" (
  "id" SMALLINT NOT NULL DEFAULT 1,
  "time_zone" TEXT NOT NULL DEFAULT 'UTC',
  "name" TEXT NOT NULL DEFAULT 'Farmgate',
  "tagline" TEXT NOT NULL DEFAULT '',
  "logo" TEXT NOT NULL DEFAULT '',
  "contact_address" TEXT NOT NULL DEFAULT '',
  "contact_phone" TEXT NOT NULL DEFAULT '',
  "contact_email" TEXT NOT NULL DEFAULT '',
  "currency_code" TEXT NOT NULL DEFAULT 'PKR',
  "currency_sign" TEXT NOT NULL DEFAULT '₨',
  "currency_decimals" SMALLINT NOT NULL DEFAULT 2,
  "is_sign_after" BOOLEAN NOT NULL DEFAULT false,
  "locale" TEXT NOT NULL DEFAULT 'en-US',
  -- Monday.
  "week_start" SMALLINT NOT NULL DEFAULT 1,
  "units" "Unit"[] DEFAULT ARRAY[
    'lb', 'kg', 'oz', 'g', 'each', 'bunch', 'dozen', 'pint', 'quart', 'gallon'
  ]::"Unit"[],
  "unanswered_seconds" INTEGER,
  "approves_farms" BOOLEAN NOT NULL DEFAULT false,
  "requires_verified_email" BOOLEAN NOT NULL DEFAULT false,
  "pages" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "announcement_text" TEXT NOT NULL DEFAULT '',
  "announcement_ends_at" TIMESTAMPTZ(3),
  -- Whoever put an announcement away sees the same text again when it is announced again.
  "announced_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "version" INTEGER NOT NULL DEFAULT 1,

  CONSTRAINT "market_settings_pkey" PRIMARY KEY ("id")
);

-- Texts that admins write.
CREATE TABLE "market_pages" (
  "slug" TEXT NOT NULL,
  "title" TEXT NOT NULL,
  "body" TEXT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "market_pages_pkey" PRIMARY KEY ("slug")
);

-- People ------------------------------------------------------------------------------------------

-- A person, or a farm whose founder has left. A deleted person keeps the row, emptied of everything personal.
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
  "terms_accepted_at" TIMESTAMPTZ(3),
  "token_version" INTEGER NOT NULL DEFAULT 1,
  "preferences" JSONB NOT NULL DEFAULT '{}',
  "last_seen_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "deleted_at" TIMESTAMPTZ(3),
  "email_verified_at" TIMESTAMPTZ(3),
  "preferred_address_id" UUID,
  -- By its version an edit notices that somebody else changed the profile meanwhile; so with a farm's below.
  "version" INTEGER NOT NULL DEFAULT 1,
  "on_short_default" "ShortWish" NOT NULL DEFAULT 'ask',
  "is_farm" BOOLEAN NOT NULL DEFAULT false,
  "suspended_at" TIMESTAMPTZ(3),
  "suspended_reason" TEXT NOT NULL DEFAULT '',

  CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- Addresses of a person, to choose from. The columns of "users" repeat the preferred one.
CREATE TABLE "user_addresses" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "label" TEXT NOT NULL DEFAULT '',
  "street" TEXT NOT NULL DEFAULT '',
  "city" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL DEFAULT '',
  "zip_code" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3),

  CONSTRAINT "user_addresses_pkey" PRIMARY KEY ("id")
);

-- Farms, their people, and where and when they hand over ------------------------------------------

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
  -- Postcodes and cities; empty where the farm lists none.
  "delivery_areas" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  -- The farm's own pictures; a drawn landscape stands in for them.
  "photo" TEXT,
  "cover" TEXT,
  -- Its days are counted by its own clock.
  "time_zone" TEXT NOT NULL DEFAULT 'UTC',
  "approved_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
  "asked_at" TIMESTAMPTZ(3),
  "sent_back_reason" TEXT,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "version" INTEGER NOT NULL DEFAULT 1,
  "cutoff_days_before" SMALLINT,
  "cutoff_time" TEXT,
  "at_cutoff" "AtCutoff" NOT NULL DEFAULT 'remind',
  "closed_days" DATE[] NOT NULL DEFAULT ARRAY[]::DATE[],
  "schedule_version" INTEGER NOT NULL DEFAULT 1,
  "has_slots" BOOLEAN NOT NULL DEFAULT false,
  -- Cards and products of a farm with pickup places say when one can pick up there, not when the farm is open.
  -- Kept with every change of the places.
  "pickup_openings" JSONB NOT NULL DEFAULT '[]',
  "places_version" INTEGER NOT NULL DEFAULT 0,
  "answer_minutes" INTEGER NOT NULL DEFAULT 120,
  "weight_tolerance_percent" SMALLINT NOT NULL DEFAULT 20,
  "payment_details" TEXT NOT NULL DEFAULT '',
  "payment_version" INTEGER NOT NULL DEFAULT 1,

  CONSTRAINT "farmer_profiles_pkey" PRIMARY KEY ("user_id")
);

-- Who works on a farm, or is invited to. Whoever registered it owns it.
CREATE TABLE "farm_members" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "user_id" UUID,
  "email" TEXT,
  "role" "FarmRole" NOT NULL,
  "has_alerts" BOOLEAN NOT NULL DEFAULT true,
  "token_hash" TEXT,
  "invite_expires_at" TIMESTAMPTZ(3),
  -- What the address of a member's private calendar of the farm is made from; null without one.
  "calendar_key" UUID,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "farm_members_pkey" PRIMARY KEY ("id")
);

-- Where buyers pick up. A removed one keeps its row for the slots of past orders.
CREATE TABLE "places" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "street" TEXT NOT NULL,
  "city" TEXT NOT NULL,
  "state" TEXT NOT NULL DEFAULT '',
  "zip_code" TEXT NOT NULL DEFAULT '',
  "directions" TEXT NOT NULL DEFAULT '',
  "phone" TEXT NOT NULL DEFAULT '',
  "is_active" BOOLEAN NOT NULL DEFAULT true,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "removed_at" TIMESTAMPTZ(3),

  CONSTRAINT "places_pkey" PRIMARY KEY ("id")
);

-- Hours of a weekday at a place, cut into slots.
CREATE TABLE "place_hours" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "place_id" UUID NOT NULL,
  "weekday" SMALLINT NOT NULL,
  "from_time" VARCHAR(5) NOT NULL,
  "to_time" VARCHAR(5) NOT NULL,
  "slot_minutes" INTEGER NOT NULL,
  "capacity" INTEGER,

  CONSTRAINT "place_hours_pkey" PRIMARY KEY ("id")
);

-- A time at a place. It outlives the hours that it was made from while an order refers to it.
CREATE TABLE "slots" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "place_id" UUID NOT NULL,
  "date" DATE NOT NULL,
  "from_time" VARCHAR(5) NOT NULL,
  "to_time" VARCHAR(5) NOT NULL,
  "starts_at" TIMESTAMPTZ(3) NOT NULL,
  "ends_at" TIMESTAMPTZ(3) NOT NULL,
  "capacity" INTEGER,
  "has_own_capacity" BOOLEAN NOT NULL DEFAULT false,
  "taken" INTEGER NOT NULL DEFAULT 0,
  "state" "SlotState" NOT NULL DEFAULT 'open',

  CONSTRAINT "slots_pkey" PRIMARY KEY ("id")
);

-- Products ----------------------------------------------------------------------------------------

CREATE TABLE "categories" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "name" TEXT NOT NULL,
  "name_key" TEXT NOT NULL,
  "description" TEXT NOT NULL DEFAULT '',
  "icon" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- Quantities are thousandths of the unit. Stock is a bigint: what comes back to the shelf may make it larger than a
-- farmer may set it.
CREATE TABLE "products" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farmer_id" UUID NOT NULL,
  "category_id" UUID,
  "name" TEXT NOT NULL,
  "description" TEXT NOT NULL,
  "price_minor" INTEGER NOT NULL,
  "unit" "Unit" NOT NULL,
  "stock_milli" BIGINT NOT NULL,
  -- "Sold out until tomorrow": the stock that was set aside, and when it returns.
  "aside_milli" BIGINT,
  "returns_at" TIMESTAMPTZ(3),
  -- In which steps and from which quantity it is sold; null for whole units, from one step on.
  "step_milli" INTEGER,
  "minimum_milli" INTEGER,
  -- What a piece weighs, where it is sold by the piece and priced by weight.
  "piece_milli" INTEGER,
  "piece_min_milli" INTEGER,
  "piece_max_milli" INTEGER,
  "images" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "is_organic" BOOLEAN NOT NULL DEFAULT false,
  "harvest_date" DATE,
  "available_until" DATE,
  "is_active" BOOLEAN NOT NULL DEFAULT true,
  -- Why an admin hid it. Checks keep what is hidden, or of a suspended farm, inactive.
  "hidden_reason" TEXT,
  "is_farm_suspended" BOOLEAN NOT NULL DEFAULT false,
  "is_active_unhidden" BOOLEAN NOT NULL DEFAULT false,
  "version" INTEGER NOT NULL DEFAULT 1,
  -- What is searched, and the words of the name, in lower case without accents. Triggers keep them.
  "search_text" TEXT NOT NULL DEFAULT '',
  "name_text" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- Customers who are told when a sold-out product is back in stock.
CREATE TABLE "stock_alerts" (
  "user_id" UUID NOT NULL,
  "product_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "stock_alerts_pkey" PRIMARY KEY ("user_id", "product_id")
);

-- Every word that a product's name ever had, to correct a misspelled search. Triggers add them.
CREATE TABLE "search_words" (
  "word" TEXT NOT NULL,

  CONSTRAINT "search_words_pkey" PRIMARY KEY ("word")
);

-- Orders ------------------------------------------------------------------------------------------

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
  -- The instants of the handover, and below the days on which it was placed by the farm's and the market's clock.
  "starts_at" TIMESTAMPTZ(3),
  "ends_at" TIMESTAMPTZ(3),
  "slot_id" UUID,
  "place_id" UUID,
  "end_time" VARCHAR(5),
  "place_name" TEXT NOT NULL DEFAULT '',
  "place_directions" TEXT NOT NULL DEFAULT '',
  "pickup_location" TEXT NOT NULL DEFAULT '',
  "street" TEXT NOT NULL DEFAULT '',
  "city" TEXT NOT NULL DEFAULT '',
  "state" TEXT NOT NULL DEFAULT '',
  "zip_code" TEXT NOT NULL DEFAULT '',
  -- The buyer said that the address is within the farm's area, which nothing else tells.
  "is_area_confirmed" BOOLEAN NOT NULL DEFAULT false,
  "packing" "Packing" NOT NULL DEFAULT 'none',
  "crates" SMALLINT,
  "version" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "farm_day" DATE,
  "market_day" DATE,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "orders_pkey" PRIMARY KEY ("id")
);

-- Counts of the dashboards, kept by triggers, so that they cost the same however many orders there are. A row is only
-- true when added up over "slot": orders at the same time count in different rows and do not wait for each other.
CREATE TABLE "farm_order_totals" (
  "farmer_id" UUID NOT NULL,
  "day" DATE NOT NULL,
  "status" "OrderStatus" NOT NULL,
  "slot" SMALLINT NOT NULL,
  "orders" INTEGER NOT NULL,
  "total_minor" BIGINT NOT NULL,

  CONSTRAINT "farm_order_totals_pkey" PRIMARY KEY ("farmer_id", "day", "status", "slot")
);

CREATE TABLE "market_order_totals" (
  "day" DATE NOT NULL,
  "status" "OrderStatus" NOT NULL,
  "slot" SMALLINT NOT NULL,
  "orders" INTEGER NOT NULL,
  "total_minor" BIGINT NOT NULL,

  CONSTRAINT "market_order_totals_pkey" PRIMARY KEY ("day", "status", "slot")
);

CREATE TABLE "user_totals" (
  "role" "Role" NOT NULL,
  "slot" SMALLINT NOT NULL,
  "users" INTEGER NOT NULL,

  CONSTRAINT "user_totals_pkey" PRIMARY KEY ("role", "slot")
);

-- What was bought, as it was at that moment; it outlives the product. Quantities are thousandths of the unit.
CREATE TABLE "order_lines" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "order_id" UUID NOT NULL,
  "position" INTEGER NOT NULL,
  "product_id" UUID,
  "name" TEXT NOT NULL,
  "image" TEXT,
  "unit" "Unit" NOT NULL,
  "price_minor" INTEGER NOT NULL,
  "quantity_milli" INTEGER NOT NULL,
  "ordered_milli" INTEGER,
  "replaces_line_id" UUID,
  "on_short" "ShortWish" NOT NULL DEFAULT 'ask',
  -- Without a key to the product, which may be gone; so in "pick_ticks" and "reports".
  "preferred_product_id" UUID,
  "piece_milli" INTEGER,
  "piece_min_milli" INTEGER,
  "piece_max_milli" INTEGER,
  "packed_milli" INTEGER,
  "final_minor" BIGINT,

  CONSTRAINT "order_lines_pkey" PRIMARY KEY ("id")
);

-- What happened to an order, one entry after the other.
CREATE TABLE "order_timeline" (
  "order_id" UUID NOT NULL,
  "sequence" INTEGER NOT NULL,
  "kind" "TimelineKind" NOT NULL DEFAULT 'status',
  "status" "OrderStatus",
  "detail" JSONB,
  "version" INTEGER NOT NULL,
  "by_id" UUID NOT NULL,
  "reason" TEXT,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "order_timeline_pkey" PRIMARY KEY ("order_id", "sequence")
);

-- What a farm wants to change of an order's lines, and the buyer's answer.
CREATE TABLE "order_proposals" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "order_id" UUID NOT NULL,
  "status" "ProposalStatus" NOT NULL DEFAULT 'open',
  "created_by_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "answer_by" TIMESTAMPTZ(3) NOT NULL,
  "answered_by_id" UUID,
  "answered_at" TIMESTAMPTZ(3),
  "base_version" INTEGER NOT NULL,
  "note" TEXT NOT NULL DEFAULT '',
  "batch_id" UUID,
  "total_before_minor" BIGINT NOT NULL,
  "total_after_minor" BIGINT NOT NULL,
  "items" JSONB NOT NULL,

  CONSTRAINT "order_proposals_pkey" PRIMARY KEY ("id")
);

-- How a farm's shortage of a product was shared, so that asking again goes on with the same shares.
CREATE TABLE "shortages" (
  "id" UUID NOT NULL,
  "farm_id" UUID NOT NULL,
  "product_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "shares" JSONB NOT NULL,
  "done" INTEGER NOT NULL DEFAULT 0,
  "finished_at" TIMESTAMPTZ(3),

  CONSTRAINT "shortages_pkey" PRIMARY KEY ("id")
);

-- Pick lists --------------------------------------------------------------------------------------

-- A numbered print of the pick list of a day, at one place or (null) of all.
CREATE TABLE "pick_prints" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "date" DATE NOT NULL,
  "place_id" UUID,
  "number" INTEGER NOT NULL,
  "by_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "seq" BIGINT NOT NULL,

  CONSTRAINT "pick_prints_pkey" PRIMARY KEY ("id")
);

-- What an order's line had on a print.
CREATE TABLE "pick_print_lines" (
  "print_id" UUID NOT NULL,
  "line_id" UUID NOT NULL,
  "quantity_milli" INTEGER NOT NULL,

  CONSTRAINT "pick_print_lines_pkey" PRIMARY KEY ("print_id", "line_id")
);

-- Up to which entry of its timeline somebody has seen how an order changed a list.
CREATE TABLE "pick_seen" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "order_id" UUID NOT NULL,
  "date" DATE NOT NULL,
  "place_id" UUID,
  "sequence" INTEGER NOT NULL,
  "by_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "pick_seen_pkey" PRIMARY KEY ("id")
);

-- How much of a product is harvested for a day, at one place or (null) of all.
CREATE TABLE "pick_ticks" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "farm_id" UUID NOT NULL,
  "date" DATE NOT NULL,
  "place_id" UUID,
  -- What was ticked of a product that is deleted goes by its name.
  "product_id" UUID,
  "name" TEXT NOT NULL DEFAULT '',
  "unit" "Unit" NOT NULL,
  -- A product that was sold by weight and is now sold by the piece is two rows of a list, and each has its own tick.
  "is_by_piece" BOOLEAN NOT NULL DEFAULT false,
  "quantity_milli" BIGINT NOT NULL,
  "version" INTEGER NOT NULL DEFAULT 1,
  "by_id" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "pick_ticks_pkey" PRIMARY KEY ("id")
);

-- What admins write, and what is reported to them -------------------------------------------------

-- Internal notes about orders.
CREATE TABLE "order_notes" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "order_id" UUID NOT NULL,
  "author_id" UUID NOT NULL,
  "content" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "order_notes_pkey" PRIMARY KEY ("id")
);

-- Internal notes about people.
CREATE TABLE "user_notes" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "author_id" UUID NOT NULL,
  "content" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "user_notes_pkey" PRIMARY KEY ("id")
);

-- What somebody found wrong, with its subject as it was.
CREATE TABLE "reports" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "reporter_id" UUID NOT NULL,
  "kind" "ReportKind" NOT NULL,
  "subject_id" UUID NOT NULL,
  "about_id" UUID NOT NULL,
  "reason" TEXT NOT NULL,
  "text" TEXT NOT NULL DEFAULT '',
  "subject" JSONB NOT NULL,
  "open_key" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "settled_at" TIMESTAMPTZ(3),
  "settled_by_id" UUID,
  "outcome" "ReportOutcome",
  "note" TEXT NOT NULL DEFAULT '',

  CONSTRAINT "reports_pkey" PRIMARY KEY ("id")
);

-- Messages ----------------------------------------------------------------------------------------

CREATE TABLE "messages" (
  "id" UUID NOT NULL,
  "sender_id" UUID NOT NULL,
  "receiver_id" UUID NOT NULL,
  -- Who wrote for the farm; null where the sender wrote in person.
  "author_id" UUID,
  "content" TEXT NOT NULL,
  "related_order_id" UUID,
  "read_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- One side's view of a thread: two rows a pair of people, written with each message.
CREATE TABLE "conversations" (
  "user_id" UUID NOT NULL,
  "other_id" UUID NOT NULL,
  "last_message_id" UUID NOT NULL,
  "last_message_at" TIMESTAMPTZ(3) NOT NULL,
  "unread_count" INTEGER NOT NULL DEFAULT 0,

  CONSTRAINT "conversations_pkey" PRIMARY KEY ("user_id", "other_id")
);

-- Notifications, timers and mails -----------------------------------------------------------------

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

-- What is to happen at a time: rows that workers look at once they are due.
CREATE TABLE "timers" (
  "key" TEXT NOT NULL,
  "kind" TEXT NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "done_at" TIMESTAMPTZ(3),
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "error" TEXT,
  "request_id" TEXT,

  CONSTRAINT "timers_pkey" PRIMARY KEY ("key")
);

-- One notification to one person over one channel. Its unique key makes a retried job send once.
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
  "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "sent_at" TIMESTAMPTZ(3),

  CONSTRAINT "notification_deliveries_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "push_subscriptions" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "endpoint" TEXT NOT NULL,
  "p256dh" TEXT NOT NULL,
  "auth" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- Of tokens that are mailed only a hash is kept.
CREATE TABLE "password_resets" (
  "token_hash" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "password_resets_pkey" PRIMARY KEY ("token_hash")
);

CREATE TABLE "email_verifications" (
  "token_hash" TEXT NOT NULL,
  "user_id" UUID NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "email_verifications_pkey" PRIMARY KEY ("token_hash")
);

-- Where the mail goes that tells somebody that they deleted their account, until it was sent.
CREATE TABLE "account_deletion_mails" (
  "user_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "email" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "account_deletion_mails_pkey" PRIMARY KEY ("user_id")
);

-- Sign-in -----------------------------------------------------------------------------------------

-- Each sign-in has a row; a token is valid while its row is there.
CREATE TABLE "sessions" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "device" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- A second factor: an authenticator app with recovery codes, and passkeys with what they are to sign.
CREATE TABLE "authenticator_apps" (
  "user_id" UUID NOT NULL,
  "sealed_secret" TEXT NOT NULL,
  "last_step" INTEGER NOT NULL DEFAULT 0,
  "confirmed_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "authenticator_apps_pkey" PRIMARY KEY ("user_id")
);

CREATE TABLE "recovery_codes" (
  "user_id" UUID NOT NULL,
  "code_hash" TEXT NOT NULL,

  CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id", "code_hash")
);

CREATE TABLE "passkeys" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "user_id" UUID NOT NULL,
  "credential_id" TEXT NOT NULL,
  "public_key" BYTEA NOT NULL,
  "counter" BIGINT NOT NULL DEFAULT 0,
  "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
  "device" TEXT NOT NULL DEFAULT '',
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3),

  CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "passkey_challenges" (
  "challenge" TEXT NOT NULL,
  "user_id" UUID,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "passkey_challenges_pkey" PRIMARY KEY ("challenge")
);

-- Devices and addresses that an account signed in from, as keyed hashes.
CREATE TABLE "sign_in_sources" (
  "user_id" UUID NOT NULL,
  "source_hash" TEXT NOT NULL,
  "is_device" BOOLEAN NOT NULL,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "sign_in_sources_pkey" PRIMARY KEY ("user_id", "source_hash")
);

-- Commands, uploads, and what admins did ----------------------------------------------------------

-- The first answer to a command, for whoever repeats it under the same key.
CREATE TABLE "commands" (
  "user_id" UUID NOT NULL,
  "key" TEXT NOT NULL,
  "request_hash" TEXT NOT NULL,
  "status" SMALLINT NOT NULL,
  "body" JSON NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "commands_pkey" PRIMARY KEY ("user_id", "key")
);

-- Pictures. One that nothing shows is cleared after a day.
CREATE TABLE "uploads" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "owner_id" UUID NOT NULL,
  "width" INTEGER NOT NULL,
  "height" INTEGER NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "audit_entries" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "admin_id" UUID NOT NULL,
  "action" TEXT NOT NULL,
  "target_id" TEXT NOT NULL,
  "detail" JSONB NOT NULL DEFAULT '{}',
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- The event log -----------------------------------------------------------------------------------

-- Events written inside the transactions that made them, waiting for their number.
CREATE TABLE "event_outbox" (
  "ordinal" BIGSERIAL NOT NULL,
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "data" JSON NOT NULL,
  "rooms" TEXT[],
  "request_id" TEXT,
  -- Which command caused the event, for the client that sent it.
  "command_id" UUID,
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("ordinal")
);

-- All events in one order: numbers without a gap.
CREATE TABLE "event_log" (
  "seq" BIGINT NOT NULL,
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "data" JSON NOT NULL,
  "rooms" TEXT[],
  "request_id" TEXT,
  "command_id" UUID,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "event_log_pkey" PRIMARY KEY ("seq")
);

-- One row: the last number given, and the lock under which numbers are given.
CREATE TABLE "event_log_head" (
  "id" INTEGER NOT NULL DEFAULT 1,
  "seq" BIGINT NOT NULL DEFAULT 0,

  CONSTRAINT "event_log_head_pkey" PRIMARY KEY ("id")
);

-- One row that names this history of events. Whoever puts back an older state of the database gives it a new name, so
-- that clients do not continue from numbers that the log has given to other events.
CREATE TABLE "event_epoch" (
  "id" SMALLINT NOT NULL DEFAULT 1,
  "epoch" UUID NOT NULL DEFAULT gen_random_uuid(),

  CONSTRAINT "event_epoch_pkey" PRIMARY KEY ("id")
);

-- How far a durable follower has come.
CREATE TABLE "followers" (
  "name" TEXT NOT NULL,
  "seq" BIGINT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "followers_pkey" PRIMARY KEY ("name")
);

-- Operation ---------------------------------------------------------------------------------------

-- What is known of backups.
CREATE TABLE "backups" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "name" TEXT NOT NULL,
  "folder" TEXT NOT NULL,
  "made_by" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3) NOT NULL,
  "size_bytes" BIGINT NOT NULL,
  "row_count" BIGINT NOT NULL,
  "picture_count" INTEGER,
  "is_verified" BOOLEAN NOT NULL,

  CONSTRAINT "backups_pkey" PRIMARY KEY ("id")
);

-- The processes that run the market, each written by itself every few seconds.
CREATE TABLE "processes" (
  "id" UUID NOT NULL,
  "service" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "pid" INTEGER NOT NULL,
  "version" TEXT NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  "figures" JSONB NOT NULL,

  CONSTRAINT "processes_pkey" PRIMARY KEY ("id")
);

-- Which file of prisma/sql was last applied, with which content.
CREATE TABLE "sql_sources" (
  "name" TEXT NOT NULL,
  "hash" TEXT NOT NULL,
  "applied_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "sql_sources_pkey" PRIMARY KEY ("name")
);

-- Indexes -----------------------------------------------------------------------------------------

CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");
CREATE INDEX "users_role_created_at_id_idx" ON "users" ("role", "created_at" DESC, "id" DESC);
CREATE INDEX "users_created_at_id_idx" ON "users" ("created_at" DESC, "id" DESC);
CREATE INDEX "users_suspended_at_idx" ON "users" ("suspended_at");
-- Admins look for parts of names and emails; users_phone_digits_trgm below is for their phone numbers.
CREATE INDEX "users_name_trgm" ON "users" USING GIN ("name" gin_trgm_ops);
CREATE INDEX "users_email_trgm" ON "users" USING GIN ("email" gin_trgm_ops);
CREATE INDEX "users_preferred_address_id_idx" ON "users" ("preferred_address_id");

CREATE INDEX "user_addresses_user_id_idx" ON "user_addresses" ("user_id");

CREATE INDEX "farmer_profiles_farm_name_trgm" ON "farmer_profiles" USING GIN ("farm_name" gin_trgm_ops);
CREATE INDEX "farmer_profiles_approved_at_idx" ON "farmer_profiles" ("approved_at");

CREATE UNIQUE INDEX "farm_members_user_id_key" ON "farm_members" ("user_id");
CREATE UNIQUE INDEX "farm_members_token_hash_key" ON "farm_members" ("token_hash");
CREATE INDEX "farm_members_farm_id_created_at_id_idx" ON "farm_members" ("farm_id", "created_at", "id");
CREATE UNIQUE INDEX "farm_members_farm_id_email_key" ON "farm_members" ("farm_id", "email");

CREATE INDEX "places_farm_id_name_id_idx" ON "places" ("farm_id", "name", "id");

CREATE UNIQUE INDEX "place_hours_place_id_weekday_from_time_key" ON "place_hours" ("place_id", "weekday", "from_time");

CREATE INDEX "slots_farm_id_date_from_time_idx" ON "slots" ("farm_id", "date", "from_time");
CREATE UNIQUE INDEX "slots_place_id_date_from_time_to_time_key"
  ON "slots" ("place_id", "date", "from_time", "to_time");

CREATE UNIQUE INDEX "categories_name_key_key" ON "categories" ("name_key");
CREATE INDEX "categories_name_id_idx" ON "categories" ("name", "id");

CREATE INDEX "products_is_active_created_at_id_idx" ON "products" ("is_active", "created_at" DESC, "id" DESC);
CREATE INDEX "products_created_at_id_idx" ON "products" ("created_at" DESC, "id" DESC);
CREATE INDEX "products_is_active_price_minor_id_idx" ON "products" ("is_active", "price_minor", "id");
CREATE INDEX "products_category_id_is_active_created_at_id_idx"
  ON "products" ("category_id", "is_active", "created_at" DESC, "id" DESC);
CREATE INDEX "products_category_id_is_active_price_minor_id_idx"
  ON "products" ("category_id", "is_active", "price_minor", "id");
CREATE INDEX "products_farmer_id_created_at_id_idx" ON "products" ("farmer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "products_is_organic_is_active_created_at_id_idx"
  ON "products" ("is_organic", "is_active", "created_at" DESC, "id" DESC);
CREATE INDEX "products_search_trgm" ON "products" USING GIN ("search_text" gin_trgm_ops);
CREATE INDEX "products_name_trgm" ON "products" USING GIN ("name_text" gin_trgm_ops);

CREATE INDEX "stock_alerts_product_id_created_at_idx" ON "stock_alerts" ("product_id", "created_at");

-- GiST: the nearest words come first.
CREATE INDEX "search_words_trgm" ON "search_words" USING GIST ("word" gist_trgm_ops);

CREATE INDEX "orders_consumer_id_created_at_id_idx" ON "orders" ("consumer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_consumer_id_status_created_at_id_idx"
  ON "orders" ("consumer_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_consumer_id_farmer_id_created_at_id_idx"
  ON "orders" ("consumer_id", "farmer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_farmer_id_created_at_id_idx" ON "orders" ("farmer_id", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_farmer_id_status_created_at_id_idx"
  ON "orders" ("farmer_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_status_created_at_id_idx" ON "orders" ("status", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_created_at_id_idx" ON "orders" ("created_at" DESC, "id" DESC);
CREATE INDEX "orders_slot_id_created_at_id_idx" ON "orders" ("slot_id", "created_at" DESC, "id" DESC);
CREATE INDEX "orders_farmer_id_date_idx" ON "orders" ("farmer_id", "date");
CREATE INDEX "orders_place_id_idx" ON "orders" ("place_id");

CREATE INDEX "order_lines_product_id_idx" ON "order_lines" ("product_id");
-- Orders are found by the name of a product.
CREATE INDEX "order_lines_name_trgm" ON "order_lines" USING GIN ("name" gin_trgm_ops);
CREATE UNIQUE INDEX "order_lines_order_id_position_key" ON "order_lines" ("order_id", "position");

CREATE INDEX "order_timeline_by_id_idx" ON "order_timeline" ("by_id");
CREATE INDEX "order_timeline_at_idx" ON "order_timeline" ("at" DESC);

CREATE INDEX "order_proposals_order_id_created_at_id_idx" ON "order_proposals" ("order_id", "created_at", "id");
CREATE INDEX "order_proposals_created_by_id_idx" ON "order_proposals" ("created_by_id");
CREATE INDEX "order_proposals_answered_by_id_idx" ON "order_proposals" ("answered_by_id");

CREATE INDEX "shortages_farm_id_idx" ON "shortages" ("farm_id");

CREATE INDEX "pick_prints_farm_id_date_number_idx" ON "pick_prints" ("farm_id", "date", "number");
CREATE INDEX "pick_prints_by_id_idx" ON "pick_prints" ("by_id");
CREATE INDEX "pick_prints_place_id_idx" ON "pick_prints" ("place_id");

CREATE INDEX "pick_print_lines_line_id_idx" ON "pick_print_lines" ("line_id");

CREATE INDEX "pick_seen_order_id_idx" ON "pick_seen" ("order_id");
CREATE INDEX "pick_seen_place_id_idx" ON "pick_seen" ("place_id");
CREATE INDEX "pick_seen_by_id_idx" ON "pick_seen" ("by_id");

CREATE INDEX "pick_ticks_farm_id_date_idx" ON "pick_ticks" ("farm_id", "date");
CREATE INDEX "pick_ticks_by_id_idx" ON "pick_ticks" ("by_id");
CREATE INDEX "pick_ticks_place_id_idx" ON "pick_ticks" ("place_id");

CREATE INDEX "order_notes_order_id_created_at_id_idx" ON "order_notes" ("order_id", "created_at", "id");
CREATE INDEX "order_notes_author_id_idx" ON "order_notes" ("author_id");

CREATE INDEX "user_notes_user_id_created_at_id_idx" ON "user_notes" ("user_id", "created_at", "id");
CREATE INDEX "user_notes_author_id_idx" ON "user_notes" ("author_id");

CREATE UNIQUE INDEX "reports_open_key_key" ON "reports" ("open_key");
CREATE INDEX "reports_created_at_id_idx" ON "reports" ("created_at" DESC, "id" DESC);
CREATE INDEX "reports_settled_at_created_at_id_idx" ON "reports" ("settled_at", "created_at" DESC, "id" DESC);
CREATE INDEX "reports_reporter_id_idx" ON "reports" ("reporter_id");
CREATE INDEX "reports_about_id_idx" ON "reports" ("about_id");
CREATE INDEX "reports_settled_by_id_idx" ON "reports" ("settled_by_id");

CREATE INDEX "messages_sender_id_receiver_id_created_at_id_idx"
  ON "messages" ("sender_id", "receiver_id", "created_at" DESC, "id" DESC);
CREATE INDEX "messages_receiver_id_sender_id_read_at_idx" ON "messages" ("receiver_id", "sender_id", "read_at");
CREATE INDEX "messages_related_order_id_idx" ON "messages" ("related_order_id");
CREATE INDEX "messages_author_id_idx" ON "messages" ("author_id");

CREATE INDEX "conversations_user_id_last_message_at_other_id_idx"
  ON "conversations" ("user_id", "last_message_at" DESC, "other_id");

CREATE INDEX "notifications_user_id_created_at_id_idx" ON "notifications" ("user_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notifications_user_id_read_at_idx" ON "notifications" ("user_id", "read_at");
-- Notifications are marked as read by what they lead to.
CREATE INDEX "notifications_user_id_link_idx" ON "notifications" ("user_id", "link");
CREATE UNIQUE INDEX "notifications_user_id_key_key" ON "notifications" ("user_id", "key");

CREATE INDEX "timers_done_at_due_at_idx" ON "timers" ("done_at", "due_at");

CREATE INDEX "notification_deliveries_user_id_kind_channel_created_at_idx"
  ON "notification_deliveries" ("user_id", "kind", "channel", "created_at");
CREATE INDEX "notification_deliveries_status_due_at_idx" ON "notification_deliveries" ("status", "due_at");
CREATE UNIQUE INDEX "notification_deliveries_key_user_id_channel_key"
  ON "notification_deliveries" ("key", "user_id", "channel");

CREATE UNIQUE INDEX "push_subscriptions_endpoint_key" ON "push_subscriptions" ("endpoint");
CREATE INDEX "push_subscriptions_user_id_idx" ON "push_subscriptions" ("user_id");

CREATE INDEX "password_resets_user_id_idx" ON "password_resets" ("user_id");
CREATE INDEX "password_resets_expires_at_idx" ON "password_resets" ("expires_at");

CREATE INDEX "email_verifications_user_id_idx" ON "email_verifications" ("user_id");
CREATE INDEX "email_verifications_expires_at_idx" ON "email_verifications" ("expires_at");

CREATE INDEX "account_deletion_mails_created_at_idx" ON "account_deletion_mails" ("created_at");

CREATE INDEX "sessions_user_id_created_at_idx" ON "sessions" ("user_id", "created_at");
CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at");

CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys" ("credential_id");
CREATE INDEX "passkeys_user_id_created_at_idx" ON "passkeys" ("user_id", "created_at");

CREATE INDEX "passkey_challenges_user_id_idx" ON "passkey_challenges" ("user_id");
CREATE INDEX "passkey_challenges_expires_at_idx" ON "passkey_challenges" ("expires_at");

CREATE INDEX "sign_in_sources_last_used_at_idx" ON "sign_in_sources" ("last_used_at");

CREATE INDEX "commands_created_at_idx" ON "commands" ("created_at");

CREATE INDEX "uploads_owner_id_idx" ON "uploads" ("owner_id");
CREATE INDEX "uploads_created_at_idx" ON "uploads" ("created_at");

CREATE INDEX "audit_entries_at_id_idx" ON "audit_entries" ("at" DESC, "id" DESC);
CREATE INDEX "audit_entries_admin_id_at_id_idx" ON "audit_entries" ("admin_id", "at" DESC, "id" DESC);
CREATE INDEX "audit_entries_action_at_id_idx" ON "audit_entries" ("action", "at" DESC, "id" DESC);
CREATE INDEX "audit_entries_target_id_idx" ON "audit_entries" ("target_id");

CREATE INDEX "backups_finished_at_idx" ON "backups" ("finished_at" DESC);

-- Foreign keys ------------------------------------------------------------------------------------

ALTER TABLE "users"
  ADD CONSTRAINT "users_preferred_address_id_fkey"
    FOREIGN KEY ("preferred_address_id") REFERENCES "user_addresses" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "user_addresses"
  ADD CONSTRAINT "user_addresses_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "farmer_profiles"
  ADD CONSTRAINT "farmer_profiles_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "farm_members"
  ADD CONSTRAINT "farm_members_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles" ("user_id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "farm_members_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "places"
  ADD CONSTRAINT "places_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles" ("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "place_hours"
  ADD CONSTRAINT "place_hours_place_id_fkey"
    FOREIGN KEY ("place_id") REFERENCES "places" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "slots"
  ADD CONSTRAINT "slots_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "farmer_profiles" ("user_id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "slots_place_id_fkey"
    FOREIGN KEY ("place_id") REFERENCES "places" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "products"
  ADD CONSTRAINT "products_farmer_id_fkey"
    FOREIGN KEY ("farmer_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "products_category_id_fkey"
    FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "stock_alerts"
  ADD CONSTRAINT "stock_alerts_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "stock_alerts_product_id_fkey"
    FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "orders"
  ADD CONSTRAINT "orders_consumer_id_fkey"
    FOREIGN KEY ("consumer_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "orders_farmer_id_fkey"
    FOREIGN KEY ("farmer_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "orders_slot_id_fkey"
    FOREIGN KEY ("slot_id") REFERENCES "slots" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
  ADD CONSTRAINT "orders_place_id_fkey"
    FOREIGN KEY ("place_id") REFERENCES "places" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "order_lines"
  ADD CONSTRAINT "order_lines_order_id_fkey"
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "order_lines_product_id_fkey"
    FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "order_timeline"
  ADD CONSTRAINT "order_timeline_order_id_fkey"
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "order_timeline_by_id_fkey"
    FOREIGN KEY ("by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "order_proposals"
  ADD CONSTRAINT "order_proposals_order_id_fkey"
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "order_proposals_created_by_id_fkey"
    FOREIGN KEY ("created_by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "order_proposals_answered_by_id_fkey"
    FOREIGN KEY ("answered_by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "shortages"
  ADD CONSTRAINT "shortages_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "pick_prints"
  ADD CONSTRAINT "pick_prints_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_prints_place_id_fkey"
    FOREIGN KEY ("place_id") REFERENCES "places" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_prints_by_id_fkey"
    FOREIGN KEY ("by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "pick_print_lines"
  ADD CONSTRAINT "pick_print_lines_print_id_fkey"
    FOREIGN KEY ("print_id") REFERENCES "pick_prints" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_print_lines_line_id_fkey"
    FOREIGN KEY ("line_id") REFERENCES "order_lines" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "pick_seen"
  ADD CONSTRAINT "pick_seen_order_id_fkey"
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_seen_place_id_fkey"
    FOREIGN KEY ("place_id") REFERENCES "places" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_seen_by_id_fkey"
    FOREIGN KEY ("by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "pick_ticks"
  ADD CONSTRAINT "pick_ticks_farm_id_fkey"
    FOREIGN KEY ("farm_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_ticks_place_id_fkey"
    FOREIGN KEY ("place_id") REFERENCES "places" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "pick_ticks_by_id_fkey"
    FOREIGN KEY ("by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "order_notes"
  ADD CONSTRAINT "order_notes_order_id_fkey"
    FOREIGN KEY ("order_id") REFERENCES "orders" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "order_notes_author_id_fkey"
    FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "user_notes"
  ADD CONSTRAINT "user_notes_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "user_notes_author_id_fkey"
    FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "reports"
  ADD CONSTRAINT "reports_reporter_id_fkey"
    FOREIGN KEY ("reporter_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "reports_about_id_fkey"
    FOREIGN KEY ("about_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "reports_settled_by_id_fkey"
    FOREIGN KEY ("settled_by_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "messages"
  ADD CONSTRAINT "messages_sender_id_fkey"
    FOREIGN KEY ("sender_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "messages_receiver_id_fkey"
    FOREIGN KEY ("receiver_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "messages_author_id_fkey"
    FOREIGN KEY ("author_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT "messages_related_order_id_fkey"
    FOREIGN KEY ("related_order_id") REFERENCES "orders" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "conversations"
  ADD CONSTRAINT "conversations_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "conversations_other_id_fkey"
    FOREIGN KEY ("other_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT "conversations_last_message_id_fkey"
    FOREIGN KEY ("last_message_id") REFERENCES "messages" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "notifications"
  ADD CONSTRAINT "notifications_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "notification_deliveries"
  ADD CONSTRAINT "notification_deliveries_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "push_subscriptions"
  ADD CONSTRAINT "push_subscriptions_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "password_resets"
  ADD CONSTRAINT "password_resets_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "email_verifications"
  ADD CONSTRAINT "email_verifications_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "sessions"
  ADD CONSTRAINT "sessions_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "authenticator_apps"
  ADD CONSTRAINT "authenticator_apps_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "recovery_codes"
  ADD CONSTRAINT "recovery_codes_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "passkeys"
  ADD CONSTRAINT "passkeys_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "passkey_challenges"
  ADD CONSTRAINT "passkey_challenges_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "sign_in_sources"
  ADD CONSTRAINT "sign_in_sources_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "commands"
  ADD CONSTRAINT "commands_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "uploads"
  ADD CONSTRAINT "uploads_owner_id_fkey"
    FOREIGN KEY ("owner_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "audit_entries"
  ADD CONSTRAINT "audit_entries_admin_id_fkey"
    FOREIGN KEY ("admin_id") REFERENCES "users" ("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What schema.prisma cannot say -------------------------------------------------------------------

-- People are found by the digits of their phone number, however it is written.
CREATE INDEX "users_phone_digits_trgm" ON "users" USING GIN (regexp_replace("phone", '\D', '', 'g') gin_trgm_ops);

-- Few of many products are hidden; admins list them.
CREATE INDEX "products_hidden" ON "products" ("updated_at" DESC, "id" DESC) WHERE "hidden_reason" IS NOT NULL;

-- The guard of "only one proposal at a time".
CREATE UNIQUE INDEX "order_proposals_open" ON "order_proposals" ("order_id") WHERE "status" = 'open';

-- One per list: a number of a print, what was seen of an order, a tick of a product. Without a place the id of the farm
-- or the order stands for all places; without a product, which was deleted, the farm's id stands for it.
CREATE UNIQUE INDEX "pick_prints_list_number"
  ON "pick_prints" ("farm_id", "date", COALESCE("place_id", "farm_id"), "number");
CREATE UNIQUE INDEX "pick_seen_list_order"
  ON "pick_seen" ("order_id", "date", COALESCE("place_id", "order_id"));
CREATE UNIQUE INDEX "pick_ticks_list_product"
  ON "pick_ticks" (
    "farm_id", "date", COALESCE("place_id", "farm_id"), COALESCE("product_id", "farm_id"), "name", "unit", "is_by_piece"
  );

-- Stock and totals change with every order and no index holds them: with room on the page, Postgres
-- writes the new version beside the old one and leaves all indexes alone.
ALTER TABLE "products" SET (fillfactor = 80);
ALTER TABLE "farm_order_totals" SET (fillfactor = 70);
ALTER TABLE "market_order_totals" SET (fillfactor = 50);
ALTER TABLE "user_totals" SET (fillfactor = 50);

-- The outbox is nearly empty and its rows live for moments: it is vacuumed after so many dead rows,
-- not after a share of its size.
ALTER TABLE "event_outbox" SET (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000);

-- First rows --------------------------------------------------------------------------------------

-- The settings of a market that nobody has changed yet.
INSERT INTO "market_settings" ("id") VALUES (1);

-- The row whose lock is needed to give events their numbers.
INSERT INTO "event_log_head" ("id", "seq") VALUES (1, 0);

-- The name of the history of events that begins here.
INSERT INTO "event_epoch" ("id") VALUES (1);
