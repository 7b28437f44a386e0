import type { Address } from '@solana/kit';
import { SluiceError } from '../../../errors/sluice-error.ts';
import { reservesSubject, SLOT_SUBJECT, vaultsSubject } from '../../../live/catalogue-subjects.ts';
import { healthSubject, obligationsSubject } from '../../../live/obligation-subjects.ts';
import { transactionSubject } from '../../../live/transaction-subject.ts';
import { walletSubject } from '../../../live/wallet-subject.ts';
import { builder } from '../../builder.ts';
import type { GraphQLContext, Opening } from '../../context.ts';
import { SentTransactionRef } from '../sending/send.ts';
import {
  ObligationUpdateRef,
  ReserveUpdateRef,
  SlotUpdateRef,
  VaultUpdateRef,
  WalletUpdateRef,
} from './update.ts';

const HOW =
  'The first event has the current state and the reason INITIAL. After that, each View with a change sends one event.';

builder.subscriptionType({
  description:
    'Live updates over server-sent events; see docs/live.md. One stream serves a whole page: pass all addresses that it shows. A slow client receives the newest state and skips the states in between. A client that reconnects starts with the current state. Events are charged to the rate limit; a stream that exceeds it skips Views and reports them in `extensions.slowed`.',
});

function openingOf({ opening }: GraphQLContext): Opening {
  if (opening === undefined) throw new Error('a subscription was opened outside a stream');
  return opening;
}

/** Rejects an empty list: the stream would never send an event. */
function someOf(addresses: readonly Address[]): readonly Address[] {
  if (addresses.length === 0) throw new SluiceError('BAD_REQUEST', { reason: 'Pass at least one address.' });
  return addresses;
}

builder.subscriptionFields((t) => ({
  slot: t.field({
    type: SlotUpdateRef,
    description: 'Sends an event for each new View of the chain, with its slot.',
    subscribe: (_root, _args, context) => openingOf(context).watch('slot', 1, SLOT_SUBJECT),
    resolve: (update) => update,
  }),
  vaults: t.field({
    type: VaultUpdateRef,
    description: `Updates of vaults of the catalogue. Each event is about one vault. ${HOW}`,
    args: {
      addresses: t.arg({ type: ['Address'], required: true, description: 'Addresses of the vaults.' }),
    },
    subscribe: (_root, { addresses }, context) =>
      openingOf(context).watch('vaults', addresses.length, vaultsSubject(someOf(addresses))),
    resolve: (update) => update,
  }),
  reserves: t.field({
    type: ReserveUpdateRef,
    description: `Updates of reserves of the catalogue. Each event is about one reserve. ${HOW}`,
    args: {
      addresses: t.arg({ type: ['Address'], required: true, description: 'Addresses of the reserves.' }),
    },
    subscribe: (_root, { addresses }, context) =>
      openingOf(context).watch('reserves', addresses.length, reservesSubject(someOf(addresses))),
    resolve: (update) => update,
  }),
  obligations: t.field({
    type: ObligationUpdateRef,
    description: `Updates of obligations, including changes of the reserves that they use. Each event is about one obligation. ${HOW}`,
    args: {
      addresses: t.arg({ type: ['Address'], required: true, description: 'Addresses of the obligations.' }),
    },
    subscribe: (_root, { addresses }, context) =>
      openingOf(context).watch('obligations', addresses.length, obligationsSubject(someOf(addresses))),
    resolve: (update) => update,
  }),
  wallet: t.field({
    type: WalletUpdateRef,
    description: `Updates of a wallet: its vault positions, obligations, withdraw tickets and token balances. ${HOW} Tokens sent to a new token account appear within a minute.`,
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the wallet.' }) },
    subscribe(_root, { address }, context) {
      const { watch, walletSearches } = openingOf(context);
      return watch('wallet', 1, walletSubject(address, walletSearches));
    },
    resolve: (update) => update,
  }),
  obligationHealth: t.field({
    type: ObligationUpdateRef,
    description:
      'Health alert for an obligation. The first event has the current state and the reason INITIAL. After that, an event is sent each time the health factor falls below the threshold or recovers. `below` says which.',
    args: {
      address: t.arg({ type: 'Address', required: true, description: 'Address of the obligation.' }),
      below: t.arg({
        type: 'Decimal',
        required: true,
        description:
          'Threshold of the health factor. An obligation can be liquidated when its health factor is 1 or below.',
      }),
    },
    subscribe: (_root, { address, below }, context) =>
      openingOf(context).watch('obligationHealth', 1, healthSubject(address, below)),
    resolve: (update) => update,
  }),
  transaction: t.field({
    type: SentTransactionRef,
    description:
      'Follows a transaction, whoever sent it. The first event has its current status. After that, each change sends an event, until it is finalized, has failed or has expired: then the stream completes.',
    args: {
      signature: t.arg.string({
        required: true,
        description: 'Signature of the transaction in base58.',
      }),
    },
    subscribe(_root, { signature }, context) {
      const { watch, sent } = openingOf(context);
      return watch('transaction', 1, transactionSubject(signature, sent));
    },
    resolve: ({ state }) => state,
  }),
}));
