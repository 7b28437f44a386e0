import { referrerTokenStateAddress } from '@sluice/protocol/klend/addresses';
import { repayAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type AnchorCall, anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { checkAfterCombination } from './after-combination.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { refreshPositions } from './refresh-obligation.ts';
import { checkRepayment, runRepayment } from './repay-obligation-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import {
  checkWithdrawal,
  runWithdrawal,
} from './withdraw-obligation-collateral-and-redeem-reserve-collateral.ts';
import { checkHalves, withdrawnAccounts } from './withdrawn-half.ts';

type Call = CallOf<typeof repayAndWithdraw>;
type Accounts = Call['accounts'];

/** The instruction itself, without its calls to other programs. */
const UNITS = 128_000;

/**
 * Repays, then withdraws and redeems, with refreshes inside that load no price. The debt must stay below the liquidation
 * threshold rather than within the maximum LTV, and the LTV must not rise.
 */
export const repayAndWithdrawAndRedeem = anchorInstruction(repayAndWithdraw, UNITS, (call) => {
  const { invocation, accounts } = call;
  const withdrawn = withdrawnAccounts(accounts);
  const { market } = checkRepayment(call);
  checkWithdrawal({ accounts: withdrawn });
  const collateral = {
    ...withdrawn,
    reserve: accounts.withdrawReserve,
    obligationFarmUserState: accounts.collateralObligationFarmUserState,
    reserveFarmState: accounts.collateralReserveFarmState,
    farmsProgram: accounts.farmsProgram,
  };
  const debt = {
    ...collateral,
    reserve: accounts.repayReserve,
    obligationFarmUserState: accounts.debtObligationFarmUserState,
    reserveFarmState: accounts.debtReserveFarmState,
  };
  checkFarmAccounts(collateral);
  checkFarmAccounts(debt);
  checkHalves(accounts, withdrawn);
  checkNoEmergency(market);
  run(call, withdrawn);
  refreshFarmAfterAction(invocation, collateral, 'collateral');
  refreshFarmAfterAction(invocation, debt, 'debt');
});

function run(call: Call, withdrawn: ReturnType<typeof withdrawnAccounts>): void {
  const { invocation, accounts, args, remaining } = call;
  const { clock } = invocation;
  const market = loadMarket(accounts.lendingMarket);
  const before = ObligationState.load(accounts.obligation);
  ensure(before.depositedValueSf > 0n, LENDING.obligationDepositsEmpty);
  const initialLtvSf = before.loanToValueSf;
  const refreshReserve = (account: InstructionAccount) => {
    const reserve = ReserveState.load(account);
    refreshReserveState(reserve, clock, market);
    reserve.save();
  };
  const refreshObligation = (reserves: readonly InstructionAccount[]) => {
    refreshPositions(ObligationState.load(accounts.obligation), market, clock, reserves);
  };

  const repayment = {
    invocation,
    accounts,
    args: { liquidityAmount: args.repayAmount },
    remaining: remaining.slice(0, before.activeDeposits.length),
  };
  runRepayment(repayment, checkRepayment(repayment));
  const isSame = accounts.repayReserve.address === accounts.withdrawReserve.address;
  const repaid = ObligationState.load(accounts.obligation);
  const isDebtOpen = repaid.activeBorrows.length === before.activeBorrows.length;
  // The reserve of a debt that was closed stays stale, also where it holds another deposit.
  if (isDebtOpen || isSame) refreshReserve(accounts.repayReserve);
  const afterRepayment = isDebtOpen ? remaining : withoutDebt(call, before);
  refreshObligation(afterRepayment);

  const withdrawal = {
    invocation,
    accounts: withdrawn,
    args: { collateralAmount: args.withdrawCollateralAmount },
    remaining: [],
  };
  if (runWithdrawal(withdrawal, checkWithdrawal(withdrawal), 'liquidationThreshold')) return;

  const left = ObligationState.load(accounts.obligation);
  const { address } = accounts.withdrawReserve;
  const isDepositOpen = left.activeDeposits.some(({ reserve }) => reserve === address);
  const isOwed = left.activeBorrows.some(({ reserve }) => reserve === address);
  if (isDepositOpen || isOwed) refreshReserve(accounts.withdrawReserve);
  const first = afterRepayment.findIndex((each) => each.address === address);
  refreshObligation(isDepositOpen ? afterRepayment : afterRepayment.toSpliced(first, 1));

  const obligation = ObligationState.load(accounts.obligation);
  obligation.lastUpdate.stale = true;
  obligation.save();
  const reserve = ReserveState.load(accounts.withdrawReserve);
  reserve.lastUpdate.stale = true;
  reserve.save();
  checkAfterCombination(obligation, reserve, initialLtvSf);
}

/** The accounts without the reserve of the closed debt, which comes after those of the deposits, and its referrer state. */
function withoutDebt(
  { accounts, remaining }: Pick<AnchorCall, 'remaining'> & { readonly accounts: Accounts },
  { data, hasReferrer }: ObligationState,
): readonly InstructionAccount[] {
  const { address } = accounts.repayReserve;
  const skipped = hasReferrer
    ? referrerTokenStateAddress(MAINNET_PROGRAMS.klend, data.referrer, address).address
    : null;
  const last = remaining.findLastIndex((each) => each.address === address);
  return remaining.filter((each, i) => i !== last && each.address !== skipped);
}
