import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { OraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import type { Held, View } from '../../chain/view/view.ts';
import type { Catalogue } from '../../config/catalogue/catalogue.ts';
import { EMPTY_CATALOGUE } from '../../config/catalogue/empty-catalogue.ts';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import { NO_TERMS } from '../../domain/interest.ts';
import type { PricedReserve } from '../../domain/obligation.ts';
import { effectivePrice, type PriceUsd, passesAll, scopeRateIn, storedPrice } from '../../domain/price.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { type VaultHoldings, vaultHoldings } from '../../domain/vault.ts';
import { viewCache } from '../request/per-view.ts';

/** Stands in for a market that cannot be read: almost all markets refresh prices on every action. */
const ALWAYS_REFRESHED = { priceRefreshTriggerToMaxAgePct: 0 };

function isBetter(price: PriceUsd, best: PriceUsd): boolean {
  const [passes, bestPasses] = [passesAll(price), passesAll(best)];
  return passes === bestPasses ? price.asOf > best.asOf : passes;
}

/**
 * Values of everything in a View at its slot. Computed on first use and cached with the View, so a reserve is accrued
 * once for all vaults and obligations that use it.
 */
export class Valuation {
  readonly #view: View;
  readonly #accrued = new Map<Held<Reserve>, AccruedReserve>();
  readonly #holdings = new Map<Held<VaultState>, VaultHoldings | null>();
  readonly #prices = new Map<Address, PriceUsd | null>();
  readonly #reservePrices = new Map<Reserve, PriceUsd | null>();

  /** The off-chain facts when the View was first used. */
  readonly catalogue: Catalogue;

  private constructor(view: View, catalogue: Catalogue) {
    this.#view = view;
    this.catalogue = catalogue;
  }

  static readonly #ofView = viewCache<Valuation>();

  /** The valuation of a View. The first call fixes its catalogue. */
  static of(view: View, catalogue: Catalogue = EMPTY_CATALOGUE): Valuation {
    const known = Valuation.#ofView.get(view);
    if (known !== undefined) return known;
    const valuation = new Valuation(view, catalogue);
    Valuation.#ofView.set(view, valuation);
    return valuation;
  }

  /** The reserve as the program would refresh it at the View's moment. */
  accrued(reserve: Held<Reserve>): AccruedReserve {
    const known = this.#accrued.get(reserve);
    if (known !== undefined) return known;
    const market = this.#view.get('market', reserve.value.lendingMarket);
    const accrued = refreshReserve(reserve.value, this.#view.moment, market?.value ?? NO_TERMS);
    this.#accrued.set(reserve, accrued);
    return accrued;
  }

  /** The price that a refresh of the reserve at the View's moment would store. Null when there is none. */
  priceOf(reserve: Reserve): PriceUsd | null {
    const known = this.#reservePrices.get(reserve);
    if (known !== undefined) return known;
    const value = this.#effectivePrice(reserve);
    this.#reservePrices.set(reserve, value);
    return value;
  }

  #effectivePrice(reserve: Reserve): PriceUsd | null {
    const { timestamp } = this.#view.moment;
    const market = this.#view.get('market', reserve.lendingMarket)?.value ?? ALWAYS_REFRESHED;
    return effectivePrice(reserve, market, this.#oracleOf(reserve), timestamp);
  }

  #oracleOf({ config }: Reserve): OraclePrices | undefined {
    return this.#view.get('oracle', config.tokenInfo.scopeConfiguration.priceFeed)?.value;
  }

  /** The price that the lending program last stored in a reserve. Null when it stores none. */
  storedPriceOf(reserve: Reserve): PriceUsd | null {
    return storedPrice(reserve, this.#view.moment.timestamp);
  }

  /**
   * A token's price: the most recent of its reserves' prices, preferring those that pass all checks. Null when no reserve has
   * one.
   */
  tokenPrice(mint: Address): PriceUsd | null {
    const known = this.#prices.get(mint);
    if (known !== undefined) return known;
    let best: PriceUsd | null = null;
    for (const reserve of this.#view.reservesOfMint(mint)) {
      const price = this.priceOf(reserve.value);
      if (price !== null && (best === null || isBetter(price, best))) best = price;
    }
    this.#prices.set(mint, best);
    return best;
  }

  get solPriceUsd(): Rational | null {
    return this.tokenPrice(WRAPPED_SOL_MINT)?.usd ?? null;
  }

  /** SOL per liquid-staking token by its stake rate; null for any other token. */
  stakeRateSol(mint: Address): Rational | null {
    const [sol] = this.#view.reservesOfMint(WRAPPED_SOL_MINT);
    if (sol === undefined) return null;
    for (const { value } of this.#view.reservesOfMint(mint)) {
      const oracle = this.#oracleOf(value);
      const rate = oracle && scopeRateIn(value, sol.value, oracle);
      if (rate) return rate;
    }
    return null;
  }

  /** A vault's holdings; null when a reserve with invested tokens could not be read. */
  holdings(vault: Held<VaultState>): VaultHoldings | null {
    const known = this.#holdings.get(vault);
    if (known !== undefined) return known;
    const value = vaultHoldings(vault.value, (address) => this.priced(address)?.accrued);
    this.#holdings.set(vault, value);
    return value;
  }

  /** A reserve of the View with its price. */
  priced(address: Address): PricedReserve | undefined {
    const reserve = this.#view.get('reserve', address);
    if (reserve === undefined) return undefined;
    return { accrued: this.accrued(reserve), priceUsd: this.priceOf(reserve.value)?.usd ?? null };
  }
}
