-- The stock changes with every order. While no index holds it, and a page keeps some room, Postgres
-- writes the new version beside the old one and leaves all indexes of the product alone. A farm's
-- few products are found by the farm and sorted then.
DROP INDEX "products_farmer_id_quantity_available_idx";
ALTER TABLE "products" SET (fillfactor = 80);
