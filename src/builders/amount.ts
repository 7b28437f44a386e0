import { placePoint, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { SluiceError } from '../errors/sluice-error.ts';

/** A requested amount, as the API parsed it: whole tokens, base units, or everything. */
export type AmountInput =
  | { readonly tokens: Rational }
  | { readonly baseUnits: bigint }
  | { readonly all: true };

/** Base units from 1 to 2^64 - 2, or everything, whose meaning depends on the action. */
export type Amount = bigint | 'all';

export interface AmountRules {
  /** Decimals of the mint that the amount is counted in. */
  readonly decimals: number;
  /** Whether 2^64 - 1, which the programs read as "all", means "all" here too. It is rejected otherwise. */
  readonly maxMeansAll: boolean;
}

/** Converts an amount to base units, exactly. @throws SluiceError when it is not positive, too fine for the mint or beyond u64 */
export function toBaseUnits(amount: AmountInput, rules: AmountRules): Amount {
  if ('all' in amount) return 'all';
  return 'baseUnits' in amount
    ? checked(amount.baseUnits, rules)
    : fromTokens(amount.tokens.reduced(), rules);
}

function fromTokens(tokens: Rational, rules: AmountRules): Amount {
  const amount = toDecimalString(tokens);
  // Callers write 2^64 - 1 for "all" without scaling it to the mint. No mint has that many whole tokens.
  if (tokens.n === U64_MAX && tokens.d === 1n) return maximum(amount, rules);
  if (tokens.n <= 0n) throw new SluiceError('AMOUNT_NOT_POSITIVE', { amount });
  const { n, d } = Rational.of(tokens.n * 10n ** BigInt(rules.decimals), tokens.d).reduced();
  if (d !== 1n) throw new SluiceError('AMOUNT_TOO_MANY_DECIMALS', { amount, decimals: rules.decimals });
  return checked(n, rules);
}

function checked(baseUnits: bigint, rules: AmountRules): Amount {
  const amount = placePoint(baseUnits, rules.decimals);
  if (baseUnits <= 0n) throw new SluiceError('AMOUNT_NOT_POSITIVE', { amount });
  if (baseUnits > U64_MAX) {
    throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', { amount, decimals: rules.decimals });
  }
  return baseUnits === U64_MAX ? maximum(amount, rules) : baseUnits;
}

function maximum(amount: string, { decimals, maxMeansAll }: AmountRules): 'all' {
  if (!maxMeansAll) throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', { amount, decimals });
  return 'all';
}
