import { Rational, ZERO } from '../../numeric/rational.ts';
import { toTokens } from '../arithmetic.ts';
import { type Denominated, plus, valueAt } from './denominated.ts';
import { Tally } from './tally.ts';
import type { VaultMarket } from './vault-pnl.ts';

/**
 * What shares gain while they are held. Each gain is valued when it is reckoned; while a price is unknown, gains wait for
 * the first one that is known.
 */
export class InterestTally {
  readonly #market: VaultMarket;
  readonly #token = new Tally();
  readonly #usd = new Tally();
  readonly #sol = new Tally();
  #waitingUsd = ZERO;
  #waitingSol = ZERO;
  #tokensPerShare: Rational | null = null;

  constructor(market: VaultMarket) {
    this.#market = market;
  }

  /** Adds what shares (base units) gained since the last reckoning, at the prices of a moment (unix seconds). */
  reckon(time: number, shares: bigint): void {
    const { gained, usd, sol } = this.#since(time, shares);
    this.#tokensPerShare = this.#market.tokensPerShare(time);
    this.#token.add(gained);
    this.#waitingUsd = usd === null ? this.#waitingUsd.add(gained) : ZERO;
    this.#waitingSol = sol === null ? this.#waitingSol.add(gained) : ZERO;
    if (usd !== null) this.#usd.add(usd);
    if (sol !== null) this.#sol.add(sol);
  }

  /** All gains up to a moment; null in a denomination in which a gain has not been valued yet. */
  at(time: number, shares: bigint): Denominated {
    const { gained, usd, sol } = this.#since(time, shares);
    const reckoned = { usd: this.#usd.value(), sol: this.#sol.value(), token: this.#token.value() };
    return plus(reckoned, { usd, sol, token: gained });
  }

  /** What came since the last reckoning, and its value with everything that waited for a price. */
  #since(time: number, shares: bigint) {
    const now = this.#market.tokensPerShare(time);
    const growth = now.sub(this.#tokensPerShare ?? now);
    const gained = toTokens(growth.mul(Rational.of(shares)), this.#market.decimals);
    const [waitedUsd, waitedSol] = [this.#waitingUsd.add(gained), this.#waitingSol.add(gained)];
    // Nothing is worth nothing, whatever the prices are.
    const usd = waitedUsd.isZero ? ZERO : valueAt(waitedUsd, this.#market, time).usd;
    const sol = waitedSol.isZero ? ZERO : valueAt(waitedSol, this.#market, time).sol;
    return { gained, usd, sol };
  }
}
