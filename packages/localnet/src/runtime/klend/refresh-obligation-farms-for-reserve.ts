import { refreshObligationFarmsForReserve as layout } from '@sluice/protocol/klend/setup-instructions';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne, checkProgram, checkSysvar } from '../anchor-accounts.ts';
import { farmKind } from './farm-kind.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkFarmAccounts, refreshFarm } from './obligation-farms.ts';
import { ReserveState } from './reserve-state.ts';

/** Sets the obligation's stake in a farm of the reserve to the size of its position. Anybody can call it. */
export const refreshObligationFarmsForReserve = anchorInstruction(
  layout,
  16_000,
  ({ invocation, accounts, args, remaining }) => {
    const reserve = ReserveState.load(accounts.reserve);
    checkFarmAccounts(accounts);
    const market = loadMarket(accounts.lendingMarket);
    checkSysvar(accounts.rent, RENT_SYSVAR);
    checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
    checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
    checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
    checkNoEmergency(market);
    ensure(remaining.length === 0, LENDING.invalidAccountInput);
    refreshFarm(invocation, accounts, accounts, farmKind(args.mode));
  },
);
