-- Slots of which every transaction with the programs of `scope` is stored. Ranges of a scope neither overlap nor touch; what
-- lies between two of them is a known gap.
CREATE TABLE "ingest_slots" (
    "scope" TEXT NOT NULL,
    "from_slot" BIGINT NOT NULL,
    "to_slot" BIGINT NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "ingest_slots_pkey" PRIMARY KEY ("scope", "from_slot")
);
