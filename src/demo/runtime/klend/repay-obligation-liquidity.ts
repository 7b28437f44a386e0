import type { Address } from '@solana/kit';
import type { repayAccounts } from '../../../programs/klend/action-accounts.ts';
import { repayV1, repayV2 } from '../../../programs/klend/action-instructions.ts';
import { INSTRUCTIONS_SYSVAR } from '../../../programs/program-ids.ts';
import { ANCHOR_ERRORS, anchorInstruction, ensure, type NamedAccounts } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import type { Invocation } from '../program.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNeighbours } from './neighbour-checks.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { repay } from './repay.ts';
import { checkNotVault, checkVersion, watchVault } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import { checkTokenExtensions } from './token-extensions.ts';

type Accounts = NamedAccounts<typeof repayAccounts>;

/** A transaction that calls this program cannot repay. */
const RESTRICTED_PROGRAM = 'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi' as Address;
/** The instruction itself, without its calls to other programs. */
const UNITS = 38_000;

/** The older version: the refreshes must be its neighbours in the transaction. */
export const repayObligationLiquidity = anchorInstruction(
  repayV1,
  UNITS,
  ({ invocation, accounts, args, remaining }) => {
    const checked = checkAccounts(invocation, accounts);
    checkNeighbours(invocation, checked.reserve, accounts.obligation.address, 'debt');
    run(invocation, accounts, checked, args.liquidityAmount, remaining);
  },
);

/** Anybody can repay: `owner` is the owner of the tokens. */
export const repayObligationLiquidityV2 = anchorInstruction(
  repayV2,
  UNITS,
  ({ invocation, accounts, args, remaining }) => {
    checkFarmAccounts(accounts);
    const checked = checkAccounts(invocation, accounts);
    checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
    run(invocation, accounts, checked, args.liquidityAmount, remaining);
    refreshFarmAfterAction(invocation, { ...accounts, reserve: accounts.repayReserve }, accounts, 'debt');
  },
);

type Checked = ReturnType<typeof checkAccounts>;

function checkAccounts({ transaction }: Invocation, accounts: Accounts) {
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const reserve = ReserveState.load(accounts.repayReserve);
  const { liquidity, lendingMarket } = reserve.data;
  checkTokenProgram(accounts.tokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  ensure(obligation.data.lendingMarket === lendingMarket, ANCHOR_ERRORS.constraintRaw);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.tokenProgram.address);
  checkAddress(accounts.reserveDestinationLiquidity, liquidity.supplyVault);
  const source = loadTokenAccount(accounts.userSourceLiquidity, { mint: liquidity.mintPubkey });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  const isRestricted = transaction.instructions.some((each) => each.programAddress === RESTRICTED_PROGRAM);
  ensure(!isRestricted, LENDING.transactionIncludesRestrictedPrograms);
  checkNoEmergency(market);
  return { obligation, market, reserve, mint, source };
}

function run(
  invocation: Invocation,
  accounts: Accounts,
  { obligation, market, reserve, mint, source }: Checked,
  amount: bigint,
  depositReserves: readonly InstructionAccount[],
): void {
  const { mintPubkey, supplyVault } = reserve.data.liquidity;
  checkNotVault(accounts.userSourceLiquidity, supplyVault);
  checkVersion(reserve);
  checkTokenExtensions(mint, source);
  const checkVault = watchVault(accounts.reserveDestinationLiquidity, reserve);
  const paid = repay({ market, clock: invocation.clock, obligation, reserve, depositReserves }, amount);
  reserve.save();
  obligation.save();
  invocation.log(`Repaid ${paid} base units`);
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.tokenProgram.address,
      source: accounts.userSourceLiquidity.address,
      destination: accounts.reserveDestinationLiquidity.address,
      owner: accounts.owner.address,
      amount: paid,
    },
    mintPubkey,
    mint.decimals,
  );
  checkVault(paid);
}
