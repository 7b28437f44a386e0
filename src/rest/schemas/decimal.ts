import { z } from '@hono/zod-openapi';
import { toDecimalString } from '../../numeric/decimal.ts';
import type { Rational } from '../../numeric/rational.ts';

/** A decimal number as a string in plain notation. `description` names its unit. */
export const decimalOut = (description: string) =>
  z.string().openapi({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', description });

/** An integer as a string, because it may exceed the range of a JSON number. */
export const integerOut = (description: string) =>
  z.string().openapi({ pattern: '^(0|[1-9][0-9]*)$', description });

/** Formats a number as in GraphQL. An unknown value, null in GraphQL, is "0", because the REST contract has no null. */
export function decimal(value: Rational | null | undefined): string {
  return value ? toDecimalString(value) : '0';
}
