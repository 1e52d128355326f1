-- Who wrote for the farm; null where the sender wrote in person.
ALTER TABLE "messages" ADD COLUMN "author_id" UUID;
ALTER TABLE "messages" ADD CONSTRAINT "messages_author_id_fkey"
  FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "messages_author_id_idx" ON "messages"("author_id");
