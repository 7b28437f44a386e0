import { userState } from '@sluice/protocol/farms/user-state';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { NO_ADDRESS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { BuiltAction } from '../built-instruction.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { EMPTY_DEBT, EMPTY_DEPOSIT, NO_ORDER } from '../lending/changes.ts';
import { refreshedAt } from '../lending/effects.ts';
import { changeFarmStake, positionSize } from '../lending/farm-changes.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { moveTokens } from '../wallet-changes.ts';
import type { LiquidationAccounts } from './accounts.ts';
import { lamportsToWrap } from './liquidate.ts';
import type { LiquidationOutcome } from './outcome.ts';

/** The accounts after a liquidation: both reserves, the obligation, the liquidator's tokens, and what the set-up creates. */
export function liquidationChanges(
  accounts: LiquidationAccounts,
  built: BuiltAction,
  outcome: LiquidationOutcome,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, accounts.repay.payer);
  createAccounts(changes, accounts);
  changePositions(changes, accounts, outcome, moment);
  moveAll(changes, accounts, built, outcome, moment);
  return changes.changes;
}

function createAccounts(
  changes: ChangedAccounts,
  { request, obligation, repay, withdraw }: LiquidationAccounts,
): void {
  const { klend, farms } = request.programs;
  const { referrer } = repay;
  if (referrer !== null) {
    for (const { address } of repay.referrerStates) {
      changes.create(address, klend, referrerTokenState.encode({ referrer }));
    }
  }
  for (const { farm } of [repay, withdraw]) {
    if (farm === null) continue;
    const stake = { owner: obligation.owner, isFarmDelegated: 1, delegatee: request.obligation };
    changes.create(farm.user, farms, userState.encode({ farmState: farm.farm, ...stake }));
  }
}

function changePositions(
  changes: ChangedAccounts,
  { request, repay, withdraw }: LiquidationAccounts,
  { effect }: LiquidationOutcome,
  moment: Moment,
): void {
  if (effect === null) return;
  for (const [address, { lastUpdate, liquidity, collateral }] of effect.reserves) {
    const updated = { slot: lastUpdate.slot, timestamp: lastUpdate.timestamp, stale: 1 };
    changes.patch(address, reserveLayout, { lastUpdate: updated, liquidity, collateral });
  }
  const { deposits, borrows } = effect.obligation;
  const hasDebt = activeBorrows(effect.obligation).length > 0;
  changes.patch(request.obligation, obligationLayout, {
    lastUpdate: { ...refreshedAt(moment), stale: 1 },
    deposits: deposits.map((each) => (each.depositReserve === NO_ADDRESS ? EMPTY_DEPOSIT : each)),
    borrows: borrows.map((each) => (each.borrowReserve === NO_ADDRESS ? EMPTY_DEBT : each)),
    hasDebt: hasDebt ? 1 : 0,
    obligationOrders: hasDebt ? undefined : [NO_ORDER, NO_ORDER],
  });
  const size = (reserve: Address, side: 'deposit' | 'debt') => positionSize(effect.obligation, reserve, side);
  changeFarmStake(changes, repay, size(request.repayReserve, 'debt'), moment);
  changeFarmStake(changes, withdraw, size(request.withdrawReserve, 'deposit'), moment);
}

function moveAll(
  changes: ChangedAccounts,
  { request, repay, withdraw, collateralToken }: LiquidationAccounts,
  built: BuiltAction,
  outcome: LiquidationOutcome,
  moment: Moment,
): void {
  const { wallet: owner } = request;
  const done = outcome.liquidation;
  const asked = built.all ? 'all' : built.amount;
  const closes = built.wrappedSol === 'closed';
  const keyOf = ({ reserve, tokenProgram }: LendingAccounts) => ({
    owner,
    mint: reserve.liquidity.mintPubkey,
    tokenProgram,
  });
  const isSame = repay.token.address === withdraw.token.address;
  moveTokens(changes, {
    account: repay.token.address,
    key: keyOf(repay),
    opens: repay.isSol,
    wrapped: repay.isSol ? lamportsToWrap(repay, asked, outcome, moment) : 0n,
    change: -(done?.repaid ?? 0n),
    closes: repay.isSol && closes && !isSame,
  });
  moveTokens(changes, {
    account: withdraw.token.address,
    key: keyOf(withdraw),
    opens: true,
    wrapped: 0n,
    change: done === null ? 0n : done.liquidity - done.fee,
    closes: withdraw.isSol && closes,
  });
  moveTokens(changes, {
    account: collateralToken.address,
    key: { owner, mint: withdraw.reserve.collateral.mintPubkey, tokenProgram: TOKEN_PROGRAM },
    opens: true,
    wrapped: 0n,
    change: done === null ? 0n : done.seized - done.redeemed,
    closes: false,
  });
}
