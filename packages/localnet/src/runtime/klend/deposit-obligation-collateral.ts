import { depositCollateralV1, depositCollateralV2 } from '@sluice/protocol/klend/position-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { CallOf } from '../anchor.ts';
import { checkAddress, checkHasOne, checkProgram, loadTokenAccount } from '../anchor-accounts.ts';
import { bothVersions } from './both-versions.ts';
import { depositCollateral } from './deposit-collateral.ts';
import { loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { checkPermission } from './permission.ts';
import { checkNotVault, checkOpenForEntry } from './reserve-checks.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { moveCollateral } from './reserve-transfers.ts';

type Call = CallOf<typeof depositCollateralV1>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 36_000;

/** Moves collateral tokens from the wallet into an obligation. */
export const [depositObligationCollateral, depositObligationCollateralV2] = bothVersions({
  v1: depositCollateralV1,
  v2: depositCollateralV2,
  units: UNITS,
  kind: 'collateral',
  check: checkAccounts,
  run,
  farmed: (accounts) => ({ ...accounts, reserve: accounts.depositReserve }),
});

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts({ accounts }: Call) {
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
  { invocation, accounts, args, remaining }: Call,
  { obligation, market, reserve }: Checked,
): void {
  const { collateralAmount: amount } = args;
  const { clock } = invocation;
  checkNotVault(accounts.userSourceCollateral, reserve.data.collateral.supplyVault);
  checkOpenForEntry(reserve);
  checkPermission(market, [reserve], 'deposit', remaining);
  refreshReserveState(reserve, clock, market);
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
