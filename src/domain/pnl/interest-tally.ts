import { Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../arithmetic.ts';
import { type Denominated, plus, valueAt } from './denominated.ts';
import { Tally } from './tally.ts';
import type { VaultMarket } from './vault-pnl.ts';

/**
 * Accumulates the interest of shares while they are held. Each gain is valued at the prices of its accrual; while a price
 * is unknown, gains stay pending until the first known one.
 */
export class InterestTally {
  readonly #market: VaultMarket;
  readonly #token = new Tally();
  readonly #usd = new Tally();
  readonly #sol = new Tally();
  /** Gains in tokens that have no USD value yet. */
  #pendingUsd = ZERO;
  #pendingSol = ZERO;
  #tokensPerShare: Rational | null = null;

  constructor(market: VaultMarket) {
    this.#market = market;
  }

  /** Adds the gains of `shares` (base units) since the last accrual, at the prices of `time` (unix seconds). */
  accrue(time: number, shares: bigint): void {
    const { gained, usd, sol } = this.#since(time, shares);
    this.#tokensPerShare = this.#market.tokensPerShare(time);
    this.#token.add(gained);
    this.#pendingUsd = usd === null ? this.#pendingUsd.add(gained) : ZERO;
    this.#pendingSol = sol === null ? this.#pendingSol.add(gained) : ZERO;
    if (usd !== null) this.#usd.add(usd);
    if (sol !== null) this.#sol.add(sol);
  }

  /** All gains up to `time`; null in a denomination with pending gains. */
  at(time: number, shares: bigint): Denominated {
    const { gained, usd, sol } = this.#since(time, shares);
    const accrued = { usd: this.#usd.value(), sol: this.#sol.value(), token: this.#token.value() };
    return plus(accrued, { usd, sol, token: gained });
  }

  /** Tokens gained since the last accrual, and their value together with the pending gains. */
  #since(time: number, shares: bigint) {
    const now = this.#market.tokensPerShare(time);
    const growth = now.sub(this.#tokensPerShare ?? now);
    const gained = toTokens(growth.mul(Rational.of(shares)), this.#market.decimals);
    const [unvaluedUsd, unvaluedSol] = [this.#pendingUsd.add(gained), this.#pendingSol.add(gained)];
    // Zero needs no price.
    const usd = unvaluedUsd.isZero ? ZERO : valueAt(unvaluedUsd, this.#market, time).usd;
    const sol = unvaluedSol.isZero ? ZERO : valueAt(unvaluedSol, this.#market, time).sol;
    return { gained, usd, sol };
  }
}
