import { z } from '@hono/zod-openapi';
import { type Address, isAddress } from '@solana/kit';

const SHOWN_LENGTH = 80;
const BASE58 = { minLength: 32, maxLength: 44, pattern: '^[1-9A-HJ-NP-Za-km-z]+$' };

/** A required string. `what` names the expected value in error messages. */
export const text = (what: string) =>
  z.string({
    error: ({ input }) =>
      input === undefined ? `is required: pass ${what}` : `must be a string: pass ${what}`,
  });

/** A required address in base58. */
export const address = (description: string) =>
  text('an address')
    .refine(isAddress, {
      error: ({ input }) =>
        `"${String(input).slice(0, SHOWN_LENGTH)}" is not a Solana address: pass 32 bytes in base58`,
    })
    .transform((value) => value as Address)
    .openapi({ type: 'string', ...BASE58, description });

/** An address in an answer. */
export const addressOut = (description: string) => z.string().openapi({ ...BASE58, description });
