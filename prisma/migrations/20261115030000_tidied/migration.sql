-- Up to which day the points of a series lie side by side: one row.
CREATE TABLE "tidied" (
    "id" INTEGER NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "tidied_pkey" PRIMARY KEY ("id")
);
