import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import { toTokens, valueUsd } from '../domain/arithmetic.ts';
import { inSol } from '../domain/price.ts';
import { integer, type Rational } from '../numeric/rational.ts';
import { Valuation } from './valuation.ts';

/** An amount of a token with its value: the one way in which amounts leave the services. */
export interface TokenAmount {
  readonly mint: Address;
  readonly baseUnits: Rational;
  /** Whole tokens. */
  readonly amount: Rational;
  /** Null when no price is known, as is `sol`. */
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

/** What an amount is measured in. */
export interface Denomination {
  readonly mint: Address;
  readonly decimals: bigint | number;
  /** Null when unknown. */
  readonly priceUsd: Rational | null;
}

export function tokenAmount(view: View, of: Denomination, baseUnits: Rational | bigint): TokenAmount {
  const exact = typeof baseUnits === 'bigint' ? integer(baseUnits) : baseUnits;
  return new ValuedAmount(view, of, exact);
}

/** Works out each of its values when that is first asked for: few readers want all of them. */
class ValuedAmount implements TokenAmount {
  readonly baseUnits: Rational;
  readonly #view: View;
  readonly #of: Denomination;
  #amount: Rational | undefined;
  #usd: Rational | null | undefined;
  #sol: Rational | null | undefined;

  constructor(view: View, of: Denomination, baseUnits: Rational) {
    this.#view = view;
    this.#of = of;
    this.baseUnits = baseUnits;
  }

  get mint(): Address {
    return this.#of.mint;
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

/** Amounts of a mint at the price that the View has for it. */
export function denominationOf(view: View, mint: Address, decimals: bigint | number): Denomination {
  return { mint, decimals, priceUsd: Valuation.of(view).tokenPrice(mint)?.usd ?? null };
}
