-- The pick list of a day: where an order is picked up, prints, what was ticked off, and who has seen which change.
ALTER TABLE "orders" ADD COLUMN "place_id" UUID;
UPDATE "orders" SET "place_id" = "slots"."place_id" FROM "slots" WHERE "slots"."id" = "orders"."slot_id";
CREATE INDEX "orders_place_id_idx" ON "orders"("place_id");
ALTER TABLE "orders" ADD CONSTRAINT "orders_place_id_fkey" FOREIGN KEY ("place_id") REFERENCES "places"("id") ON DELETE SET NULL ON UPDATE CASCADE;

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
CREATE INDEX "pick_prints_farm_id_date_number_idx" ON "pick_prints"("farm_id", "date", "number");
CREATE INDEX "pick_prints_by_id_idx" ON "pick_prints"("by_id");
CREATE INDEX "pick_prints_place_id_idx" ON "pick_prints"("place_id");
-- A number once a list; without a place the farm's id stands for all of them. Prisma cannot describe it.
CREATE UNIQUE INDEX "pick_prints_list_number" ON "pick_prints"("farm_id", "date", COALESCE("place_id", "farm_id"), "number");
ALTER TABLE "pick_prints" ADD CONSTRAINT "pick_prints_farm_id_fkey" FOREIGN KEY ("farm_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_prints" ADD CONSTRAINT "pick_prints_place_id_fkey" FOREIGN KEY ("place_id") REFERENCES "places"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_prints" ADD CONSTRAINT "pick_prints_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "pick_print_lines" (
    "print_id" UUID NOT NULL,
    "line_id" UUID NOT NULL,
    "quantity_milli" INTEGER NOT NULL,

    CONSTRAINT "pick_print_lines_pkey" PRIMARY KEY ("print_id", "line_id")
);
CREATE INDEX "pick_print_lines_line_id_idx" ON "pick_print_lines"("line_id");
ALTER TABLE "pick_print_lines" ADD CONSTRAINT "pick_print_lines_print_id_fkey" FOREIGN KEY ("print_id") REFERENCES "pick_prints"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_print_lines" ADD CONSTRAINT "pick_print_lines_line_id_fkey" FOREIGN KEY ("line_id") REFERENCES "order_lines"("id") ON DELETE CASCADE ON UPDATE CASCADE;

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
CREATE INDEX "pick_seen_order_id_idx" ON "pick_seen"("order_id");
CREATE INDEX "pick_seen_place_id_idx" ON "pick_seen"("place_id");
CREATE INDEX "pick_seen_by_id_idx" ON "pick_seen"("by_id");
CREATE UNIQUE INDEX "pick_seen_list_order" ON "pick_seen"("order_id", "date", COALESCE("place_id", "order_id"));
ALTER TABLE "pick_seen" ADD CONSTRAINT "pick_seen_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "orders"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_seen" ADD CONSTRAINT "pick_seen_place_id_fkey" FOREIGN KEY ("place_id") REFERENCES "places"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_seen" ADD CONSTRAINT "pick_seen_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE "pick_ticks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "farm_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "place_id" UUID,
    "product_id" UUID NOT NULL,
    "unit" "Unit" NOT NULL,
    "quantity_milli" BIGINT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "by_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pick_ticks_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "pick_ticks_farm_id_date_idx" ON "pick_ticks"("farm_id", "date");
CREATE INDEX "pick_ticks_by_id_idx" ON "pick_ticks"("by_id");
CREATE INDEX "pick_ticks_place_id_idx" ON "pick_ticks"("place_id");
CREATE UNIQUE INDEX "pick_ticks_list_product" ON "pick_ticks"("farm_id", "date", COALESCE("place_id", "farm_id"), "product_id", "unit");
ALTER TABLE "pick_ticks" ADD CONSTRAINT "pick_ticks_farm_id_fkey" FOREIGN KEY ("farm_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_ticks" ADD CONSTRAINT "pick_ticks_place_id_fkey" FOREIGN KEY ("place_id") REFERENCES "places"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "pick_ticks" ADD CONSTRAINT "pick_ticks_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
