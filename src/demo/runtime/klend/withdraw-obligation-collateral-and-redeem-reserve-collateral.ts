import type { withdrawAccounts } from '../../../programs/klend/action-accounts.ts';
import { withdrawV1, withdrawV2 } from '../../../programs/klend/action-instructions.ts';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '../../../programs/program-ids.ts';
import { anchorInstruction, type NamedAccounts } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import type { Invocation } from '../program.ts';
import { closeIfEmpty } from './close-obligation.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkNotVault, checkVersion, watchVault } from './reserve-checks.ts';
import { redeemCollateral } from './reserve-liquidity.ts';
import { ReserveState } from './reserve-state.ts';
import { burnCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';
import { withdrawCollateral } from './withdraw-collateral.ts';

type Accounts = NamedAccounts<typeof withdrawAccounts>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 54_000;

/** The older version: the refreshes must be its neighbours in the transaction. */
export const withdrawObligationCollateralAndRedeemReserveCollateral = anchorInstruction(
  withdrawV1,
  UNITS,
  ({ invocation, accounts, args }) => {
    const checked = checkAccounts(accounts);
    checkNeighbours(invocation, checked.reserve, accounts.obligation.address, 'collateral');
    run(invocation, accounts, checked, args.collateralAmount);
  },
);

export const withdrawObligationCollateralAndRedeemReserveCollateralV2 = anchorInstruction(
  withdrawV2,
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
  const { liquidity, collateral, lendingMarket } = reserve.data;
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.liquidityTokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.liquidityTokenProgram.address);
  checkAddress(accounts.reserveSourceCollateral, collateral.supplyVault);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  const destination = loadTokenAccount(accounts.userDestinationLiquidity, {
    mint: liquidity.mintPubkey,
    authority: accounts.owner.address,
  });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  checkNoEmergency(market);
  return { obligation, market, reserve, mint, destination, authority };
}

function run(
  invocation: Invocation,
  accounts: Accounts,
  { obligation, market, reserve, mint, destination, authority }: Checked,
  requested: bigint,
): void {
  const { clock } = invocation;
  const { liquidity, collateral } = reserve.data;
  checkVersion(reserve);
  checkNotVault(accounts.userDestinationLiquidity, liquidity.supplyVault);
  checkTokenExtensions(mint, destination);

  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  const withdrawn = withdrawCollateral(market, reserve, obligation, clock, requested);
  const redeemed = redeemCollateral(reserve, clock, withdrawn);
  reserve.save();
  obligation.save();
  invocation.log(
    `pnl: Withdraw obligation collateral ${withdrawn} and redeem reserve collateral ${redeemed}`,
  );
  burnCollateral(
    invocation,
    {
      tokenProgram: accounts.collateralTokenProgram.address,
      mint: collateral.mintPubkey,
      account: accounts.reserveSourceCollateral.address,
      authority,
      amount: withdrawn,
    },
    [authority],
  );
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.liquidityTokenProgram.address,
      source: accounts.reserveLiquiditySupply.address,
      destination: accounts.userDestinationLiquidity.address,
      owner: authority,
      amount: redeemed,
    },
    liquidity.mintPubkey,
    mint.decimals,
    [authority],
  );
  checkVault(-redeemed);
  closeIfEmpty(invocation, obligation, accounts);
}
