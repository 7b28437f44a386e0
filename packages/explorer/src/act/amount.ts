import { Decimal } from '@sluice/client';

/** Steps of the slider. */
export const STEPS = 100;

/** Parsed input: an amount, nothing yet, or a mistake to show. */
export type Typed =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly amount: Decimal }
  | { readonly kind: 'mistake'; readonly message: string };

/** Reads an amount. `.5` and `5.` are accepted while typing; signs, exponents and separators are not. */
export function typedAmount(text: string, decimals: number, unit: string): Typed {
  const plain = text.trim().replace(/^\./, '0.').replace(/\.$/, '');
  if (plain === '') return { kind: 'empty' };
  const amount = Decimal.parse(plain);
  if (amount === null || amount.isNegative)
    return { kind: 'mistake', message: 'Write a number with a decimal point, such as 12.5.' };
  if (!amount.truncated(decimals).equals(amount))
    return { kind: 'mistake', message: `${unit} has at most ${decimals} decimal places.` };
  return amount.isZero ? { kind: 'empty' } : { kind: 'amount', amount };
}

/** The amount at a step of the slider, cut to what the token can express. The last step is exactly the maximum. */
export function amountAtStep(step: number, maximum: Decimal, decimals: number): Decimal {
  if (step >= STEPS) return maximum;
  const part = Decimal.fromBaseUnits(BigInt(Math.max(0, Math.round(step))), 2);
  return maximum.times(part).truncated(decimals);
}

/** The step nearest to an amount, for the thumb of the slider. */
export function stepOfAmount(amount: Decimal | null, maximum: Decimal | null): number {
  if (amount === null || maximum === null || maximum.isZero) return 0;
  if (amount.compare(maximum) >= 0) return STEPS;
  const part = amount.toApproximateNumber() / maximum.toApproximateNumber();
  // Only the maximum itself is at the end.
  return Math.min(STEPS - 1, Math.max(0, Math.round(part * STEPS)));
}
