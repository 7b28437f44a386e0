import { z } from '@hono/zod-openapi';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { UNKNOWN_DECIMAL, UNKNOWN_NUMBER, type Unknown } from '../operation/unknown-values.ts';

/** A decimal number as a string in plain notation. `description` names its unit. */
export const decimalOut = (description: string) =>
  z.string().openapi({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', description });

/** An integer as a string, because it may exceed the range of a JSON number. */
export const integerOut = (description: string) =>
  z.string().openapi({ pattern: '^(0|[1-9][0-9]*)$', description });

/** Formats a number as in GraphQL. Null in GraphQL is an unknown number here, which JSON shows as "0". */
export function decimal(value: Rational): string;
export function decimal(value: Rational | null | undefined): string | Unknown<'0'>;
export function decimal(value: Rational | null | undefined): string | Unknown<'0'> {
  return value ? toDecimalString(value) : UNKNOWN_DECIMAL;
}

/** The double nearest to the GraphQL decimal, for fields that the contract writes as JSON numbers. */
export function double(value: Rational): number;
export function double(value: Rational | null | undefined): number | Unknown<0>;
export function double(value: Rational | null | undefined): number | Unknown<0> {
  return value ? Number(toDecimalString(value)) : UNKNOWN_NUMBER;
}

const HUNDRED = integer(100n);

/** A fraction as a percentage. */
export const percent = (fraction: Rational | null): string | Unknown<'0'> => decimal(fraction?.mul(HUNDRED));
