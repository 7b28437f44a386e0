import { z } from '@hono/zod-openapi';
import { type Address, isAddress } from '@solana/kit';

const SHOWN_LENGTH = 80;
const BASE58 = { minLength: 32, maxLength: 44, pattern: '^[1-9A-HJ-NP-Za-km-z]+$' };

/** A required text; `what` tells what to give. */
export const text = (what: string) =>
  z.string({
    error: ({ input }) =>
      input === undefined ? `is missing: give ${what}` : `must be a string: give ${what}`,
  });

/** An address in base58. What it stands for is told by the field's own description. */
export const address = (description: string) =>
  text('an address')
    .refine(isAddress, {
      error: ({ input }) =>
        `"${String(input).slice(0, SHOWN_LENGTH)}" is not an address: give the base58 form of exactly 32 bytes`,
    })
    .transform((value) => value as Address)
    .openapi({ type: 'string', ...BASE58, description });

/** An address in an answer. */
export const addressOut = (description: string) => z.string().openapi({ ...BASE58, description });
