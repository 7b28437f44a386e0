-- The instruction that caused a lending event. Null for an event that was stored before this column existed, until its
-- transaction is read again.
ALTER TABLE "lending_event" ADD COLUMN "instruction" TEXT;
