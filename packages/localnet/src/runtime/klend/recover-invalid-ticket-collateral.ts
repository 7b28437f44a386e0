import { recoverInvalidTicketCollateral as layout } from '@sluice/protocol/klend/withdraw-queue-instructions';
import { INSTRUCTIONS_SYSVAR, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import { checkAddress, checkHasOne, checkProgram, loadMint, loadTokenAccount } from '../anchor-accounts.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNoReserveEmergency, checkVersion } from './reserve-checks.ts';
import { ReserveState } from './reserve-state.ts';
import { moveQueuedCollateral } from './reserve-transfers.ts';
import { hasAssociatedAddress } from './ticket-destination.ts';
import { watchReturn } from './withdraw-queue.ts';
import { checkQueuedVault, checkTicket, loadTicket } from './withdraw-ticket.ts';

type Call = CallOf<typeof layout>;

/** Returns the collateral tokens of a ticket that could not be paid, and closes it. Anybody may do so for the owner. */
export const recoverInvalidTicketCollateral = anchorInstruction(layout, 26_000, (call) => {
  const { invocation, accounts } = call;
  const { market, reserve, ticket, mint, authority } = checkAccounts(call);
  checkNoEmergency(market);

  checkVersion(reserve);
  checkNoReserveEmergency(reserve);
  const { ownerQueuedCollateralVault: vault, userSourceCollateral: destination } = accounts;
  const checkReturn = watchReturn(vault, destination);
  const { queuedCollateralAmount: amount } = ticket;
  moveQueuedCollateral(
    invocation,
    {
      tokenProgram: accounts.collateralTokenProgram.address,
      source: vault.address,
      destination: destination.address,
      owner: authority,
      amount,
    },
    accounts.reserveCollateralMint.address,
    mint.decimals,
    [authority],
  );
  checkReturn(amount);
  accounts.withdrawTicket.close(accounts.withdrawTicketOwner);
});

function checkAccounts({ accounts, args }: Call) {
  const { payer, lendingMarket, withdrawTicket, withdrawTicketOwner } = accounts;
  const market = loadMarket(lendingMarket);
  const reserve = ReserveState.load(accounts.reserve);
  const { mintPubkey } = reserve.data.collateral;
  loadMint(accounts.reserveCollateralMint);
  loadTokenAccount(accounts.ownerQueuedCollateralVault);
  const destination = loadTokenAccount(accounts.userSourceCollateral);
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  const ticket = loadTicket(withdrawTicket);

  const authority = checkMarketAuthority(accounts.lendingMarketAuthority, lendingMarket);
  checkHasOne(reserve.data.lendingMarket, lendingMarket);
  checkAddress(accounts.reserveCollateralMint, mintPubkey);
  const mint = loadMint(accounts.reserveCollateralMint, TOKEN_PROGRAM);
  const { owner } = ticket;
  checkQueuedVault({
    account: accounts.ownerQueuedCollateralVault,
    reserve: reserve.address,
    owner,
    mint: mintPubkey,
    authority,
  });
  ensure(destination.delegate === null, LENDING.invalidTokenAccountState);
  const associated = { owner, mint: mintPubkey, tokenProgram: TOKEN_PROGRAM };
  const mayChoose = payer.address === owner;
  ensure(mayChoose || hasAssociatedAddress(accounts.userSourceCollateral, associated), LENDING.invalidSigner);
  loadTokenAccount(accounts.userSourceCollateral, { mint: mintPubkey, authority: owner });
  checkTicket(withdrawTicket, ticket, accounts.reserve, args.ticketSequenceNumber);
  ensure(ticket.invalid !== 0, LENDING.withdrawTicketStillValid);
  ensure(withdrawTicket.address !== withdrawTicketOwner.address, ANCHOR_ERRORS.constraintClose);
  checkAddress(withdrawTicketOwner, owner);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { market, reserve, ticket, mint, authority };
}
