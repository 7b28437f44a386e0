import { userState } from '@sluice/protocol/farms/user-state';
import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { MAX_BORROWS, MAX_DEPOSITS, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { userMetadata as metadataLayout } from '@sluice/protocol/klend/user-metadata';
import { ceilScaled } from '@sluice/protocol/numeric/fraction';
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
import type { LendingAccounts } from './accounts.ts';
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
  createAccounts(changes, accounts);
  changeReserve(changes, accounts, outcome, moment);
  changeObligation(changes, accounts, outcome, moment);
  const side = SIDE_OF_ACTION[accounts.request.action];
  changeFarmStake(
    changes,
    accounts,
    positionSize(outcome.effect.obligation, accounts.request.reserve, side),
    moment,
  );
  moveTokens(changes, walletMove(accounts, built, outcome, moment));
  return changes.changes;
}

function createAccounts(changes: ChangedAccounts, accounts: LendingAccounts): void {
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

function changeReserve(
  changes: ChangedAccounts,
  accounts: LendingAccounts,
  { before, effect }: LendingOutcome,
  { timestamp }: Moment,
): void {
  const { action, reserve: address } = accounts.request;
  const { lastUpdate, liquidity, collateral } = effect.reserve;
  const { depositWithdrawalCap, debtWithdrawalCap } = accounts.reserve.config;
  const caps = {
    deposit: { depositWithdrawalCap: flowed(depositWithdrawalCap, -effect.moved, timestamp) },
    withdraw: { depositWithdrawalCap: flowed(depositWithdrawalCap, effect.moved, timestamp) },
    borrow: { debtWithdrawalCap: flowed(debtWithdrawalCap, ceilScaled(effect.debtSf), timestamp) },
    repay: { debtWithdrawalCap: flowed(debtWithdrawalCap, effect.penalty - effect.moved, timestamp) },
  }[action];
  changes.patch(address, reserveLayout, {
    lastUpdate: { slot: lastUpdate.slot, timestamp: lastUpdate.timestamp, stale: 1 },
    liquidity,
    collateral,
    config: caps,
    ...uncounted(accounts.reserve, address, before.obligation, effect.obligation),
  });
}

/** The cap after an outflow, or an inflow when negative. */
function flowed(cap: ReserveConfig['depositWithdrawalCap'], outflow: bigint, timestamp: bigint) {
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

export const NO_ORDER = {
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
