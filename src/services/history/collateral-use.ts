import { total } from '../../domain/arithmetic.ts';
import { roundToPublished } from '../../numeric/decimal.ts';
import type { Rational } from '../../numeric/rational.ts';
import { readCollateralUse, type CollateralUse as Scan } from '../../store/history/collateral-use.ts';
import type { CollateralReserve } from '../collateral-reserves.ts';
import type { Platform } from '../platform.ts';
import type { MarketRecord, Session } from '../records.ts';
import { byAddress, factPerView } from './per-view.ts';

/** How a collateral was used at the hourly scan, in USD at its prices. */
export interface CollateralUse {
  /** Null when an obligation had an unknown price; so is `debtUsd`. */
  readonly collateralUsd: Rational | null;
  readonly debtUsd: Rational | null;
  readonly scannedAt: Date;
}

const loaderOf = factPerView<MarketRecord, Scan | null>(byAddress, async (platform, _view, markets) => {
  const db = platform.history.database('The use of collateral');
  const scans = await readCollateralUse(
    db,
    markets.map(({ address }) => address),
  );
  return markets.map(({ address }) => scans.get(address) ?? null);
});

/**
 * The deposits in the reserve of the collateral that back debts to the reserves of its terms, and those debts, of all
 * obligations. Null before the first scan. Batches the markets of one tick into one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function collateralUse(
  platform: Platform,
  { view }: Pick<Session, 'view'>,
  { market, collateral, terms }: CollateralReserve,
): Promise<CollateralUse | null> {
  const scan = await loaderOf(platform, view).load(market);
  if (scan === null) return null;
  const debts = new Set(terms.map(({ debt }) => debt.address));
  const pairs = scan.pairs.filter(
    ({ depositReserve, borrowReserve }) => depositReserve === collateral.address && debts.has(borrowReserve),
  );
  return {
    collateralUsd: sumKnown(pairs.map(({ collateralUsd }) => collateralUsd)),
    debtUsd: sumKnown(pairs.map(({ debtUsd }) => debtUsd)),
    scannedAt: scan.sampledAt,
  };
}

function sumKnown(values: readonly (Rational | null)[]): Rational | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? roundToPublished(total(known)) : null;
}
