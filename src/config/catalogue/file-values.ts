import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';

/** Values of the operator's files. */

export const address = z
  .string()
  .refine((text) => isAddress(text), 'must be base58 of exactly 32 bytes') as unknown as z.ZodType<Address>;

export const decimal = z.string().transform((text, context): Rational => {
  try {
    const value = parseDecimal(text);
    if (!value.isNegative) return value;
  } catch {
    // Reported below, like a negative number.
  }
  context.addIssue({ code: 'custom', message: 'must be a decimal in plain notation, not negative' });
  return z.NEVER;
});

export const moment = z.iso.datetime().transform((text) => new Date(text));

/** Name of a points source. */
export const source = z.string().min(1).max(100);
