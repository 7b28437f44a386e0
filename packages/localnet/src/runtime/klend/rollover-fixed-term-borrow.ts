import { rolloverFixedTermBorrow as layout } from '@sluice/protocol/klend/obligation-instructions';
import { anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkFarmAccounts, refreshFarmAfterAction } from './obligation-farms.ts';
import { ObligationState } from './obligation-state.ts';
import { checkOpenForEntry, watchVault } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveLiquidity } from './reserve-transfers.ts';
import { rollIntoOther, rollIntoSame } from './rollover.ts';
import { writeRollover } from './rollover-config.ts';
import { checkMintExtensions } from './token-extensions.ts';

/** The instruction itself, without its calls to other programs. */
const UNITS = 60_000;

type Call = CallOf<typeof layout>;

/** Moves a debt to another reserve of its token, or starts its term anew. Whoever pays the transaction signs. */
export const rolloverFixedTermBorrow = anchorInstruction(layout, UNITS, (call) => {
  const { invocation, accounts } = call;
  const { obligation, market, source, target, mint, authority } = checkAccounts(call);
  checkNoEmergency(market);
  checkOpenForEntry(source);
  checkOpenForEntry(target);
  const state = { market, obligation, source, clock: invocation.clock };
  if (source.address === target.address) {
    rollIntoSame(state);
    obligation.save();
    invocation.log('Rolled over into the same reserve');
    return;
  }

  checkMintExtensions(mint);
  const checkSource = watchVault(accounts.sourceBorrowReserveLiquidity, source);
  const checkTarget = watchVault(accounts.targetBorrowReserveLiquidity, target);
  const { moved, index, terms } = rollIntoOther({ ...state, target });
  source.save();
  target.save();
  obligation.save();
  writeRollover(accounts.obligation, index, terms);
  invocation.log(`Rolled over ${moved} base units`);
  moveLiquidity(
    invocation,
    {
      tokenProgram: accounts.tokenProgram.address,
      source: accounts.targetBorrowReserveLiquidity.address,
      destination: accounts.sourceBorrowReserveLiquidity.address,
      owner: authority,
      amount: moved,
    },
    source.data.liquidity.mintPubkey,
    mint.decimals,
    [authority],
  );
  checkSource(moved);
  checkTarget(-moved);
  for (const farmed of farmsOf(call)) refreshFarmAfterAction(invocation, farmed, 'debt');
});

/** The framework's checks of the accounts. */
function checkAccounts(call: Call) {
  const { accounts } = call;
  const obligation = ObligationState.load(accounts.obligation);
  const market = loadMarket(accounts.lendingMarket);
  const source = ReserveState.load(accounts.sourceBorrowReserve);
  const target = ReserveState.load(accounts.targetBorrowReserve);
  checkTokenProgram(accounts.tokenProgram);
  checkHasOne(obligation.data.lendingMarket, accounts.lendingMarket);
  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, accounts.lendingMarket);
  checkHasOne(source.data.lendingMarket, accounts.lendingMarket);
  checkHasOne(target.data.lendingMarket, accounts.lendingMarket);
  const { mintPubkey, supplyVault } = source.data.liquidity;
  const isSameMint = target.data.liquidity.mintPubkey === mintPubkey;
  ensure(isSameMint, LENDING.borrowRolloverLiquidityMintMismatch);
  checkAddress(accounts.liquidityMint, mintPubkey);
  const mint = loadMint(accounts.liquidityMint, accounts.tokenProgram.address);
  checkAddress(accounts.sourceBorrowReserveLiquidity, supplyVault);
  loadTokenAccount(accounts.sourceBorrowReserveLiquidity);
  checkAddress(accounts.targetBorrowReserveLiquidity, target.data.liquidity.supplyVault);
  loadTokenAccount(accounts.targetBorrowReserveLiquidity);
  for (const farmed of farmsOf(call)) checkFarmAccounts(farmed);
  return { obligation, market, source, target, mint, authority };
}

function farmsOf({ accounts }: Call) {
  const { obligation, lendingMarket, lendingMarketAuthority, farmsProgram } = accounts;
  const shared = { obligation, lendingMarket, lendingMarketAuthority, farmsProgram };
  return [
    {
      ...shared,
      reserve: accounts.sourceBorrowReserve,
      obligationFarmUserState: accounts.sourceObligationFarmUserState,
      reserveFarmState: accounts.sourceReserveFarmState,
    },
    {
      ...shared,
      reserve: accounts.targetBorrowReserve,
      obligationFarmUserState: accounts.targetObligationFarmUserState,
      reserveFarmState: accounts.targetReserveFarmState,
    },
  ];
}
