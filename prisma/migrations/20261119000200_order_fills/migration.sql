-- The borrow order that a borrow has filled: when it was placed, in Unix seconds, and the base units that were still to be
-- borrowed afterwards. Null for all other events, and for a fill that was stored before these columns existed, until its
-- transaction is read again.
ALTER TABLE "lending_event" ADD COLUMN "order_placed_at" BIGINT;
ALTER TABLE "lending_event" ADD COLUMN "order_left" DECIMAL;

-- What an instruction of a farm's administration has done, as JSON. Null for transactions of its stakers.
ALTER TABLE "farm_event" ADD COLUMN "management" TEXT;

-- Transactions that were read before have such events too. Every address is read again when it is next requested; stored
-- events are kept.
DELETE FROM "ingest_cursor";
