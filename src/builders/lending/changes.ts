import { userState } from '@sluice/protocol/farms/user-state';
import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import {
  type BorrowOrder,
  MAX_BORROWS,
  MAX_DEPOSITS,
  type ObligationOrder,
  obligation as obligationLayout,
} from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { userMetadata as metadataLayout } from '@sluice/protocol/klend/user-metadata';
import { ceilScaled, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { NO_GROUP } from '../../domain/elevation.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { moveTokens } from '../wallet-changes.ts';
import { type LendingAccounts, priceAtRefresh } from './accounts.ts';
import { refreshedAt } from './effects.ts';
import { changeFarmStake, positionSize, SIDE_OF_ACTION } from './farm-changes.ts';
import type { LendingOutcome } from './preview.ts';
import { lamportsToRepay } from './repay.ts';

/** The accounts after a lending action: its reserve, the obligation, the wallet, and what the set-up creates. */
export function lendingChanges(
  accounts: LendingAccounts,
  built: BuiltAction,
  outcome: LendingOutcome,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, accounts.payer);
  changeLending(changes, accounts, built, outcome, moment);
  return changes.changes;
}

/** Adds the changes of a lending action. */
export function changeLending(
  changes: ChangedAccounts,
  accounts: LendingAccounts,
  built: BuiltAction,
  outcome: LendingOutcome,
  moment: Moment,
): void {
  changePosition(changes, accounts, outcome, moment);
  changeReserve(changes, accounts, outcome, moment);
  moveTokens(changes, walletMove(accounts, built, outcome, moment));
}

/** The obligation after an action, its stake in the farm, the reserve's counters of its debt, and what the set-up creates. */
export function changePosition(
  changes: ChangedAccounts,
  accounts: LendingAccounts,
  outcome: LendingOutcome,
  moment: Moment,
): void {
  const { action, reserve } = accounts.request;
  const { before, effect } = outcome;
  createAccounts(changes, accounts);
  changes.patch(
    reserve,
    reserveLayout,
    uncounted(accounts.reserve, reserve, before.obligation, effect.obligation),
  );
  changeObligation(changes, accounts, outcome, moment);
  const size = positionSize(effect.obligation, reserve, SIDE_OF_ACTION[action]);
  changeFarmStake(changes, accounts, size, moment);
}

/** What the set-up of an action creates. */
export function createAccounts(changes: ChangedAccounts, accounts: LendingAccounts): void {
  const { request, obligation, userMetadata, farm, referrer } = accounts;
  const { klend, farms } = request.programs;
  const { wallet: owner, market: lendingMarket } = request;
  if (referrer !== null) {
    for (const { address } of accounts.referrerStates) {
      changes.create(address, klend, referrerTokenState.encode({ referrer }));
    }
  }
  if (obligation === null) {
    const metadata = userMetadataAddress(klend, owner).address;
    changes.create(metadata, klend, metadataLayout.encode({ owner }));
    const tag = 'key' in request.obligation ? BigInt(request.obligation.key.tag) : 0n;
    const fields = { tag, lendingMarket, owner, referrer: userMetadata?.referrer };
    changes.create(accounts.obligationAddress, klend, obligationLayout.encode(fields));
  }
  if (farm !== null) {
    const fields = { farmState: farm.farm, owner, isFarmDelegated: 1, delegatee: accounts.obligationAddress };
    changes.create(farm.user, farms, userState.encode(fields));
  }
}

