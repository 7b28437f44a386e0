import { cancelWithdrawTicket as layout } from '@sluice/protocol/klend/withdraw-queue-instructions';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import { checkAddress, checkHasOne, checkProgram, loadMint, loadTokenAccount } from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNoReserveEmergency, checkVersion } from './reserve-checks.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { moveQueuedCollateral } from './reserve-transfers.ts';
import { cancel, watchReturn } from './withdraw-queue.ts';
import { checkQueuedVault, checkTicket, loadTicket, writeTicketCollateral } from './withdraw-ticket.ts';

type Call = CallOf<typeof layout>;

/** Returns collateral tokens of a ticket to its owner. An emptied ticket stays in the queue until its turn. */
export const cancelWithdrawTicket = anchorInstruction(layout, 34_000, (call) => {
  const { invocation, accounts, args } = call;
  const { market, reserve, ticket, mint, authority } = checkAccounts(call);
  checkNoEmergency(market);

  checkVersion(reserve);
  checkNoReserveEmergency(reserve);
  ensure(market.withdrawTicketCancellationEnabled !== 0, LENDING.withdrawTicketCancellationDisabled);
  refreshReserveState(reserve, invocation.clock, market);
  const { ownerQueuedCollateralVault: vault, userDestinationCollateral: destination } = accounts;
  const checkReturn = watchReturn(vault, destination);
  const { queuedCollateralAmount: held } = ticket;
  const returned = cancel(market, reserve, held, args.collateralAmountToCancel);
  reserve.save();
  writeTicketCollateral(accounts.withdrawTicket, held - returned);
  invocation.log(
    `pnl: Returning ${returned} queued collateral tokens, ${held - returned} stay in the ticket`,
  );
  moveQueuedCollateral(
    invocation,
    {
      tokenProgram: accounts.collateralTokenProgram.address,
      source: vault.address,
      destination: destination.address,
      owner: authority,
      amount: returned,
    },
    accounts.reserveCollateralMint.address,
    mint.decimals,
    [authority],
  );
  checkReturn(returned);
});

function checkAccounts({ accounts, args }: Call) {
  const { owner, lendingMarket, withdrawTicket, userDestinationCollateral } = accounts;
  const market = loadMarket(lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  const { mintPubkey } = reserve.data.collateral;
  loadMint(accounts.reserveCollateralMint);
  loadTokenAccount(accounts.ownerQueuedCollateralVault);
  const destination = loadTokenAccount(userDestinationCollateral);
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  const ticket = loadTicket(withdrawTicket);

  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, lendingMarket);
  checkHasOne(reserve.data.lendingMarket, lendingMarket);
  checkAddress(accounts.reserveCollateralMint, mintPubkey);
  const mint = loadMint(accounts.reserveCollateralMint, TOKEN_PROGRAM);
  checkQueuedVault({
    account: accounts.ownerQueuedCollateralVault,
    reserve: reserve.address,
    owner: owner.address,
    mint: mintPubkey,
    authority,
  });
  ensure(destination.delegate === null, LENDING.invalidTokenAccountState);
  loadTokenAccount(userDestinationCollateral, { mint: mintPubkey, authority: owner.address });
  checkTicket(withdrawTicket, ticket, accounts.reserve, args.ticketSequenceNumber);
  ensure(ticket.owner === owner.address, LENDING.invalidSigner);
  ensure(ticket.invalid === 0, LENDING.withdrawTicketInvalid);
  ensure(ticket.queuedCollateralAmount !== 0n, LENDING.withdrawTicketFullyCancelled);
  return { market, reserve, ticket, mint, authority };
}
