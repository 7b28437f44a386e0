import { z } from '@hono/zod-openapi';
import { toDecimalString } from '../../numeric/decimal.ts';
import type { Rational } from '../../numeric/rational.ts';

/** A number as a text in plain notation; `description` tells its unit. */
export const decimalOut = (description: string) =>
  z.string().openapi({ pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$', description });

/** A whole number as a text, for what may not fit a JSON number. */
export const integerOut = (description: string) =>
  z.string().openapi({ pattern: '^(0|[1-9][0-9]*)$', description });

/** As the graph writes it; what is unknown, null there, is "0" here, since the specification allows no null. */
export function decimal(value: Rational | null | undefined): string {
  return value ? toDecimalString(value) : '0';
}
