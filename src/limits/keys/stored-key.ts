import { z } from 'zod';

/** A key as its file has it. */
export const StoredKey = z.object({
  id: z.string(),
  name: z.string(),
  hash: z.hex().length(64),
  limit: z.number(),
  origins: z.array(z.string()),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});
