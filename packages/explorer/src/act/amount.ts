import { Decimal } from '@sluice/client';

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
