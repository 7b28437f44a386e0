import { liquidateV1, liquidateV2 } from '@sluice/protocol/klend/liquidation-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import type { Invocation } from '../program.ts';
import { LENDING } from './lending-errors.ts';
import { type Liquidation, liquidate } from './liquidate.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkPermission } from './permission.ts';
import { checkNotVault, checkOpenForExit, watchVault } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { burnCollateral, moveCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

type Call = CallOf<typeof liquidateV1>;
type Accounts = Call['accounts'];

/** The instruction itself, without its calls to other programs. */
const UNITS = 78_000;

/** The older version: the refreshes of both reserves, the obligation and both farms must be its neighbours. */
export const liquidateObligationAndRedeemReserveCollateral = anchorInstruction(liquidateV1, UNITS, (call) => {
  const { invocation, accounts } = call;
  const checked = checkAccounts(accounts);
  checkNoEmergency(checked.market);
  checkNeighbours(invocation, accounts.obligation.address, [
    [checked.withdraw, 'collateral'],
    [checked.repay, 'debt'],
  ]);
  run(call, checked);
});

export const liquidateObligationAndRedeemReserveCollateralV2 = anchorInstruction(
  liquidateV2,
  UNITS,
  (call) => {
    const { invocation, accounts } = call;
    const checked = checkAccounts(accounts);
    const seized = {
      ...accounts,
      reserve: accounts.withdrawReserve,
      obligationFarmUserState: accounts.collateralObligationFarmUserState,
      reserveFarmState: accounts.collateralReserveFarmState,
    };
    const repaid = {
      ...accounts,
      reserve: accounts.repayReserve,
      obligationFarmUserState: accounts.debtObligationFarmUserState,
      reserveFarmState: accounts.debtReserveFarmState,
    };
    checkFarmAccounts(seized);
    checkFarmAccounts(repaid);
    checkNoEmergency(checked.market);
    run(call, checked);
    refreshFarmAfterAction(invocation, seized, 'collateral');
    refreshFarmAfterAction(invocation, repaid, 'debt');
  },
);

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts(accounts: Accounts) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const repay = ReserveState.load(accounts.repayReserve);
  const withdraw = ReserveState.load(accounts.withdrawReserve);
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.repayLiquidityTokenProgram);
  checkTokenProgram(accounts.withdrawLiquidityTokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);

  const { liquidity: repaid } = repay.data;
  checkHasOne(repay.data.lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.repayReserveLiquidityMint, repaid.mintPubkey);
  const repaidMint = loadMint(
    accounts.repayReserveLiquidityMint,
    accounts.repayLiquidityTokenProgram.address,
  );
  checkAddress(accounts.repayReserveLiquiditySupply, repaid.supplyVault);

  const { liquidity: seized, collateral } = withdraw.data;
  checkHasOne(withdraw.data.lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.withdrawReserveLiquidityMint, seized.mintPubkey);
  const seizedMint = loadMint(
    accounts.withdrawReserveLiquidityMint,
    accounts.withdrawLiquidityTokenProgram.address,
  );
  checkAddress(accounts.withdrawReserveCollateralMint, collateral.mintPubkey);
  checkAddress(accounts.withdrawReserveCollateralSupply, collateral.supplyVault);
  checkAddress(accounts.withdrawReserveLiquiditySupply, seized.supplyVault);
  checkAddress(accounts.withdrawReserveLiquidityFeeReceiver, seized.feeVault);
  const source = loadTokenAccount(accounts.userSourceLiquidity);
  loadTokenAccount(accounts.userDestinationCollateral);
  const destination = loadTokenAccount(accounts.userDestinationLiquidity);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { obligation, market, repay, withdraw, repaidMint, seizedMint, source, destination, authority };
}

function run({ invocation, accounts, args, remaining }: Call, checked: Checked): void {
  const { liquidityAmount, minAcceptableReceivedLiquidityAmount } = args;
  const { market, obligation, repay, withdraw } = checked;
  for (const reserve of [repay, withdraw]) {
    checkNotVault(accounts.userSourceLiquidity, reserve.data.liquidity.supplyVault);
    checkNotVault(accounts.userDestinationCollateral, reserve.data.collateral.supplyVault);
    checkOpenForExit(reserve);
  }
  checkTokenExtensions(checked.repaidMint, checked.source);
  checkTokenExtensions(checked.seizedMint, checked.destination);
  checkNotVault(accounts.userDestinationLiquidity, withdraw.data.liquidity.supplyVault);
  const depositReserves = checkPermission(market, [repay, withdraw], 'liquidate', remaining);

  const { repayReserve, withdrawReserve } = accounts;
  const context = {
    market,
    clock: invocation.clock,
    obligation,
    repayReserve,
    withdrawReserve,
    depositReserves,
  };
  const checkRepaid = watchVault(accounts.repayReserveLiquiditySupply, repay);
  const checkSeized = watchVault(accounts.withdrawReserveLiquiditySupply, withdraw);
  const done = liquidate(context, liquidityAmount, minAcceptableReceivedLiquidityAmount);
  obligation.save();
  invocation.log(`Liquidated: ${done.repaid} base units repaid, ${done.seized} collateral tokens seized`);
  moveTokens(invocation, accounts, checked, done);

  const isSame = repayReserve.address === withdrawReserve.address;
  withdraw.available = ReserveState.load(withdrawReserve).available;
  repay.available = ReserveState.load(repayReserve).available;
  if (done.redeemed > 0n) checkSeized((isSame ? done.repaid : 0n) - done.liquidity);
  if (!isSame || done.redeemed === 0n) checkRepaid(done.repaid);
  ensure(done.repaid <= liquidityAmount, LENDING.insufficientRepayAmount);
}

function moveTokens(
  invocation: Invocation,
  accounts: Accounts,
  { repay, withdraw, repaidMint, seizedMint, authority }: Checked,
  { repaid, seized, redeemed, liquidity, fee }: Liquidation,
): void {
  const liquidator = accounts.liquidator.address;
  const collateralProgram = accounts.collateralTokenProgram.address;
  const liquidityProgram = accounts.withdrawLiquidityTokenProgram.address;
  const destination = accounts.userDestinationLiquidity.address;
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.repayLiquidityTokenProgram.address,
      source: accounts.userSourceLiquidity.address,
      destination: accounts.repayReserveLiquiditySupply.address,
      owner: liquidator,
      amount: repaid,
    },
    repay.data.liquidity.mintPubkey,
    repaidMint.decimals,
  );
  moveCollateral(
    invocation,
    {
      tokenProgram: collateralProgram,
      source: accounts.withdrawReserveCollateralSupply.address,
      destination: accounts.userDestinationCollateral.address,
      owner: authority,
      amount: seized,
    },
    [authority],
  );
  if (redeemed === 0n) return;
  burnCollateral(invocation, {
    tokenProgram: collateralProgram,
    mint: withdraw.data.collateral.mintPubkey,
    account: accounts.userDestinationCollateral.address,
    authority: liquidator,
    amount: redeemed,
  });
  const { mintPubkey, supplyVault, feeVault } = withdraw.data.liquidity;
  const paid = { tokenProgram: liquidityProgram, source: supplyVault, destination, owner: authority };
  moveLiquidity(invocation, { ...paid, amount: liquidity }, mintPubkey, seizedMint.decimals, [authority]);
  const charged = { tokenProgram: liquidityProgram, source: destination, destination: feeVault };
  moveLiquidity(invocation, { ...charged, owner: liquidator, amount: fee }, mintPubkey, seizedMint.decimals);
}
