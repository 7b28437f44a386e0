import { z } from 'zod';

/** `{id: document}`, or the manifest that Apollo's tools write. */
export const OperationsFile = z.union([
  z.object({
    format: z.literal('apollo-persisted-query-manifest'),
    operations: z.array(z.object({ id: z.string(), body: z.string() })),
  }),
  z.record(z.string(), z.string()),
]);
