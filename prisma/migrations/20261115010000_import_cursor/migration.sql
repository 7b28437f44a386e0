-- How far the history of another deployment was imported: one row per deployment, subject and step.
CREATE TABLE "import_cursor" (
    "source" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "done_from" TIMESTAMPTZ(3) NOT NULL,
    "done_until" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "import_cursor_pkey" PRIMARY KEY ("source", "subject", "step")
);
