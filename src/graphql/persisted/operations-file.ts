import { z } from 'zod';

/** A JSON object of documents by id, or the manifest format of Apollo's tools. */
export const OperationsFile = z.union([
  z.object({
    format: z.literal('apollo-persisted-query-manifest'),
    operations: z.array(z.object({ id: z.string(), body: z.string() })),
  }),
  z.record(z.string(), z.string()),
]);
