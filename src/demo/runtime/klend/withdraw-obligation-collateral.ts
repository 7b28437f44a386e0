import { withdrawCollateralV1, withdrawCollateralV2 } from '../../../programs/klend/position-instructions.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../../programs/program-ids.ts';
import { anchorInstruction, ensure, type NamedAccounts } from '../anchor.ts';
import { checkAddress, checkHasOne, checkProgram, loadTokenAccount } from '../anchor-accounts.ts';
import type { Invocation } from '../program.ts';
import { closeIfEmpty } from './close-obligation.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkNotVault, checkVersion } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveCollateral } from './reserve-transfers.ts';
import { withdrawCollateral } from './withdraw-collateral.ts';

type Accounts = NamedAccounts<typeof withdrawCollateralV1.accounts>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 36_000;

/** Moves collateral tokens from an obligation to the wallet. The refreshes must be its neighbours. */
export const withdrawObligationCollateral = anchorInstruction(
  withdrawCollateralV1,
  UNITS,
  ({ invocation, accounts, args }) => {
    const checked = checkAccounts(accounts);
    checkNeighbours(invocation, checked.reserve, accounts.obligation.address, 'collateral');
    run(invocation, accounts, checked, args.collateralAmount);
  },
);

export const withdrawObligationCollateralV2 = anchorInstruction(
  withdrawCollateralV2,
  UNITS,
  ({ invocation, accounts, args }) => {
    checkFarmAccounts(accounts);
    run(invocation, accounts, checkAccounts(accounts), args.collateralAmount);
    const position = { ...accounts, reserve: accounts.withdrawReserve };
    refreshFarmAfterAction(invocation, position, accounts, 'collateral');
  },
);

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts(accounts: Accounts) {
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
  checkNoEmergency(market);
  return { obligation, market, reserve, authority };
}

function run(
  invocation: Invocation,
  accounts: Accounts,
  { obligation, market, reserve, authority }: Checked,
  requested: bigint,
): void {
  checkVersion(reserve);
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
