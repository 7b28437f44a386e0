import { lesser } from '@sluice/protocol/numeric/integer';
import { ensure } from '../anchor.ts';
import { collateralToLiquiditySf, exchangeRateOf, liquidityToCollateralSf } from '../klend/exchange-rate.ts';
import { ceilSf, floorSf, ONE_SF, subSf, unsigned64, wholeSf } from '../klend/fraction.ts';
import type { ReserveState } from '../klend/reserve-state.ts';
import type { Clock } from '../program.ts';
import { chargeFees } from './fees.ts';
import { refreshTargets } from './target-allocations.ts';
import { allocationOf } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';
import type { BookedVault } from './withdrawal-amounts.ts';

/** Base units. */
export interface InvestmentAmounts {
  readonly direction: 'into reserve' | 'out of reserve';
  readonly liquidity: bigint;
  readonly ctokens: bigint;
  /** Loss of the vault by rounding, which the payer must replace; 0 when the crank funds cover it. */
  readonly roundingLoss: bigint;
}

/**
 * Charges fees, works out how far the reserve is from its target and books the difference.
 * @param maxAmount base units to move at most
 * @param mayInvest whether the reserve is on the whitelist; only asked for if the vault has one
 */
export function bookInvestment(
  { books, holdings }: Pick<BookedVault, 'books' | 'holdings'>,
  reserve: ReserveState,
  clock: Clock,
  maxAmount: bigint,
  mayInvest: () => boolean,
): InvestmentAmounts {
  const { settings } = books;
  const { investedSf, totalInvestedSf } = holdings;
  ensure(maxAmount > 0n, VAULT_CODES.maxInvestAmountMustBeGreaterThanZero);
  chargeFees(books, totalInvestedSf, clock.unixTimestamp);
  refreshTargets(books, holdings);
  const allocation = allocationOf(books, reserve.address);
  const due = unsigned64(allocation.lastInvestSlot + settings.minInvestDelaySlots);
  ensure(clock.slot >= due, VAULT_CODES.investTooSoon);
  const heldSf = investedSf.get(reserve.address) ?? 0n;
  const adds = heldSf <= allocation.targetSf;
  const missingSf = adds
    ? lesser(subSf(allocation.targetSf, heldSf), wholeSf(books.tokenAvailable))
    : subSf(heldSf, allocation.targetSf);
  const isLimited = missingSf > wholeSf(maxAmount);
  const wantedSf = isLimited ? wholeSf(maxAmount) : missingSf;
  const leaves = allocation.weight === 0n && !isLimited && !adds;
  const whitelistOnly = settings.allowInvestInWhitelistedReservesOnly === 1;
  ensure(!adds || !whitelistOnly || mayInvest(), VAULT_CODES.reserveNotWhitelisted);
  const isWorthwhile = leaves || wantedSf > wholeSf(settings.minInvestAmount);
  ensure(isWorthwhile, VAULT_CODES.investAmountBelowMinimum);

  const rate = exchangeRateOf(reserve);
  const ctokens = leaves ? allocation.ctokens : floorSf(liquidityToCollateralSf(rate, wantedSf));
  const worthSf = collateralToLiquiditySf(rate, ctokens);
  const loss = worthSf % ONE_SF > 0n ? 1n : 0n;
  const liquidity = adds ? ceilSf(worthSf) : floorSf(worthSf);
  if (adds) {
    books.tokenAvailable = unsigned64(books.tokenAvailable - (liquidity - loss));
    allocation.ctokens = unsigned64(allocation.ctokens + ctokens);
  } else {
    books.tokenAvailable = unsigned64(books.tokenAvailable + liquidity + loss);
    allocation.ctokens = unsigned64(allocation.ctokens - ctokens);
  }
  // A limited call could be repeated at once, so it neither uses the vault's crank funds nor starts the delay again.
  const covered = !isLimited && books.availableCrankFunds >= loss;
  if (covered) books.availableCrankFunds -= loss;
  if (!isLimited) allocation.lastInvestSlot = clock.slot;
  return {
    direction: adds ? 'into reserve' : 'out of reserve',
    liquidity,
    ctokens,
    roundingLoss: covered ? 0n : loss,
  };
}
