import {
  abortTransferAction,
  acceptObligationAction,
  initiateTransferAction,
} from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { BuildOptionsRef, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const signs = 'who signs the transaction and pays its fee unless there is another fee payer.';
const options = 'Options of the build. A memo, a tip and a durable nonce are refused.';

const InitiateTransferInputRef = builder.inputType('InitiateObligationTransferInput', {
  description: 'Input of an offer of an obligation to another wallet.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation to transfer.'),
    newOwner: t.field({
      type: 'Address',
      required: true,
      description: 'The wallet that is to own the obligation.',
    }),
    options: t.field({ type: BuildOptionsRef, description: options }),
  }),
});

const AbortTransferInputRef = builder.inputType('AbortObligationTransferInput', {
  description: 'Input of the withdrawal of an offer of an obligation.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation to transfer.'),
    options: t.field({ type: BuildOptionsRef, description: options }),
  }),
});

const AcceptObligationInputRef = builder.inputType('AcceptObligationInput', {
  description: 'Input of the acceptance of an obligation.',
  fields: (t) => ({
    wallet: t.field({ type: 'Address', required: true, description: `The new owner, ${signs}` }),
    obligation: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the obligation. It stays the same under the new owner.',
    }),
    options: t.field({ type: BuildOptionsRef, description: options }),
  }),
});

const ALONE = 'It has a transaction to itself, also in a plan.';

export const OWNERSHIP_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'initiateObligationTransfer',
    mutation: 'buildInitiateObligationTransfer',
    kind: 'INITIATE_OBLIGATION_TRANSFER',
    builds: `Builds the offer of an obligation to another wallet, the first step of its transfer. The admin of the lending program then approves it, and the new owner accepts it. ${ALONE}`,
    input: InitiateTransferInputRef,
    actionOf: (source, { wallet, market, obligation, newOwner }) =>
      initiateTransferAction(source, { wallet, market, ...choiceOf(obligation), newOwner }),
  }),
  actionField({
    name: 'abortObligationTransfer',
    mutation: 'buildAbortObligationTransfer',
    kind: 'ABORT_OBLIGATION_TRANSFER',
    builds: `Builds the withdrawal of the offer of an obligation, possible until the admin of the lending program has approved it. ${ALONE}`,
    input: AbortTransferInputRef,
    actionOf: (source, { wallet, market, obligation }) =>
      abortTransferAction(source, { wallet, market, ...choiceOf(obligation) }),
  }),
  actionField({
    name: 'acceptObligation',
    mutation: 'buildAcceptObligation',
    kind: 'ACCEPT_OBLIGATION',
    builds: `Builds the acceptance of an obligation that was offered to the wallet and approved, with its debts: the last step of its transfer. ${ALONE}`,
    input: AcceptObligationInputRef,
    actionOf: (source, { wallet, obligation }) => acceptObligationAction(source, { wallet, obligation }),
  }),
];
