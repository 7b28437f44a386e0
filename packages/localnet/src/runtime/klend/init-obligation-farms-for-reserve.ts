import { initializeUser } from '@sluice/protocol/farms/instructions';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { initObligationFarmsForReserve as layout } from '@sluice/protocol/klend/setup-instructions';
import { MAINNET_PROGRAMS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, ensure, load } from '../anchor.ts';
import { checkHasOne, checkProgram, checkSysvar } from '../anchor-accounts.ts';
import { farmKind } from './farm-kind.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, loadMarket } from './market.ts';
import { checkOpenForEntry } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';

const { farms } = MAINNET_PROGRAMS;

/** Opens the obligation's stake in a farm of the reserve. Anybody can pay for it. */
export const initObligationFarmsForReserve = anchorInstruction(
  layout,
  22_000,
  ({ invocation, accounts, args }) => {
    const obligation = load(accounts.obligation, obligationLayout, invocation.program);
    const reserve = ReserveState.load(accounts.reserve);
    loadMarket(accounts.lendingMarket);
    checkProgram(accounts.farmsProgram, farms);
    checkSysvar(accounts.rent, RENT_SYSVAR);
    checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
    checkHasOne(obligation.lendingMarket, accounts.lendingMarket);
    checkHasOne(obligation.owner, accounts.owner);
    const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
    checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
    checkOpenForEntry(reserve);
    const farm = reserve.farmOf(farmKind(args.mode));
    ensure(farm === accounts.reserveFarmState.address, LENDING.invalidAccountInput);
    const called = initializeUser.encode(
      farms,
      {
        authority,
        payer: accounts.payer.address,
        owner: accounts.owner.address,
        delegatee: accounts.obligation.address,
        userState: accounts.obligationFarm.address,
        farmState: farm,
        systemProgram: accounts.systemProgram.address,
        rent: accounts.rent.address,
      },
      {},
    );
    invocation.invoke(called, [authority]);
  },
);
