-- True for a farm whose founder has left: the row is nobody's account, but the farm keeps its id.
ALTER TABLE "users" ADD COLUMN "is_farm" BOOLEAN NOT NULL DEFAULT false;
