import { z } from 'zod';

/** The file format of a key. */
export const StoredKey = z.object({
  id: z.string(),
  name: z.string(),
  hash: z.hex().length(64),
  limit: z.number(),
  origins: z.array(z.string()),
  createdAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
});
