import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';

/** Generous limits that no number of the contract exceeds. Deployments may write small ones with an exponent. */
const DECIMAL = /^-?\d{1,80}(?:\.\d{1,200})?(?:[eE][+-]?\d{1,2})?$/;
const NO_DECIMAL = { error: 'must be a decimal' };

/** An exact number: a string digit by digit, a JSON number by its shortest representation. */
export const exact = z
  .union([z.string().regex(DECIMAL, NO_DECIMAL), z.number()], NO_DECIMAL)
  .transform((given) => exactNumber(given));

/** The same, as decimal text. */
export const decimalText = exact.transform(toDecimalString);

/** A JSON number or a decimal string, as a double. */
export const plainNumber = exact.transform((value) => value.toNumber());

export const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), {
  error: 'must be an address',
});

/** Rejects characters that PostgreSQL cannot store in a text. */
export const shortText = z
  .string()
  .max(200)
  .refine((value) => !/[\0\p{Cs}]/u.test(value), { error: 'must be well-formed text' });

/** ISO 8601 or epoch milliseconds. */
export const instant = z
  .union([z.iso.datetime({ offset: true }), z.int().min(0).max(Date.UTC(9999, 0))], {
    error: 'must be an instant: ISO 8601 or epoch milliseconds',
  })
  .transform((given) => new Date(given));

/** The value of a decimal, or of a double's shortest decimal representation, with or without an exponent. */
export function exactNumber(value: number | string): Rational {
  const [digits = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const power = 10n ** BigInt(Math.abs(Number(exponent)));
  const { n, d } = parseDecimal(digits);
  return Number(exponent) < 0 ? Rational.of(n, d * power) : Rational.of(n * power, d);
}
