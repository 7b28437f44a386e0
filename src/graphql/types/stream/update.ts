import type { Address } from '@solana/kit';
import { isCodedError } from '../../../errors/sluice-error.ts';
import type { CatalogueState, ViewState } from '../../../live/catalogue-subjects.ts';
import type { LookupResult } from '../../../live/lookup-result.ts';
import type { ObligationState } from '../../../live/obligation-subjects.ts';
import type { Update } from '../../../live/update.ts';
import type { WalletState } from '../../../live/wallet-subject.ts';
import type { ReserveRecord, VaultRecord } from '../../../services/request/records.ts';
import { builder } from '../../builder.ts';
import { ObligationRef, ReserveRef, VaultRef, WalletRef } from '../../node-refs.ts';

const UpdateReasonRef = builder.enumType('UpdateReason', {
  description:
    'Why an event was sent. With several causes, the first in the order INITIAL, ACCOUNT, PRICE, ACCRUAL. A refresh instruction, which only stores the current price and interest in an account, does not count as a change of the account.',
  values: {
    INITIAL: {
      description: 'The first event of the stream, or the first after a reconnect.',
    },
    ACCOUNT: {
      description: 'The account changed: a deposit, a repayment, a transfer or a configuration change.',
    },
    PRICE: { description: 'A price used in its valuation changed.' },
    ACCRUAL: { description: 'Interest accrued, or other users changed the reserves that it uses.' },
  } as const,
});

const SLOT = { type: 'U64', description: 'Slot of the View that the event was computed from.' } as const;
const REASON = { type: UpdateReasonRef, description: 'Why the event was sent.' } as const;
const ADDRESS = {
  type: 'Address',
  description: 'The address, as passed to the subscription.',
  resolve: ({ state }: { state: { readonly address: Address } }) => state.address,
} as const;

/** The account of an event; an error when its bytes cannot be decoded. */
function readable<R>(found: LookupResult<R>): R | null {
  if (isCodedError(found)) throw found;
  return found;
}

export const SlotUpdateRef = builder.objectRef<Update<ViewState>>('SlotUpdate').implement({
  description: 'A new View of the chain.',
  fields: (t) => ({
    slot: t.expose('slot', SLOT),
    reason: t.expose('reason', REASON),
    view: t.id({
      description:
        'Id of the View, unique across gateways. Send it as `X-View` to read the same state while the gateway retains it.',
      resolve: ({ state }) => state.moment.id,
    }),
    blockTime: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the slot, according to the cluster\u2019s clock.',
      resolve: ({ state }) => new Date(Number(state.moment.timestamp) * 1000),
    }),
  }),
});

export const VaultUpdateRef = builder
  .objectRef<Update<CatalogueState<VaultRecord>>>('VaultUpdate')
  .implement({
    description: 'State of a vault in a new View.',
    fields: (t) => ({
      slot: t.expose('slot', SLOT),
      reason: t.expose('reason', REASON),
      address: t.field(ADDRESS),
      vault: t.field({
        type: VaultRef,
        nullable: true,
        description:
          'The vault. Null when there is none at the address; null with an error when it cannot be read.',
        resolve: ({ state }) => readable(state.found),
      }),
    }),
  });

export const ReserveUpdateRef = builder
  .objectRef<Update<CatalogueState<ReserveRecord>>>('ReserveUpdate')
  .implement({
    description: 'State of a reserve in a new View.',
    fields: (t) => ({
      slot: t.expose('slot', SLOT),
      reason: t.expose('reason', REASON),
      address: t.field(ADDRESS),
      reserve: t.field({
        type: ReserveRef,
        nullable: true,
        description:
          'The reserve. Null when there is none at the address; null with an error when it cannot be read.',
        resolve: ({ state }) => readable(state.found),
      }),
    }),
  });

export const ObligationUpdateRef = builder.objectRef<Update<ObligationState>>('ObligationUpdate').implement({
  description: 'State of an obligation, read with a new View.',
  fields: (t) => ({
    slot: t.expose('slot', SLOT),
    reason: t.expose('reason', REASON),
    address: t.field(ADDRESS),
    obligation: t.field({
      type: ObligationRef,
      nullable: true,
      description:
        'The obligation. Null when there is none at the address; null with an error when it cannot be read.',
      resolve: ({ state }) => readable(state.found),
    }),
    below: t.boolean({
      nullable: true,
      description:
        'Whether the health factor is below the threshold of `obligationHealth`. Null without debt, when the health factor is unknown, and in `obligations`, which has no threshold.',
      resolve: ({ state }) => state.isBelow,
    }),
  }),
});

export const WalletUpdateRef = builder.objectRef<Update<WalletState>>('WalletUpdate').implement({
  description: 'State of a wallet and its positions, read with a new View.',
  fields: (t) => ({
    slot: t.expose('slot', SLOT),
    reason: t.expose('reason', REASON),
    wallet: t.field({
      type: WalletRef,
      description: 'The wallet.',
      resolve: ({ state }) => ({ address: state.address }),
    }),
  }),
});