/** The reserve of an action after it. */
export function changeReserve(
  changes: ChangedAccounts,
  accounts: LendingAccounts,
  { effect }: LendingOutcome,
  { timestamp }: Moment,
): void {
  const { action, reserve: address } = accounts.request;
  const price = storedPriceOf(accounts, timestamp);
  const { lastUpdate, liquidity, collateral } = effect.reserve;
  const { depositWithdrawalCap, debtWithdrawalCap } = accounts.reserve.config;
  const caps = {
    deposit: { depositWithdrawalCap: flowed(depositWithdrawalCap, -effect.moved, timestamp) },
    withdraw: { depositWithdrawalCap: flowed(depositWithdrawalCap, effect.moved, timestamp) },
    borrow: { debtWithdrawalCap: flowed(debtWithdrawalCap, ceilScaled(effect.debtSf), timestamp) },
    repay: { debtWithdrawalCap: flowed(debtWithdrawalCap, effect.penalty - effect.moved, timestamp) },
  }[action];
  changes.patch(address, reserveLayout, {
    lastUpdate: { slot: lastUpdate.slot, timestamp: lastUpdate.timestamp, stale: 1, ...price?.lastUpdate },
    liquidity: changed(liquidity, price?.liquidity ?? {}),
    collateral,
    config: caps,
  });
}

/** The price that the refresh before an action stores in its reserve; null when it loads none. */
export function storedPriceOf(
  accounts: Pick<LendingAccounts, 'market' | 'oracles' | 'reserve'>,
  timestamp: bigint,
) {
  const price = priceAtRefresh(accounts, accounts.reserve, timestamp);
  if (price?.source !== 'SCOPE') return null;
  return {
    liquidity: { marketPriceSf: toScaledFraction(price.usd), marketPriceLastUpdatedTs: price.asOf },
    lastUpdate: { priceStatus: price.checks ?? 0 },
  };
}

/** The cap after an outflow, or an inflow when negative. */
export function flowed(cap: ReserveConfig['depositWithdrawalCap'], outflow: bigint, timestamp: bigint) {
  const { configIntervalLengthSeconds, lastIntervalStartTimestamp, currentTotal } = cap;
  if (configIntervalLengthSeconds === 0n) return undefined;
  const isOver = timestamp - lastIntervalStartTimestamp >= configIntervalLengthSeconds;
  return {
    currentTotal: (isOver ? 0n : currentTotal) + outflow,
    lastIntervalStartTimestamp: isOver ? timestamp : lastIntervalStartTimestamp,
  };
}

/**
 * The reserve's counters of debt without the part of a position that the action closes. Those of an open position need no
 * change: a refresh replaces what the obligation contributes.
 */
function uncounted(
  reserve: Reserve,
  address: Address,
  before: LendingOutcome['before']['obligation'],
  after: LendingOutcome['before']['obligation'],
) {
  const debtIn = (obligation: typeof before) =>
    activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === address);
  const depositIn = (obligation: typeof before) =>
    activeDeposits(obligation).find(({ depositReserve }) => depositReserve === address);
  const debt = debtIn(after) === undefined ? debtIn(before) : undefined;
  const deposit = depositIn(after) === undefined ? depositIn(before) : undefined;
  const group = before.elevationGroup - 1;
  const groups = reserve.borrowedAmountsAgainstThisReserveInElevationGroups;
  const lessened = (counted: bigint, part: bigint) => atLeastZero(counted - part);
  return {
    borrowedAmountOutsideElevationGroup:
      debt &&
      lessened(reserve.borrowedAmountOutsideElevationGroup, debt.borrowedAmountOutsideElevationGroups),
    borrowedAmountsAgainstThisReserveInElevationGroups:
      deposit === undefined || before.elevationGroup === NO_GROUP
        ? undefined
        : groups.map((counted, i) =>
            i === group
              ? lessened(counted, deposit.borrowedAmountAgainstThisCollateralInElevationGroup)
              : counted,
          ),
  };
}

