import { z } from '@hono/zod-openapi';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';

const DIGITS = /^\d{1,20}$/;

/** A whole number of at most 64 bits, as a JSON number or, above 2^53, as a string of digits. */
export const u64 = (description: string) =>
  z
    .union([z.string(), z.int()], { error: 'must be a whole number, or a string of digits' })
    .refine((value) => DIGITS.test(String(value)) && BigInt(value) <= U64_MAX, {
      error: 'must be a whole number of at most 64 bits',
    })
    .transform((value) => BigInt(value))
    .openapi({ type: ['string', 'integer'], description });
