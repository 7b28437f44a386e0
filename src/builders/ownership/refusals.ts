import type { Obligation } from '@sluice/protocol/klend/obligation';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { isActiveOrder } from '../../domain/obligation-orders.ts';
import { isExpired, ownershipTransfer, storedBorrowOrders } from '../../domain/ownership-transfer.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { lendingError } from '../program-errors.ts';
import type { OwnershipAccounts } from './accounts.ts';

/**
 * Refusals of the program. Nothing else of the transaction can change the state in between, so they end the build. Each
 * function has the order of the program's checks.
 */

/** When a step runs, and on which program. */
export interface CheckContext {
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Whether stop-loss and take-profit orders stand in the way, as since klend 1.26. */
  readonly refusesOrders: boolean;
}

/** @throws BUILD_REFUSED when the owner cannot offer the obligation to the wallet */
export function checkInitiation(
  { obligation }: OwnershipAccounts,
  newOwner: Address,
  context: CheckContext,
): void {
  const transfer = ownershipTransfer(obligation);
  if (transfer !== null) {
    throw refused(
      'ObligationOwnershipTransferInProgress',
      `a transfer of the obligation to ${transfer.newOwner} is under way already`,
    );
  }
  checkOrders(obligation, context);
  if (newOwner === NO_ADDRESS) {
    throw refused('ObligationInvalidPendingOwner', 'the default address cannot own an obligation');
  }
  if (newOwner === obligation.owner) {
    throw refused('ObligationInvalidPendingOwner', `${newOwner} owns the obligation already`);
  }
}

/** @throws BUILD_REFUSED when the wallet cannot take the obligation over */
export function checkAcceptance(
  { request, obligation, obligationAddress }: OwnershipAccounts,
  context: CheckContext,
): void {
  const { wallet } = request;
  if (obligation.pendingOwner !== wallet) {
    throw refused(
      'ObligationInvalidPendingOwner',
      `obligation ${obligationAddress} is not offered to ${wallet}`,
    );
  }
  checkOrders(obligation, context);
  if (ownershipTransfer(obligation)?.state !== 'APPROVED') {
    throw refused(
      'ObligationOwnershipTransferNotApproved',
      'the admin of the lending program has not approved the transfer yet',
    );
  }
}

/** @throws BUILD_REFUSED when there is nothing to abort */
export function checkAbort({ obligation }: OwnershipAccounts): void {
  const transfer = ownershipTransfer(obligation);
  if (transfer?.state === 'INITIATED') return;
  throw refused(
    'ObligationOwnershipTransferNotInInitiatedState',
    transfer === null
      ? 'no transfer of the obligation is under way'
      : 'the transfer is approved already, and only the new owner can still act on it',
  );
}

function checkOrders(obligation: Obligation, { timestamp, refusesOrders }: CheckContext): void {
  const isOpen = storedBorrowOrders(obligation).some(
    (order) => order.remainingDebtAmount > 0n && !isExpired(order, timestamp),
  );
  if (isOpen) {
    throw refused(
      'ObligationHasActiveBorrowOrders',
      'the obligation has an open borrow order; cancel it first',
    );
  }
  if (refusesOrders && obligation.obligationOrders.some(isActiveOrder)) {
    throw refused(
      'ObligationHasActiveObligationOrders',
      'the obligation has a stop-loss or take-profit order; cancel it first',
    );
  }
}

function refused(name: string, reason: string): CodedError {
  return new SluiceError('BUILD_REFUSED', { reason: `${reason} (${lendingError(name).number} ${name})` });
}
