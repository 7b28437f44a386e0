import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { total } from '../../domain/arithmetic.ts';
import { readCollateralUse, type CollateralUse as Scan } from '../../store/history/collateral-use.ts';
import type { CollateralReserve } from '../markets/collateral-reserves.ts';
import { byAddress, factPerView } from '../platform/fact-per-view.ts';
import type { Platform } from '../platform/platform.ts';
import type { MarketRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';

/** Use of a collateral at the hourly scan, in USD at its prices. */
export interface CollateralUse {
  /** Null when an obligation had an unknown price; so is `debtUsd`. */
  readonly collateralUsd: Rational | null;
  readonly debtUsd: Rational | null;
  readonly scannedAt: Date;
}

const loaderOf = factPerView<MarketRecord, Scan | null>({
  what: 'The use of collateral',
  keyOf: byAddress,
  async read(db, _view, markets) {
    const scans = await readCollateralUse(
      db,
      markets.map(({ address }) => address),
    );
    return markets.map(({ address }) => scans.get(address) ?? null);
  },
});

/**
 * The deposits in the reserve of the collateral that back debts to the reserves of its terms, and those debts, of all
 * obligations. Null before the first scan. Batches the markets of one tick into one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function collateralUse(
  platform: Platform,
  session: Session,
  { market, collateral, terms }: CollateralReserve,
): Promise<CollateralUse | null> {
  const scan = await loaderOf(platform, session).load(market);
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
