import { lesser } from '@sluice/protocol/numeric/integer';
import {
  collateralToLiquidity,
  collateralToLiquidityUp,
  exchangeRateOf,
  liquidityToCollateralUp,
} from '../klend/exchange-rate.ts';
import { floorSf, subSf, unsigned64, wholeSf } from '../klend/fraction.ts';
import type { ReserveState } from '../klend/reserve-state.ts';
import { chargeFees } from './fees.ts';
import type { Holdings } from './holdings.ts';
import { allocationOf, type VaultBooks } from './vault-books.ts';

/** Base units. */
export interface FeeAmounts {
  /** Idle tokens for the admin. */
  readonly available: bigint;
  /** Redeemed in the reserve. */
  readonly ctokens: bigint;
  readonly liquidity: bigint;
  /** Part of that for the admin: a rounding unit stays in the vault. */
  readonly liquidityForAdmin: bigint;
}

/** Charges fees and books their payment. */
export function bookFees(
  books: VaultBooks,
  holdings: Holdings,
  reserve: ReserveState,
  timestamp: bigint,
): FeeAmounts {
  chargeFees(books, holdings.totalInvestedSf, timestamp);
  const feesSf = books.pendingFeesSf;
  const availableSf = lesser(wholeSf(holdings.available), feesSf);
  const available = floorSf(availableSf);
  const investedSf = holdings.investedSf.get(reserve.address) ?? 0n;
  const owed = floorSf(lesser(investedSf, subSf(feesSf, availableSf)));
  const rate = exchangeRateOf(reserve);
  const ctokens = liquidityToCollateralUp(rate, owed);
  const liquidity = collateralToLiquidity(rate, ctokens);
  const loss = collateralToLiquidityUp(rate, ctokens) - liquidity;
  const liquidityForAdmin = unsigned64(owed - loss);
  const allocation = allocationOf(books, reserve.address);
  books.tokenAvailable = unsigned64(books.tokenAvailable - available);
  books.tokenAvailable = unsigned64(books.tokenAvailable + unsigned64(liquidity - liquidityForAdmin));
  allocation.ctokens = unsigned64(allocation.ctokens - ctokens);
  books.pendingFeesSf = subSf(subSf(feesSf, wholeSf(available)), wholeSf(owed));
  return { available, ctokens, liquidity, liquidityForAdmin };
}
