/** The transfer of an obligation to another wallet, for GraphQL and REST. */
export {
  isAbortable,
  type OwnershipTransfer,
  ownershipTransfer,
  remainingSteps,
  TRANSFER_STATES,
  type TransferState,
} from '../../domain/ownership-transfer.ts';
