import { z } from '@hono/zod-openapi';
import {
  abortTransferAction,
  acceptObligationAction,
  initiateTransferAction,
} from '../../services/builds/actions.ts';
import { address } from '../values/address.ts';
import { type KtxAction, ktxAction } from './action.ts';
import { NOT_AN_OBJECT, options, wallet } from './body-parts.ts';
import { ObligationChoiceBody, obligationOf } from './obligation-choice-schemas.ts';

const market = address('Address of the lending market.');
const obligation = ObligationChoiceBody.optional();

const body = <S extends z.ZodRawShape>(name: string, shape: S) =>
  z.object({ ...shape, wallet, options }, { error: NOT_AN_OBJECT }).openapi(name);

const INITIATE = ktxAction({
  name: 'initiateObligationTransfer',
  id: 'initiateObligationTransfer',
  mutation: 'buildInitiateObligationTransfer',
  path: '/ktx/klend/initiate-obligation-transfer',
  purpose: 'offer an obligation to another wallet',
  body: body('InitiateObligationTransferBody', {
    market,
    obligation,
    newOwner: address('The wallet that is to own the obligation.'),
  }),
  example: ({ wallet: owner, market: place, emptyWallet }) => ({
    wallet: owner,
    market: place,
    newOwner: emptyWallet,
  }),
  actionOf: (source, { wallet: owner, market: place, obligation: chosen, newOwner }) =>
    initiateTransferAction(source, { wallet: owner, market: place, ...obligationOf(chosen), newOwner }),
});

const ABORT = ktxAction({
  name: 'abortObligationTransfer',
  id: 'abortObligationTransfer',
  mutation: 'buildAbortObligationTransfer',
  path: '/ktx/klend/abort-obligation-transfer',
  purpose: 'withdraw the offer of an obligation before it is approved',
  body: body('AbortObligationTransferBody', { market, obligation }),
  example: ({ offeringWallet, market: place }) => ({ wallet: offeringWallet, market: place }),
  actionOf: (source, { wallet: owner, market: place, obligation: chosen }) =>
    abortTransferAction(source, { wallet: owner, market: place, ...obligationOf(chosen) }),
});

const ACCEPT = ktxAction({
  name: 'acceptObligation',
  id: 'acceptObligation',
  mutation: 'buildAcceptObligation',
  path: '/ktx/klend/accept-obligation',
  purpose: 'take over an obligation that was offered to the wallet',
  body: body('AcceptObligationBody', {
    obligation: address('Address of the obligation. It stays the same under the new owner.'),
  }),
  example: ({ newOwner, approvedObligation }) => ({ wallet: newOwner, obligation: approvedObligation }),
  actionOf: (source, { wallet: newOwner, obligation: offered }) =>
    acceptObligationAction(source, { wallet: newOwner, obligation: offered }),
});

/** The steps of the transfer of an obligation that wallets sign. */
export const OWNERSHIP_ACTIONS: readonly KtxAction[] = [INITIATE, ABORT, ACCEPT];
