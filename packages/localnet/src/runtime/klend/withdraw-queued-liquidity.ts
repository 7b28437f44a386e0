import { withdrawQueuedLiquidity as layout } from '@sluice/protocol/klend/withdraw-queue-instructions';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { createAssociatedToken } from '@sluice/protocol/token/associated-token-instructions';
import { rentLamports } from '../account-store.ts';
import { ANCHOR_ERRORS, anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNotVault, checkOpenForExit, watchVault } from './reserve-checks.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { burnCollateral, moveLiquidity } from './reserve-transfers.ts';
import { callbackProgram, reportPayment } from './ticket-callback.ts';
import { destinationState } from './ticket-destination.ts';
import { dequeue, payTicket, type TicketPayment, watchQueue } from './withdraw-queue.ts';
import {
  checkQueuedVault,
  checkTicket,
  loadTicket,
  markTicketInvalid,
  writeTicketCollateral,
} from './withdraw-ticket.ts';

type Call = CallOf<typeof layout>;
type Checked = ReturnType<typeof checkAccounts>;

/** Pays the ticket at the head of the queue, by anybody. Returns false for one that cannot be paid and loses its turn. */
export const withdrawQueuedLiquidity = anchorInstruction(layout, 46_000, (call) => {
  const { invocation, accounts } = call;
  const checked = checkAccounts(call);
  const { market, reserve } = checked;
  checkNoEmergency(market);

  checkNotVault(accounts.userDestinationLiquidity, reserve.data.liquidity.supplyVault);
  checkOpenForExit(reserve);
  ensure(market.withdrawTicketRedemptionEnabled !== 0, LENDING.withdrawTicketRedemptionDisabled);
  const isPaid = useTurn(call, checked);
  invocation.setReturnData(Uint8Array.of(isPaid ? 1 : 0));
});

/** Pays the ticket, closes an empty one, or marks one whose destination cannot be paid; false for the last. */
function useTurn(call: Call, checked: Checked): boolean {
  const { accounts } = call;
  const { reserve, ticket, mint } = checked;
  const { mintPubkey, tokenProgram } = reserve.data.liquidity;
  if (ticket.queuedCollateralAmount === 0n) {
    dequeue(reserve, 0n, true);
    reserve.save();
    accounts.withdrawTicket.close(accounts.withdrawTicketOwner);
    return true;
  }
  const liquidity = { owner: ticket.owner, mint: mintPubkey, tokenProgram };
  const state = destinationState(accounts.userDestinationLiquidity, mint, liquidity);
  if (state === 'unusable') {
    markTicketInvalid(accounts.withdrawTicket);
    dequeue(reserve, ticket.queuedCollateralAmount, true);
    reserve.save();
    return false;
  }
  if (state === 'absent') openDestination(call);
  pay(call, checked, state === 'absent');
  return true;
}

/** Opens the owner's associated account for the payer, whom the ticket refunds from the rent that it was given. */
function openDestination({ invocation, accounts }: Call): void {
  const { payer, userDestinationLiquidity: destination } = accounts;
  const opened = {
    payer: payer.address,
    associatedToken: destination.address,
    owner: accounts.withdrawTicketOwner.address,
    mint: accounts.reserveLiquidityMint.address,
    systemProgram: accounts.systemProgram.address,
    tokenProgram: accounts.liquidityTokenProgram.address,
  };
  invocation.invoke(createAssociatedToken.encode(accounts.associatedTokenProgram.address, opened, {}));
  const rent = rentLamports(destination.data.length);
  accounts.withdrawTicket.takeLamports(rent);
  payer.addLamports(rent);
}

/** @param mustClose the ticket has spent its rent, so that it must end here */
function pay(call: Call, { market, reserve, ticket, mint, authority }: Checked, mustClose: boolean): void {
  const { invocation, accounts } = call;
  refreshReserveState(reserve, invocation.clock, market);
  const checkVault = watchVault(accounts.reserveLiquiditySupply, reserve);
  const checkQueue = watchQueue(accounts.ownerQueuedCollateralVault, reserve);
  const payment = payTicket(market, reserve, ticket.queuedCollateralAmount, invocation.clock);
  reserve.save();
  writeTicketCollateral(accounts.withdrawTicket, payment.left);
  invocation.log(`pnl: Paying ${payment.liquidity} for ${payment.burned} queued collateral tokens`);
  movePayment(call, payment, authority, mint.decimals);
  reportPayment(invocation, ticket.progressCallbackType, accounts, payment);
  checkVault(-payment.liquidity);
  checkQueue(-payment.burned);
  if (payment.left === 0n) accounts.withdrawTicket.close(accounts.withdrawTicketOwner);
  else ensure(!mustClose, LENDING.withdrawTicketRequiresFullRedemption);
}

function movePayment(
  { invocation, accounts }: Call,
  { burned, liquidity }: TicketPayment,
  authority: Checked['authority'],
  decimals: number,
): void {
  burnCollateral(
    invocation,
    {
      tokenProgram: accounts.collateralTokenProgram.address,
      mint: accounts.reserveCollateralMint.address,
      account: accounts.ownerQueuedCollateralVault.address,
      authority,
      amount: burned,
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
      amount: liquidity,
    },
    accounts.reserveLiquidityMint.address,
    decimals,
    [authority],
  );
}

function checkAccounts({ accounts }: Call) {
  const { reserve: reserveAccount, lendingMarket, withdrawTicket } = accounts;
  const market = loadMarket(lendingMarket);
  const reserve = ReserveState.load(reserveAccount);
  const { liquidity, collateral } = reserve.data;
  loadMint(accounts.reserveLiquidityMint);
  loadMint(accounts.reserveCollateralMint);
  loadTokenAccount(accounts.reserveLiquiditySupply);
  loadTokenAccount(accounts.ownerQueuedCollateralVault);
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkTokenProgram(accounts.liquidityTokenProgram);
  const ticket = loadTicket(withdrawTicket);
  checkProgram(accounts.associatedTokenProgram, ASSOCIATED_TOKEN_PROGRAM);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);

  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, lendingMarket);
  checkHasOne(reserve.data.lendingMarket, lendingMarket);
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, accounts.liquidityTokenProgram.address);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  loadMint(accounts.reserveCollateralMint, TOKEN_PROGRAM);
  checkAddress(accounts.reserveLiquiditySupply, liquidity.supplyVault);
  checkQueuedVault({
    account: accounts.ownerQueuedCollateralVault,
    reserve: reserve.address,
    owner: ticket.owner,
    mint: collateral.mintPubkey,
    authority,
  });
  checkAddress(accounts.userDestinationLiquidity, ticket.userDestinationLiquidityTa);
  checkTicket(withdrawTicket, ticket, reserveAccount, reserve.queue.nextPaid);
  ensure(ticket.invalid === 0, LENDING.withdrawTicketInvalid);
  checkAddress(accounts.withdrawTicketOwner, ticket.owner);
  const { progressCallbackType: type, progressCallbackCustomAccounts: custom } = ticket;
  const { progressCallbackProgram, progressCallbackCustomAccount0, progressCallbackCustomAccount1 } =
    accounts;
  if (progressCallbackProgram !== null) checkAddress(progressCallbackProgram, callbackProgram(type));
  [progressCallbackCustomAccount0, progressCallbackCustomAccount1].forEach((account, i) => {
    if (account !== null) ensure(account.address === custom[i], ANCHOR_ERRORS.constraintAddress);
  });
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { market, reserve, ticket, mint, authority };
}
