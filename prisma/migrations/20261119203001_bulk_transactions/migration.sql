-- The instruction that caused a vault event. Null for an event that was stored before this column existed, until its
-- transaction is read again.
ALTER TABLE "vault_event" ADD COLUMN "instruction" TEXT;

-- Transactions of a market, or of all vaults, by instruction.
CREATE INDEX "vault_event_instruction_slot_idx" ON "vault_event"("instruction", "slot");
CREATE INDEX "lending_event_market_id_instruction_slot_idx" ON "lending_event"("market_id", "instruction", "slot");

-- Every address is read again when it is next requested; stored events are kept until then.
DELETE FROM "ingest_cursor";
