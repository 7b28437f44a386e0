import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../arithmetic.ts';
import { type Denominated, plus, valueAt } from './denominated.ts';
import { Tally } from './tally.ts';
import type { VaultMarket } from './vault-pnl.ts';

/** Units of a position that stand for more and more tokens: shares, collateral tokens, or a debt without its interest. */
export interface UnitMarket {
  readonly decimals: number;
  /** Base units of the token per unit; null when unknown. Times are unix seconds. */
  tokensPerUnit(time: number): Rational | null;
  /** The value of whole tokens. */
  valueAt(tokens: Rational, time: number): Denominated;
}

export const sharesMarket = (market: VaultMarket): UnitMarket => ({
  decimals: market.decimals,
  tokensPerUnit: (time) => market.tokensPerShare(time),
  valueAt: (tokens, time) => valueAt(tokens, market, time),
});

/**
 * Accumulates the interest of units while they are held. Each gain is valued at the prices of its accrual; while a price
 * is unknown, gains stay pending until the first known one.
 */
export class InterestTally {
  readonly #market: UnitMarket;
  readonly #token = new Tally();
  readonly #usd = new Tally();
  readonly #sol = new Tally();
  /** Gains in tokens that have no USD value yet. */
  #pendingUsd = ZERO;
  #pendingSol = ZERO;
  #tokensPerUnit: Rational | null = null;

  constructor(market: UnitMarket) {
    this.#market = market;
  }

  /**
   * Adds the gains of `units` since the last accrual, at the prices of `time` (unix seconds). While the rate is unknown they
   * stay part of the next accrual. Returns what was added.
   */
  accrue(time: number, units: Rational): Denominated {
    const { gained, usd, sol } = this.#since(time, units);
    this.#tokensPerUnit = this.#market.tokensPerUnit(time) ?? this.#tokensPerUnit;
    this.#token.add(gained);
    this.#pendingUsd = usd === null ? this.#pendingUsd.add(gained) : ZERO;
    this.#pendingSol = sol === null ? this.#pendingSol.add(gained) : ZERO;
    if (usd !== null) this.#usd.add(usd);
    if (sol !== null) this.#sol.add(sol);
    return { usd: usd ?? ZERO, sol: sol ?? ZERO, token: gained };
  }

  /** All gains up to `time`; null in a denomination with pending gains. */
  at(time: number, units: Rational): Denominated {
    const accrued = { usd: this.#usd.value(), sol: this.#sol.value(), token: this.#token.value() };
    return plus(accrued, this.pending(time, units));
  }

  /** The gains since the last accrual, and earlier ones that have no value yet. */
  pending(time: number, units: Rational): Denominated {
    const { gained, usd, sol } = this.#since(time, units);
    return { usd, sol, token: gained };
  }

  /** Tokens gained since the last accrual, and their value together with the pending gains. */
  #since(time: number, units: Rational) {
    const before = this.#tokensPerUnit;
    const now = this.#market.tokensPerUnit(time);
    const growth = before === null || now === null ? ZERO : now.sub(before);
    const gained = toTokens(growth.mul(units), this.#market.decimals);
    const [unvaluedUsd, unvaluedSol] = [this.#pendingUsd.add(gained), this.#pendingSol.add(gained)];
    // Zero needs no price.
    const usd = unvaluedUsd.isZero ? ZERO : this.#market.valueAt(unvaluedUsd, time).usd;
    const sol = unvaluedSol.isZero ? ZERO : this.#market.valueAt(unvaluedSol, time).sol;
    return { gained, usd, sol };
  }
}
