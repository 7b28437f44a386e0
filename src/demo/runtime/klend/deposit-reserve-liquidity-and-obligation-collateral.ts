import type { depositAccounts } from '../../../programs/klend/action-accounts.ts';
import { depositV1, depositV2 } from '../../../programs/klend/action-instructions.ts';
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
import { depositCollateral } from './deposit-collateral.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkNotVault, checkOpenForEntry, watchVault } from './reserve-checks.ts';
import { depositLiquidity } from './reserve-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { mintCollateral, moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

type Accounts = NamedAccounts<typeof depositAccounts>;

/** The instruction itself, without its calls to other programs. */
const UNITS = 52_000;

/** The older version: the refreshes must be its neighbours in the transaction. */
export const depositReserveLiquidityAndObligationCollateral = anchorInstruction(
  depositV1,
  UNITS,
  ({ invocation, accounts, args }) => {
    const checked = checkAccounts(accounts);
    checkNeighbours(invocation, checked.reserve, accounts.obligation.address, 'collateral');
    run(invocation, accounts, checked, args.liquidityAmount);
  },
);

export const depositReserveLiquidityAndObligationCollateralV2 = anchorInstruction(
  depositV2,
  UNITS,
  ({ invocation, accounts, args }) => {
    checkFarmAccounts(accounts);
    run(invocation, accounts, checkAccounts(accounts), args.liquidityAmount);
    refreshFarmAfterAction(invocation, accounts, accounts, 'collateral');
  },
);

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts(accounts: Accounts) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  const { liquidity, collateral, lendingMarket } = reserve.data;
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.liquidityTokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(obligation.data.owner, accounts.owner);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(lendingMarket, accounts.lendingMarket);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.liquidityTokenProgram.address);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  checkAddress(accounts.reserveDestinationDepositCollateral, collateral.supplyVault);
  const source = loadTokenAccount(accounts.userSourceLiquidity, {
    mint: liquidity.mintPubkey,
    authority: accounts.owner.address,
  });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  checkNoEmergency(market);
  return { obligation, market, reserve, mint, source, authority };
}

function run(
  invocation: Invocation,
  accounts: Accounts,
  { obligation, market, reserve, mint, source, authority }: Checked,
  amount: bigint,
): void {
  const { clock } = invocation;
  const { liquidity, collateral } = reserve.data;
  invocation.log(
    `DepositReserveLiquidityAndObligationCollateral Reserve ${reserve.address} amount ${amount}`,
  );
  checkNotVault(accounts.userSourceLiquidity, liquidity.supplyVault);
  checkOpenForEntry(reserve);
  checkTokenExtensions(mint, source);

  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  const deposited = depositLiquidity(reserve, clock, amount);
  refreshReserveState(reserve, clock, market.referralFeeBps);
  depositCollateral(market, reserve, obligation, clock, deposited.collateral);
  reserve.save();
  obligation.save();
  invocation.log(
    `pnl: Deposit reserve liquidity ${deposited.liquidity} and obligation collateral ${deposited.collateral}`,
  );
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.liquidityTokenProgram.address,
      source: accounts.userSourceLiquidity.address,
      destination: accounts.reserveLiquiditySupply.address,
      owner: accounts.owner.address,
      amount: deposited.liquidity,
    },
    liquidity.mintPubkey,
    mint.decimals,
  );
  mintCollateral(invocation, {
    tokenProgram: accounts.collateralTokenProgram.address,
    mint: collateral.mintPubkey,
    account: accounts.reserveDestinationDepositCollateral.address,
    authority,
    amount: deposited.collateral,
  });
  checkVault(deposited.liquidity);
}
