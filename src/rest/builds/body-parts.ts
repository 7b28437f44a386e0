import { z } from '@hono/zod-openapi';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { address, text } from '../values/address.ts';
import { BuildOptionsBody } from './option-schemas.ts';

const LONGEST_AMOUNT = 400;
export const NOT_AN_OBJECT = 'The body must be a JSON object with the documented fields.';

/** A decimal in whole tokens or shares. */
export const amount = (description: string) =>
  text('a decimal such as "12.5"')
    .max(LONGEST_AMOUNT, `is longer than ${LONGEST_AMOUNT} characters`)
    .openapi({ description });

/** Parses the amount of a body. `U64::MAX` is another spelling of 2^64 - 1. @throws SluiceError DECIMAL_INVALID */
export function parseAmount(text: string): Rational {
  const trimmed = text.trim();
  return trimmed === 'U64::MAX' ? Rational.of(U64_MAX) : parseDecimal(trimmed);
}

/** A whole number. */
export const whole = (min: number, max: number, description: string) =>
  z
    .number({ error: `must be a number from ${min} to ${max}` })
    .int('must be a whole number')
    .min(min, min === 0 ? 'must not be negative' : `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .openapi({ type: 'integer', minimum: min, maximum: max, description });

/** Signer of an action. */
export const wallet = address(
  'Wallet of the user, who signs the transaction and, unless there is another fee payer, pays its fee.',
);
export const options = BuildOptionsBody.optional();

/** U64::MAX in the description of an amount. */
export const ALL = 'U64::MAX (18446744073709551615) means all.';
