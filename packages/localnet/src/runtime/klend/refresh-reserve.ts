import { refreshReserve as layout } from '@sluice/protocol/klend/setup-instructions';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { refreshWithOracles } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';

/** Accrues interest and stores the oracle's price. Every action demands it in its own slot. */
export const refreshReserve = anchorInstruction(layout, 26_000, ({ invocation, accounts, remaining }) => {
  const reserve = ReserveState.load(accounts.reserve);
  const market = loadMarket(accounts.lendingMarket);
  checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  checkNoEmergency(market);
  ensure(remaining.length === 0, LENDING.invalidAccountInput);
  const oracles = {
    pyth: accounts.pythOracle,
    switchboard: accounts.switchboardPriceOracle,
    switchboardTwap: accounts.switchboardTwapOracle,
    scope: accounts.scopePrices,
  };
  refreshWithOracles(reserve, market, oracles, invocation.clock, invocation.log);
});
