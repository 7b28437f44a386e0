import { depositAndWithdraw as layout } from '@sluice/protocol/klend/position-instructions';
import { anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { checkAfterCombination } from './after-combination.ts';
import { checkDeposit, runDeposit } from './deposit-reserve-liquidity-and-obligation-collateral.ts';
import { checkGroupCount, elevationGroupOf } from './elevation-group.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkPermission } from './permission.ts';
import { refreshPositions } from './refresh-obligation.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import {
  checkWithdrawal,
  runWithdrawal,
} from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { checkHalves, withdrawnAccounts } from './withdrawn-half.ts';

type Call = CallOf<typeof layout>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 140_000;

/**
 * Deposits into one reserve, then withdraws and redeems from another one, with refreshes inside that load no price. The debt
 * must stay below the liquidation threshold rather than within the maximum LTV, and the LTV must not rise.
 */
export const depositAndWithdraw = anchorInstruction(layout, UNITS, (call) => {
  const { invocation, accounts } = call;
  const withdrawn = withdrawnAccounts(accounts);
  const { market } = checkDeposit(call);
  checkWithdrawal({ accounts: withdrawn });
  const deposit = {
    ...accounts,
    obligationFarmUserState: accounts.depositObligationFarmUserState,
    reserveFarmState: accounts.depositReserveFarmState,
  };
  const withdrawal = {
    ...withdrawn,
    reserve: accounts.withdrawReserve,
    obligationFarmUserState: accounts.withdrawObligationFarmUserState,
    reserveFarmState: accounts.withdrawReserveFarmState,
    farmsProgram: accounts.farmsProgram,
  };
  checkFarmAccounts(deposit);
  checkFarmAccounts(withdrawal);
  checkHalves(accounts, withdrawn);
  checkNoEmergency(market);
  run(call, withdrawn);
  refreshFarmAfterAction(invocation, deposit, 'collateral');
  refreshFarmAfterAction(invocation, withdrawal, 'collateral');
});

function run(call: Call, withdrawn: ReturnType<typeof withdrawnAccounts>): void {
  const { invocation, accounts, args, remaining } = call;
  const { clock } = invocation;
  const { address } = accounts.withdrawReserve;
  ensure(accounts.reserve.address !== address, LENDING.cannotUseSameReserve);
  const before = ObligationState.load(accounts.obligation);
  ensure(before.depositedValueSf > 0n, LENDING.obligationDepositsEmpty);
  const initialLtvSf = before.loanToValueSf;
  const market = loadMarket(accounts.lendingMarket);
  const refreshReserve = (account: InstructionAccount) => {
    const reserve = ReserveState.load(account);
    refreshReserveState(reserve, clock, market);
    reserve.save();
  };
  const refreshObligation = (reserves: readonly InstructionAccount[]) => {
    refreshPositions(ObligationState.load(accounts.obligation), market, clock, reserves);
  };

  const deposit = { invocation, accounts, args: { liquidityAmount: args.liquidityAmount }, remaining };
  runDeposit(deposit, checkDeposit(deposit), 'afterWithdrawal');
  refreshReserve(accounts.reserve);
  // The deposit has checked the permission.
  const positions = checkPermission(market, [ReserveState.load(accounts.reserve)], 'deposit', remaining);
  refreshObligation(positions);

  const withdrawal = {
    invocation,
    accounts: withdrawn,
    args: { collateralAmount: args.withdrawCollateralAmount },
    remaining: [],
  };
  // The new deposit keeps the obligation open.
  runWithdrawal(withdrawal, checkWithdrawal(withdrawal), 'liquidationThreshold');
  refreshReserve(accounts.withdrawReserve);
  const left = ObligationState.load(accounts.obligation);
  const isDepositOpen = left.activeDeposits.some((each) => each.reserve === address);
  const first = positions.findIndex((each) => each.address === address);
  refreshObligation(isDepositOpen ? positions : positions.toSpliced(first, 1));

  const obligation = ObligationState.load(accounts.obligation);
  obligation.lastUpdate.stale = true;
  obligation.save();
  const reserve = ReserveState.load(accounts.withdrawReserve);
  reserve.lastUpdate.stale = true;
  reserve.save();
  checkAfterCombination(obligation, reserve, initialLtvSf);
  const group = elevationGroupOf(market, obligation.elevationGroup);
  if (group !== null) checkGroupCount(group, obligation.activeDeposits.length);
}
