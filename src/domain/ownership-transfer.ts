import type { BorrowOrder, Obligation } from '@sluice/protocol/klend/obligation';
import type { Address } from '@solana/kit';

/** INITIATED: the owner has named the new one. APPROVED: the admin of the lending program has agreed. By the program's number, from 1. */
export const TRANSFER_STATES = ['INITIATED', 'APPROVED'] as const;

export type TransferState = (typeof TRANSFER_STATES)[number];

/** A transfer of an obligation to another wallet that is under way. */
export interface OwnershipTransfer {
  readonly newOwner: Address;
  /** Null for a number that this version does not know. */
  readonly state: TransferState | null;
}

/** The stored owner of an obligation and the transfer to another one. */
export type OwnershipFields = Pick<Obligation, 'owner' | 'pendingOwner' | 'ownershipTransferState'>;

export type StoredBorrowOrders = Pick<Obligation, 'headBorrowOrder' | 'tailBorrowOrders'>;

/** Number of a state as the program stores it. */
export const transferNumber = (state: TransferState): number => TRANSFER_STATES.indexOf(state) + 1;

/** Null when no transfer is under way. */
export function ownershipTransfer({
  ownershipTransferState: number,
  pendingOwner: newOwner,
}: OwnershipFields): OwnershipTransfer | null {
  return number === 0 ? null : { newOwner, state: TRANSFER_STATES[number - 1] ?? null };
}

/** Whether the owner may still abort. */
export const isAbortable = ({ state }: OwnershipTransfer): boolean => state === 'INITIATED';

/** The steps that are left, in order, each in one or two sentences. */
export function remainingSteps({ newOwner, state }: OwnershipTransfer): string[] {
  const accept = `The new owner ${newOwner} accepts the obligation.`;
  switch (state) {
    case 'INITIATED':
      return [
        'The admin of the lending program approves the transfer. Until then the owner can abort it.',
        accept,
      ];
    case 'APPROVED':
      return [accept];
    case null:
      return [];
  }
}

/** The borrow orders of an obligation, by index. */
export const storedBorrowOrders = ({
  headBorrowOrder,
  tailBorrowOrders,
}: StoredBorrowOrders): BorrowOrder[] => [headBorrowOrder, ...tailBorrowOrders];

/** Whether the program removes a borrow order at its next chance. @param timestamp unix seconds */
export const isExpired = ({ fillableUntilTimestamp }: BorrowOrder, timestamp: bigint): boolean =>
  fillableUntilTimestamp < timestamp;
