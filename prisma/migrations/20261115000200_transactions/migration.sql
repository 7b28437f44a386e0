-- Transactions: what the chain keeps, but not by wallet, vault or obligation.
--
-- Amounts are base units, whole numbers. `slot`, `place` (position in the block), `signature` and `event_index` are the
-- order of the chain. `place` is null while a transaction is alone in its slot; it is negative where the block itself
-- could not be read and only the list of one address told the order. `tail_of` names the address from whose unfinalized
-- end an event was read; such events are read again and replaced until they are final.

CREATE TABLE "vault_event" (
    "signature" TEXT NOT NULL,
    "event_index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "place" INTEGER,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "vault_id" INTEGER NOT NULL,
    "wallet_id" INTEGER NOT NULL,
    "tokens" DECIMAL,
    "shares" DECIMAL NOT NULL,
    "reserve_id" INTEGER,
    "reserve_tokens" DECIMAL NOT NULL,
    "counterparty_id" INTEGER,
    "tail_of" INTEGER,
    CONSTRAINT "vault_event_pkey" PRIMARY KEY ("signature", "event_index")
);
CREATE INDEX "vault_event_wallet_id_slot_idx" ON "vault_event"("wallet_id", "slot");
CREATE INDEX "vault_event_vault_id_slot_idx" ON "vault_event"("vault_id", "slot");
CREATE INDEX "vault_event_slot_idx" ON "vault_event"("slot");
CREATE INDEX "vault_event_tail_of_idx" ON "vault_event"("tail_of");

CREATE TABLE "lending_event" (
    "signature" TEXT NOT NULL,
    "event_index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "place" INTEGER,
    "block_time" TIMESTAMPTZ(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "obligation_id" INTEGER NOT NULL,
    "market_id" INTEGER NOT NULL,
    "reserve_id" INTEGER NOT NULL,
    "owner_id" INTEGER,
    "signer_id" INTEGER NOT NULL,
    "liquidity" DECIMAL,
    "collateral" DECIMAL NOT NULL,
    "fee" DECIMAL NOT NULL,
    "tail_of" INTEGER,
    CONSTRAINT "lending_event_pkey" PRIMARY KEY ("signature", "event_index")
);
CREATE INDEX "lending_event_obligation_id_slot_idx" ON "lending_event"("obligation_id", "slot");
CREATE INDEX "lending_event_owner_id_slot_idx" ON "lending_event"("owner_id", "slot");
CREATE INDEX "lending_event_slot_idx" ON "lending_event"("slot");
CREATE INDEX "lending_event_tail_of_idx" ON "lending_event"("tail_of");

-- How far the transactions of an address were read. The known part reaches from `newest` down to `oldest`; above it
-- there may be one newer part (`head_newest` to `head_oldest`) that has not been joined to it yet.
CREATE TABLE "ingest_cursor" (
    "address_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "newest_signature" TEXT,
    "newest_slot" BIGINT,
    "oldest_signature" TEXT,
    "oldest_slot" BIGINT,
    "head_newest_signature" TEXT,
    "head_newest_slot" BIGINT,
    "head_oldest_signature" TEXT,
    "head_oldest_slot" BIGINT,
    "reached_start" BOOLEAN NOT NULL,
    "available_from_slot" BIGINT,
    "synced_slot" BIGINT,
    "seen_slot" BIGINT,
    "transactions" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "problems" INTEGER NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ingest_cursor_pkey" PRIMARY KEY ("address_id")
);

-- Transactions that a node listed and did not give. They are asked for again.
CREATE TABLE "ingest_missing" (
    "address_id" INTEGER NOT NULL,
    "signature" TEXT NOT NULL,
    "slot" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ingest_missing_pkey" PRIMARY KEY ("address_id", "signature")
);

-- What in a transaction gave no event although it looked like one, for people.
CREATE TABLE "ingest_problem" (
    "signature" TEXT NOT NULL,
    "problem_index" INTEGER NOT NULL,
    "slot" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    CONSTRAINT "ingest_problem_pkey" PRIMARY KEY ("signature", "problem_index")
);
