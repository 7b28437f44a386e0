import {
  isAbortable,
  type OwnershipTransfer,
  remainingSteps,
  type TransferState,
} from '../../../services/obligations/ownership-transfer.ts';
import { builder } from '../../builder.ts';

const TransferStateRef = builder.enumType('OwnershipTransferState', {
  description: 'Progress of the transfer of an obligation to another wallet.',
  values: {
    INITIATED: { description: 'The owner has named the new one. The owner can still abort the transfer.' },
    APPROVED: {
      description: 'The admin of the lending program has agreed. Only the new owner can act, by accepting.',
    },
  } as const satisfies Record<TransferState, object>,
});

export const OwnershipTransferRef = builder.objectRef<OwnershipTransfer>('OwnershipTransfer').implement({
  description:
    'Transfer of an obligation to another wallet that is under way. Until its last step the owner can still deposit, withdraw, borrow and repay.',
  fields: (t) => ({
    newOwner: t.expose('newOwner', { type: 'Address', description: 'The wallet that is to own it.' }),
    state: t.expose('state', {
      type: TransferStateRef,
      nullable: true,
      description: 'Progress. Null for a state unknown to this version of the gateway.',
    }),
    canAbort: t.boolean({
      description: 'Whether the owner can still abort the transfer.',
      resolve: isAbortable,
    }),
    remainingSteps: t.stringList({
      description: 'The steps that are left, in order, each in one or two sentences.',
      resolve: remainingSteps,
    }),
  }),
});
