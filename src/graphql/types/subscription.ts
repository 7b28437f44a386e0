import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import { reservesSubject, SLOT_SUBJECT, vaultsSubject } from '../../live/catalogue-subjects.ts';
import { healthSubject, obligationsSubject } from '../../live/obligation-subjects.ts';
import type { Subject, Update } from '../../live/update.ts';
import { walletSubject } from '../../live/wallet-subject.ts';
import { builder } from '../builder.ts';
import type { GraphQLContext } from '../context.ts';
import {
  ObligationUpdateRef,
  ReserveUpdateRef,
  SlotUpdateRef,
  VaultUpdateRef,
  WalletUpdateRef,
} from './update.ts';

const HOW =
  'The first event tells the present state, with the reason INITIAL; after that, one event for each View in which something changed.';

builder.subscriptionType({
  description:
    'What changes, as it changes, over server-sent events: docs/live.md. One stream serves a page: name all addresses that it shows. A client that reads slowly gets the newest state and not what came in between; one that connects again begins with the present state.',
});

function hear<S>({ watch }: GraphQLContext, subject: Subject<S>): AsyncIterable<Update<S>> {
  if (watch === undefined) throw new Error('a subscription is opened outside of a stream');
  return watch(subject);
}

/** A stream of nothing would never say anything. */
function someOf(addresses: readonly Address[]): readonly Address[] {
  if (addresses.length === 0) throw new SluiceError('BAD_REQUEST', { reason: 'Name at least one address.' });
  return addresses;
}

builder.subscriptionFields((t) => ({
  slot: t.field({
    type: SlotUpdateRef,
    nullable: false,
    description: 'Each new View of the chain, with its slot.',
    subscribe: (_root, _args, context) => hear(context, SLOT_SUBJECT),
    resolve: (update) => update,
  }),
  vaults: t.field({
    type: VaultUpdateRef,
    nullable: false,
    description: `Vaults of the catalogue; an event tells of one of them. ${HOW}`,
    args: {
      addresses: t.arg({ type: ['Address'], required: true, description: 'Addresses of the vaults.' }),
    },
    subscribe: (_root, { addresses }, context) => hear(context, vaultsSubject(someOf(addresses))),
    resolve: (update) => update,
  }),
  reserves: t.field({
    type: ReserveUpdateRef,
    nullable: false,
    description: `Reserves of the catalogue; an event tells of one of them. ${HOW}`,
    args: {
      addresses: t.arg({ type: ['Address'], required: true, description: 'Addresses of the reserves.' }),
    },
    subscribe: (_root, { addresses }, context) => hear(context, reservesSubject(someOf(addresses))),
    resolve: (update) => update,
  }),
  obligations: t.field({
    type: ObligationUpdateRef,
    nullable: false,
    description: `Obligations, also when a reserve of theirs moves; an event tells of one of them. ${HOW}`,
    args: {
      addresses: t.arg({ type: ['Address'], required: true, description: 'Addresses of the obligations.' }),
    },
    subscribe: (_root, { addresses }, context) => hear(context, obligationsSubject(someOf(addresses))),
    resolve: (update) => update,
  }),
  wallet: t.field({
    type: WalletUpdateRef,
    nullable: false,
    description: `A wallet: its vault positions, obligations and token balances. ${HOW} What others send to a token account that is new is seen within a minute.`,
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the wallet.' }) },
    subscribe: (_root, { address }, context) => hear(context, walletSubject(address)),
    resolve: (update) => update,
  }),
  obligationHealth: t.field({
    type: ObligationUpdateRef,
    nullable: false,
    description:
      'An alarm. The first event tells the present state, with the reason INITIAL, on whichever side of the threshold it is; after that, one event each time that the health factor falls below the threshold or comes back. `below` tells which.',
    args: {
      address: t.arg({ type: 'Address', required: true, description: 'Address of the obligation.' }),
      below: t.arg({
        type: 'Decimal',
        required: true,
        description: 'The threshold. An obligation can be liquidated when its health factor is below 1.',
      }),
    },
    subscribe: (_root, { address, below }, context) => hear(context, healthSubject(address, below)),
    resolve: (update) => update,
  }),
}));
