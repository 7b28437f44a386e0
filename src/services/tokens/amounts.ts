import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { toTokens, valueUsd } from '../../domain/arithmetic.ts';
import { inSol } from '../../domain/price.ts';
import { Valuation } from './valuation.ts';

/** An amount of a token with its value. All amounts that the services return have this type. */
export interface TokenAmount {
  readonly mint: Address;
  readonly decimals: number;
  /** Exact; it has a fraction where interest has accrued less than one unit. */
  readonly baseUnits: Rational;
  /** `baseUnits` as an integer, rounded as the programs do. */
  readonly wholeUnits: bigint;
  /** Whole tokens. */
  readonly amount: Rational;
  /** Null when no price is known; so is `sol`. */
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

/** The token of an amount, and its price. */
export interface Denomination {
  readonly mint: Address;
  readonly decimals: bigint | number;
  /** Null when unknown. */
  readonly priceUsd: Rational | null;
}

/** The programs round a debt up and everything that they pay out down. */
export type Rounding = 'down' | 'up';

export function tokenAmount(
  view: View,
  of: Denomination,
  baseUnits: Rational | bigint,
  rounding: Rounding = 'down',
): TokenAmount {
  const exact = typeof baseUnits === 'bigint' ? integer(baseUnits) : baseUnits;
  return new ValuedAmount(view, of, exact, rounding);
}

/** An amount whose value is known already, for example at the prices of a past moment. */
export function valuedAmount(
  { mint, decimals }: Pick<Denomination, 'mint' | 'decimals'>,
  baseUnits: Rational,
  { usd, sol }: Pick<TokenAmount, 'usd' | 'sol'>,
  rounding: Rounding = 'down',
): TokenAmount {
  return {
    mint,
    decimals: Number(decimals),
    baseUnits,
    wholeUnits: rounded(baseUnits, rounding),
    amount: toTokens(baseUnits, decimals),
    usd,
    sol,
  };
}

/** An amount at given prices, for example supposed ones. */
export function amountAt(
  of: Denomination,
  baseUnits: Rational,
  solPriceUsd: Rational | null,
  rounding: Rounding,
): TokenAmount {
  const usd = of.priceUsd === null ? null : valueUsd(baseUnits, of.decimals, of.priceUsd);
  return valuedAmount(of, baseUnits, { usd, sol: inSol(usd, solPriceUsd) }, rounding);
}

function rounded(baseUnits: Rational, rounding: Rounding): bigint {
  return rounding === 'up' ? baseUnits.ceil() : baseUnits.floor();
}

/** Computes each value on first access: few callers need all of them. */
class ValuedAmount implements TokenAmount {
  readonly baseUnits: Rational;
  readonly #view: View;
  readonly #of: Denomination;
  readonly #rounding: Rounding;
  #amount: Rational | undefined;
  #usd: Rational | null | undefined;
  #sol: Rational | null | undefined;

  constructor(view: View, of: Denomination, baseUnits: Rational, rounding: Rounding) {
    this.#view = view;
    this.#of = of;
    this.#rounding = rounding;
    this.baseUnits = baseUnits;
  }

  get mint(): Address {
    return this.#of.mint;
  }

  get decimals(): number {
    return Number(this.#of.decimals);
  }

  get wholeUnits(): bigint {
    return rounded(this.baseUnits, this.#rounding);
  }

  get amount(): Rational {
    this.#amount ??= toTokens(this.baseUnits, this.#of.decimals);
    return this.#amount;
  }

  get usd(): Rational | null {
    if (this.#usd === undefined) {
      const { decimals, priceUsd } = this.#of;
      this.#usd = priceUsd === null ? null : valueUsd(this.baseUnits, decimals, priceUsd);
    }
    return this.#usd;
  }

  get sol(): Rational | null {
    if (this.#sol === undefined) this.#sol = inSol(this.usd, Valuation.of(this.#view).solPriceUsd);
    return this.#sol;
  }
}

/** Denomination in a mint at its price in the View. */
export function denominationOf(view: View, mint: Address, decimals: bigint | number): Denomination {
  return { mint, decimals, priceUsd: Valuation.of(view).tokenPrice(mint)?.usd ?? null };
}
