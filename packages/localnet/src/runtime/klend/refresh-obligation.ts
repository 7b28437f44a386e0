import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { refreshObligation as layout } from '@sluice/protocol/klend/setup-instructions';
import { anchorInstruction } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Clock } from '../program.ts';
import { elevationGroupOf } from './elevation-group.ts';
import { leastOf, wholeSf } from './fraction.ts';
import { markRefreshed } from './last-update.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { obligationReserves } from './obligation-reserves.ts';
import { ObligationState } from './obligation-state.ts';
import { refreshBorrows } from './refresh-borrows.ts';
import { refreshDeposits } from './refresh-deposits.ts';

/** Accrues the debts and values the whole position. All its reserves must have been refreshed in this slot. */
export const refreshObligation = anchorInstruction(layout, 14_000, ({ invocation, accounts, remaining }) => {
  const { clock } = invocation;
  const market = loadMarket(accounts.lendingMarket);
  const obligation = ObligationState.load(accounts.obligation);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkNoEmergency(market);

  refreshPositions(obligation, market, clock, remaining);
});

/** Accrues the debts and values the whole position, from the accounts of its reserves, and saves the obligation. */
export function refreshPositions(
  obligation: ObligationState,
  market: LendingMarket,
  clock: Clock,
  remaining: readonly InstructionAccount[],
): void {
  const reserves = obligationReserves(obligation, remaining);
  const group = elevationGroupOf(market, obligation.elevationGroup);
  const terms = { market, clock, group };
  const borrows = refreshBorrows(obligation, terms, reserves.borrows, reserves.referrers);
  const deposits = refreshDeposits(obligation, terms, reserves.deposits, borrows.owed);

  obligation.debtValueSf = borrows.valueSf;
  obligation.factoredDebtValueSf = borrows.factoredValueSf;
  obligation.highestBorrowFactorPct = borrows.highestFactorPct;
  obligation.obsoleteBorrows = borrows.obsolete;
  obligation.depositedValueSf = deposits.valueSf;
  obligation.allowedDebtValueSf = leastOf(
    deposits.allowedDebtValueSf,
    wholeSf(market.globalAllowedBorrowValue),
  );
  obligation.unhealthyDebtValueSf = deposits.unhealthyDebtValueSf;
  obligation.lowestLiquidationLtvPct = deposits.lowestLiquidationLtvPct;
  obligation.lowestMaxLtvPct = deposits.lowestMaxLtvPct;
  obligation.obsoleteDeposits = deposits.obsolete;
  obligation.borrowingDisabled = deposits.borrowingDisabled;
  obligation.clearExpiredBorrowOrders(clock);
  markRefreshed(obligation.lastUpdate, clock, borrows.priceStatus & deposits.priceStatus);
  obligation.save();
}
