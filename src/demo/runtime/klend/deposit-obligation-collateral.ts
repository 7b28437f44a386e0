import { depositCollateralV1, depositCollateralV2 } from '../../../programs/klend/position-instructions.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../../programs/program-ids.ts';
import { anchorInstruction, type NamedAccounts } from '../anchor.ts';
import { checkAddress, checkHasOne, checkProgram, loadTokenAccount } from '../anchor-accounts.ts';
import type { Invocation } from '../program.ts';
import { depositCollateral } from './deposit-collateral.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkNotVault, checkOpenForEntry } from './reserve-checks.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { moveCollateral } from './reserve-transfers.ts';

type Accounts = NamedAccounts<typeof depositCollateralV1.accounts>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 36_000;

/** Moves collateral tokens from the wallet into an obligation. The refreshes must be its neighbours. */
export const depositObligationCollateral = anchorInstruction(
  depositCollateralV1,
  UNITS,
  ({ invocation, accounts, args }) => {
    const checked = checkAccounts(accounts);
    checkNoEmergency(checked.market);
    checkNeighbours(invocation, checked.reserve, accounts.obligation.address, 'collateral');
    run(invocation, accounts, checked, args.collateralAmount);
  },
);

export const depositObligationCollateralV2 = anchorInstruction(
  depositCollateralV2,
  UNITS,
  ({ invocation, accounts, args }) => {
    checkFarmAccounts(accounts);
    const checked = checkAccounts(accounts);
    checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
    checkNoEmergency(checked.market);
    run(invocation, accounts, checked, args.collateralAmount);
    const position = { ...accounts, reserve: accounts.depositReserve };
    refreshFarmAfterAction(invocation, position, accounts, 'collateral');
  },
);

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts(accounts: Accounts) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.depositReserve);
  checkProgram(accounts.tokenProgram, TOKEN_PROGRAM);
  checkHasOne(obligation.data.owner, accounts.owner);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(reserve.data.lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.reserveDestinationCollateral, reserve.data.collateral.supplyVault);
  loadTokenAccount(accounts.userSourceCollateral, { mint: reserve.data.collateral.mintPubkey });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { obligation, market, reserve };
}

function run(
  invocation: Invocation,
  accounts: Accounts,
  { obligation, market, reserve }: Checked,
  amount: bigint,
): void {
  const { clock } = invocation;
  checkNotVault(accounts.userSourceCollateral, reserve.data.collateral.supplyVault);
  checkOpenForEntry(reserve);
  refreshReserveState(reserve, clock, market.referralFeeBps);
  depositCollateral(market, reserve, obligation, clock, amount);
  reserve.save();
  obligation.save();
  invocation.log(`pnl: Depositing obligation collateral ${amount}`);
  moveCollateral(invocation, {
    tokenProgram: accounts.tokenProgram.address,
    source: accounts.userSourceCollateral.address,
    destination: accounts.reserveDestinationCollateral.address,
    owner: accounts.owner.address,
    amount,
  });
}
