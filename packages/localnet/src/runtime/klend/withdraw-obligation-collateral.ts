import { withdrawCollateralV1, withdrawCollateralV2 } from '@sluice/protocol/klend/position-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { type CallOf, ensure } from '../anchor.ts';
import { checkAddress, checkHasOne, checkProgram, loadTokenAccount } from '../anchor-accounts.ts';
import { bothVersions } from './both-versions.ts';
import { closeIfEmpty } from './close-obligation.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, loadMarket } from './market.ts';
import { ObligationState } from './obligation-state.ts';
import { checkNotVault, checkOpenForExit } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveCollateral } from './reserve-transfers.ts';
import { withdrawCollateral } from './withdraw-collateral.ts';

type Call = CallOf<typeof withdrawCollateralV1>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 36_000;

/** Moves collateral tokens from an obligation to the wallet. */
export const [withdrawObligationCollateral, withdrawObligationCollateralV2] = bothVersions({
  v1: withdrawCollateralV1,
  v2: withdrawCollateralV2,
  units: UNITS,
  kind: 'collateral',
  check: checkAccounts,
  run,
  farmed: (accounts) => ({ ...accounts, reserve: accounts.withdrawReserve }),
});

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts({ accounts }: Call) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.withdrawReserve);
  const { collateral, lendingMarket } = reserve.data;
  checkProgram(accounts.tokenProgram, TOKEN_PROGRAM);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.reserveSourceCollateral, collateral.supplyVault);
  loadTokenAccount(accounts.userDestinationCollateral, {
    mint: collateral.mintPubkey,
    authority: accounts.owner.address,
  });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { obligation, market, reserve, authority };
}

function run(
  { invocation, accounts, args }: Call,
  { obligation, market, reserve, authority }: Checked,
): void {
  const { collateralAmount: requested } = args;
  checkOpenForExit(reserve);
  checkNotVault(accounts.userDestinationCollateral, reserve.data.collateral.supplyVault);
  ensure(reserve.config.blockCtokenUsage === 0, LENDING.ctokenUsageBlocked);
  const amount = withdrawCollateral(market, reserve, obligation, invocation.clock, requested);
  reserve.save();
  obligation.save();
  const movement = {
    tokenProgram: accounts.tokenProgram.address,
    source: accounts.reserveSourceCollateral.address,
    destination: accounts.userDestinationCollateral.address,
    owner: authority,
    amount,
  };
  moveCollateral(invocation, movement, [authority]);
  invocation.log(`pnl: Withdraw obligation collateral ${amount}`);
  closeIfEmpty(invocation, obligation, accounts);
}