function changeObligation(
  changes: ChangedAccounts,
  { request, obligationAddress }: LendingAccounts,
  { effect }: LendingOutcome,
  moment: Moment,
): void {
  const after = effect.obligation;
  const debts = activeBorrows(after).length;
  if (request.action === 'withdraw' && debts + activeDeposits(after).length === 0) {
    // The program closes an obligation with its last position.
    changes.close(obligationAddress, request.wallet);
    return;
  }
  changes.patch(obligationAddress, obligationLayout, {
    lastUpdate: { ...refreshedAt(moment), stale: 1 },
    // A position that the obligation has no slot for is refused elsewhere.
    deposits: after.deposits
      .slice(0, MAX_DEPOSITS)
      .map((each) => (each.depositReserve === NO_ADDRESS ? EMPTY_DEPOSIT : each)),
    borrows: after.borrows.slice(0, MAX_BORROWS).map((each) => {
      if (each.borrowReserve === NO_ADDRESS) return EMPTY_DEBT;
      const isBorrowed = request.action === 'borrow' && each.borrowReserve === request.reserve;
      return isBorrowed ? changed(each, { lastBorrowedAtTimestamp: moment.timestamp }) : each;
    }),
    hasDebt: debts > 0 ? 1 : 0,
    // The program cancels the orders of an obligation without debts.
    obligationOrders: request.action === 'repay' && debts === 0 ? [NO_ORDER, NO_ORDER] : undefined,
  });
}

export const EMPTY_DEPOSIT = {
  depositReserve: NO_ADDRESS,
  depositedAmount: 0n,
  marketValueSf: 0n,
  borrowedAmountAgainstThisCollateralInElevationGroup: 0n,
};

export const EMPTY_DEBT = {
  borrowReserve: NO_ADDRESS,
  cumulativeBorrowRateBsf: { value: [0n, 0n, 0n, 0n] },
  lastBorrowedAtTimestamp: 0n,
  borrowedAmountSf: 0n,
  marketValueSf: 0n,
  borrowFactorAdjustedMarketValueSf: 0n,
  borrowedAmountOutsideElevationGroups: 0n,
  fixedTermBorrowRolloverConfig: {
    autoRolloverEnabled: 0,
    openTermAllowed: 0,
    migrationToFixedEnabled: 0,
    fixedTermRolloverWindowDurationDays: 0,
    maxBorrowRateBps: 0,
    minDebtTermSeconds: 0n,
  },
  borrowedAmountAtExpiration: 0n,
};

/** The program zeroes padding too. */
export const NO_ORDER: ObligationOrder = {
  conditionThresholdSf: 0n,
  opportunityParameterSf: 0n,
  minExecutionBonusBps: 0,
  maxExecutionBonusBps: 0,
  conditionType: 0,
  opportunityType: 0,
  maxBorrowRateBps: 0,
  minDebtTermSeconds: 0,
  debtMintAddress: NO_ADDRESS,
  collateralMintAddress: NO_ADDRESS,
  padding1: new Uint8Array(2),
  padding2: [0n],
};

/** A slot without a borrow order. */
export const NO_BORROW_ORDER: BorrowOrder = {
  debtLiquidityMint: NO_ADDRESS,
  remainingDebtAmount: 0n,
  filledDebtDestination: NO_ADDRESS,
  minDebtTermSeconds: 0n,
  fillableUntilTimestamp: 0n,
  placedAtTimestamp: 0n,
  lastUpdatedAtTimestamp: 0n,
  requestedDebtAmount: 0n,
  maxBorrowRateBps: 0,
  active: 0,
  enableAutoRolloverOnFilledBorrows: 0,
  padding1: new Uint8Array(2),
  endPadding: [0n, 0n, 0n, 0n, 0n],
};

function walletMove(
  accounts: LendingAccounts,
  built: BuiltAction,
  { effect }: LendingOutcome,
  moment: Moment,
) {
  const { request, reserve, token, tokenProgram, isSol } = accounts;
  const { action, wallet: owner } = request;
  const pays = action === 'deposit' || action === 'repay';
  const asked = built.all ? 'all' : built.amount;
  const wrapped = action === 'repay' ? () => lamportsToRepay(accounts, asked, moment) : () => built.amount;
  return {
    account: token.address,
    key: { owner, mint: reserve.liquidity.mintPubkey, tokenProgram },
    opens: isSol || action !== 'repay',
    wrapped: isSol && pays ? wrapped() : 0n,
    change: pays ? -effect.moved : effect.moved,
    closes: built.wrappedSol === 'closed',
  };
}
