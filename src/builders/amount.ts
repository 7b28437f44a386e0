import { SluiceError } from '../errors/sluice-error.ts';
import { parseDecimal, placePoint } from '../numeric/decimal.ts';
import { U64_MAX } from '../numeric/fraction.ts';
import { Rational } from '../numeric/rational.ts';

/** What a caller may give: whole tokens as a decimal, base units, or everything. */
export type AmountInput =
  | { readonly tokens: string }
  | { readonly baseUnits: bigint }
  | { readonly all: true };

/** Base units, from 1 to the greatest u64 less one; or everything, whatever that is for the action. */
export type Amount = bigint | 'all';

export interface AmountRules {
  /** Of the mint that the amount is counted in. */
  readonly decimals: number;
  /** Whether the greatest u64, which the programs read as "all", may be given as a number. */
  readonly maxMeansAll: boolean;
}

/** Both ways in which callers write the greatest u64. They are recognised before scaling: no token has that many. */
const MAX_SPELLINGS: readonly string[] = ['U64::MAX', U64_MAX.toString()];

/** Reads an amount exactly; refuses what is not positive, too fine for the mint, or beyond u64. */
export function readAmount(input: AmountInput, rules: AmountRules): Amount {
  if ('all' in input) return 'all';
  return 'baseUnits' in input ? checked(input.baseUnits, rules) : parseAmount(input.tokens, rules);
}

/** Reads a decimal amount of whole tokens, exactly. */
export function parseAmount(text: string, rules: AmountRules): Amount {
  const trimmed = text.trim();
  if (MAX_SPELLINGS.includes(trimmed)) return maximum(trimmed, rules);
  const tokens = parseDecimal(trimmed);
  if (tokens.n <= 0n) throw new SluiceError('AMOUNT_NOT_POSITIVE', { amount: trimmed });
  const scaled = Rational.of(tokens.n * 10n ** BigInt(rules.decimals), tokens.d).reduced();
  if (scaled.d !== 1n) {
    throw new SluiceError('AMOUNT_TOO_MANY_DECIMALS', { amount: trimmed, decimals: rules.decimals });
  }
  return checked(scaled.n, rules);
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
