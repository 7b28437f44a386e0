import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { changePosition, flowed, storedPriceOf } from '../lending/changes.ts';
import { refreshedAccount } from '../lending/effects.ts';
import { programAccount, type ReadAccounts } from '../read-accounts.ts';
import type { QueueAccounts, TicketAccounts } from './accounts.ts';
import type { CancelOutcome } from './cancel.ts';
import type { NewTicket } from './enqueue.ts';
import type { EnqueueAccounts } from './enqueue-accounts.ts';
import type { EnqueueOutcome } from './enqueue-outcome.ts';
import type { PayOutcome } from './pay.ts';

type ReserveFields = StructInput<typeof reserveLayout.body.fields>;

/** The accounts after an entry into the queue. */
export function enqueueChanges(
  accounts: EnqueueAccounts,
  { address, number, collateral }: NewTicket,
  { state, position, rent }: EnqueueOutcome,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { programs, owner, reserve, position: from, liquidity, marketAuthority } = accounts;
  const changes = new ChangedAccounts(read, accounts.payer);
  changes.openTokens(liquidity.address, liquidityKey(accounts));
  if (from !== null && position !== null) {
    changes.openTokens(accounts.collateral.address, collateralKey(accounts, owner));
    changePosition(changes, from, position, moment);
    changes.addTokens(accounts.collateral.address, position.effect.collateral);
  }
  const { queuedCollateralAmount } = reserve.withdrawQueue;
  const price = from && storedPriceOf(from, moment.timestamp);
  changeReserve(changes, accounts, refreshedAccount(state.accrued), {
    withdrawQueue: {
      queuedCollateralAmount: queuedCollateralAmount + collateral,
      nextIssuedTicketSequenceNumber: number + 1n,
    },
  });
  if (price !== null) changes.patch(accounts.reserveAddress, reserveLayout, price);
  const ticket = withdrawTicket.encode({
    sequenceNumber: number,
    owner,
    reserve: accounts.reserveAddress,
    userDestinationLiquidityTa: liquidity.address,
    queuedCollateralAmount: collateral,
    createdAtTimestamp: moment.timestamp,
  });
  changes.create(address, programs.klend, ticket, owner);
  changes.openTokens(accounts.queuedVault, collateralKey(accounts, marketAuthority), owner);
  changes.addTokens(accounts.collateral.address, -collateral);
  changes.addTokens(accounts.queuedVault, collateral);
  changes.addLamports(owner, -rent.reopening);
  changes.addLamports(address, rent.reopening);
  return changes.changes;
}

/** The accounts after the turn of a ticket. */
export function payChanges(
  accounts: TicketAccounts,
  { state, turn, reopens, opensFirst }: PayOutcome,
  closesWrappedSol: boolean,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { owner, payer, wallet, reserve, ticket, ticketAddress, liquidity } = accounts;
  const { queuedCollateralAmount: queued, nextWithdrawableTicketSequenceNumber: next } =
    reserve.withdrawQueue;
  const changes = new ChangedAccounts(read, payer);
  const left = turn.payment?.left ?? 0n;
  const taken = turn.payment?.burned ?? ticket.queuedCollateralAmount;
  const withdrawQueue = {
    queuedCollateralAmount: atLeastZero(queued - taken),
    nextWithdrawableTicketSequenceNumber: left === 0n ? next + 1n : next,
  };
  if (turn.payment === null) {
    // Nothing is refreshed for a ticket that is not paid.
    changes.patch(accounts.reserveAddress, reserveLayout, { withdrawQueue });
    if (turn.result === 'INVALID') changes.patch(ticketAddress, withdrawTicket, { invalid: 1 });
    else changes.close(ticketAddress, owner);
    return changes.changes;
  }
  const { liquidity: paid } = turn.payment;
  if (opensFirst) changes.openTokens(liquidity.address, liquidityKey(accounts));
  if (reopens) {
    // The wallet pays for the account, and takes that from what the ticket has prepaid.
    changes.openTokens(liquidity.address, liquidityKey(accounts), wallet);
    const rent = rentExemptLamports(
      programAccount(changes.read, liquidity.address)?.data.length ?? TOKEN_ACCOUNT_BYTES,
    );
    changes.addLamports(ticketAddress, -rent);
    changes.addLamports(wallet, rent);
  }
  const { depositWithdrawalCap } = reserve.config;
  const after = refreshedAccount(state.accrued, { available: -paid, collateral: -taken });
  changeReserve(changes, accounts, after, {
    withdrawQueue,
    config: { depositWithdrawalCap: flowed(depositWithdrawalCap, paid, moment.timestamp) },
    lastUpdate: { stale: 1 },
  });
  changes.addTokens(accounts.queuedVault, -taken);
  changes.addTokens(ticket.userDestinationLiquidityTa, paid);
  if (left === 0n) changes.close(ticketAddress, owner);
  else changes.patch(ticketAddress, withdrawTicket, { queuedCollateralAmount: left });
  if (closesWrappedSol) changes.close(liquidity.address, wallet);
  return changes.changes;
}

/** The accounts after a cancellation. */
export function cancelChanges(
  accounts: TicketAccounts,
  { state, returned, left }: CancelOutcome,
  read: ReadAccounts,
): AccountChanges {
  const { reserve, ticketAddress } = accounts;
  const { queuedCollateralAmount } = reserve.withdrawQueue;
  const changes = new ChangedAccounts(read, accounts.payer);
  changeReserve(changes, accounts, refreshedAccount(state.accrued), {
    withdrawQueue: { queuedCollateralAmount: atLeastZero(queuedCollateralAmount - returned) },
  });
  changes.patch(ticketAddress, withdrawTicket, { queuedCollateralAmount: left });
  returnCollateral(changes, accounts, returned);
  return changes.changes;
}

/** The accounts after a recovery, which leaves the reserve alone. */
export function recoverChanges(accounts: TicketAccounts, read: ReadAccounts): AccountChanges {
  const changes = new ChangedAccounts(read, accounts.payer);
  returnCollateral(changes, accounts, accounts.ticket.queuedCollateralAmount);
  changes.close(accounts.ticketAddress, accounts.owner);
  return changes.changes;
}

function changeReserve(
  changes: ChangedAccounts,
  { reserveAddress }: QueueAccounts,
  { lastUpdate, liquidity, collateral }: ReturnType<typeof refreshedAccount>,
  more: ReserveFields,
): void {
  const updated = { slot: lastUpdate.slot, timestamp: lastUpdate.timestamp, stale: 0 };
  changes.patch(reserveAddress, reserveLayout, { lastUpdate: updated, liquidity, collateral });
  changes.patch(reserveAddress, reserveLayout, more);
}

function returnCollateral(changes: ChangedAccounts, accounts: TicketAccounts, amount: bigint): void {
  const { owner, queuedVault, collateral } = accounts;
  changes.openTokens(collateral.address, collateralKey(accounts, owner));
  changes.addTokens(queuedVault, -amount);
  changes.addTokens(collateral.address, amount);
}

const liquidityKey = ({ owner, reserve, tokenProgram }: QueueAccounts) => ({
  owner,
  mint: reserve.liquidity.mintPubkey,
  tokenProgram,
});

const collateralKey = ({ reserve }: QueueAccounts, owner: QueueAccounts['owner']) => ({
  owner,
  mint: reserve.collateral.mintPubkey,
  tokenProgram: TOKEN_PROGRAM,
});
