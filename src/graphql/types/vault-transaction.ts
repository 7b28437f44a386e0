import { isLatestPosition } from '../../services/positions-over-time/latest-position.ts';
import {
  type TransactionPage,
  transactionId,
  transactionOfId,
  vaultTransactionPage,
} from '../../services/positions-over-time/transaction-pages.ts';
import type { VaultTransaction } from '../../services/positions-over-time/vault-transactions.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs } from '../connections.ts';
import { VaultRef, WalletRef } from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';
import { TimeRangeInput } from './time.ts';

const NO_HISTORY =
  'Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).';

const VaultTransactionKindRef = builder.enumType('VaultTransactionKind', {
  description: 'What happened in a vault.',
  values: {
    DEPOSIT: { description: 'A wallet gave tokens and got shares.' },
    WITHDRAW: { description: 'A wallet gave shares and got tokens.' },
    TRANSFER_IN: { description: 'A wallet got shares from another one.' },
    TRANSFER_OUT: { description: 'A wallet gave shares to another one, or burnt them.' },
    INVEST: { description: 'Tokens moved between the vault and a reserve; nobody\u2019s shares changed.' },
  } as const,
});

const TransactionFilterInput = builder.inputType('TransactionFilter', {
  description: 'Which transactions.',
  fields: (t) => ({
    kinds: t.field({ type: [VaultTransactionKindRef], description: 'Only these kinds. All when left out.' }),
    range: t.field({ type: TimeRangeInput, description: 'Only in this part of the past.' }),
    vault: t.field({ type: 'Address', description: 'Only in this vault.' }),
  }),
});

const VaultTransactionRef = builder.objectRef<VaultTransaction>('VaultTransaction');

builder.node(VaultTransactionRef, {
  description:
    'Something that happened to a vault or to its shares, valued at the prices that were recorded at its time.',
  id: { resolve: ({ event }) => transactionId(event) },
  loadOne: (id, { platform, session }) =>
    transactionOfId(platform, session, id) as Promise<VaultTransaction | null>,
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Time of its block.',
      resolve: ({ event }) => new Date(event.time * 1_000),
    }),
    kind: t.field({
      type: VaultTransactionKindRef,
      nullable: false,
      description: 'What happened.',
      resolve: ({ kind }) => kind,
    }),
    vault: t.field({
      type: VaultRef,
      nullable: true,
      description: 'The vault as it is now.',
      resolve: ({ vault }) => vault,
    }),
    wallet: t.field({
      type: WalletRef,
      nullable: false,
      description: 'Whose shares changed; of an INVEST, who paid for the transaction.',
      resolve: ({ event }) => ({ address: event.wallet }),
    }),
    tokens: t.expose('tokens', {
      type: TokenAmountRef,
      nullable: false,
      description:
        'What the wallet gave or got; of an INVEST, what moved; of a transfer, what the shares were worth in tokens, 0 when that is unknown. Its values are those of then.',
    }),
    shares: t.expose('shares', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole shares that were minted, burnt or moved; 0 of an INVEST.',
    }),
    sharePrice: t.expose('sharePrice', {
      type: 'Decimal',
      nullable: true,
      description: 'USD for one share then. Null when no price was recorded then, and of an INVEST.',
    }),
    tokenPrice: t.expose('tokenPrice', {
      type: 'Decimal',
      nullable: true,
      description: 'USD for one token then. Null when no price was recorded then.',
    }),
    solPrice: t.expose('solPrice', {
      type: 'Decimal',
      nullable: true,
      description: 'USD for one SOL then. Null when no price was recorded then.',
    }),
    usdValue: t.field({
      type: 'Decimal',
      nullable: true,
      description: '`tokens` in USD at the price of then. Null when no price was recorded then.',
      resolve: ({ tokens }) => tokens.usd,
    }),
    signature: t.string({
      nullable: false,
      description: 'Signature of the transaction, base58.',
      resolve: ({ event }) => event.signature,
    }),
    slot: t.field({
      type: 'U64',
      nullable: false,
      description: 'Slot of its block.',
      resolve: ({ event }) => event.slot,
    }),
    latestPosition: t.boolean({
      nullable: false,
      description:
        'Whether it belongs to the position that the wallet has in the vault now: whether the wallet has held shares ever since. False of an INVEST, and once everything was withdrawn.',
      resolve: ({ event }, _args, { platform, session }) => isLatestPosition(platform, session, event),
    }),
  }),
});

const VaultTransactionConnection = connectionOf('VaultTransaction', VaultTransactionRef);

builder.objectField(VaultTransactionConnection, 'complete', (t) =>
  t.boolean({
    nullable: false,
    description:
      'Whether everything since the first transaction was read from the chain. False while that is still under way, and where the chain\u2019s nodes do not keep it.',
    resolve: (page) => (page as TransactionPage).complete,
  }),
);

builder.objectFields(WalletRef, (t) => ({
  vaultTransactions: t.field({
    type: VaultTransactionConnection,
    nullable: true,
    description: `What the wallet did in vaults, newest first; an INVEST is listed under the wallet that paid for it. The first question about a wallet reads it from the chain. ${NO_HISTORY}`,
    args: {
      filter: t.arg({ type: TransactionFilterInput, description: 'Which of them. All when left out.' }),
      ...pageArgs(t.arg),
    },
    resolve: async ({ address }, { filter, ...page }, { platform, session }) =>
      (await vaultTransactionPage(platform, session, { wallet: address }, filter ?? {}, page)) as never,
  }),
}));

builder.objectFields(VaultRef, (t) => ({
  transactions: t.field({
    type: VaultTransactionConnection,
    nullable: true,
    description: `What happened in the vault, newest first. Not counted: \`totalCount\` is null. ${NO_HISTORY}`,
    args: {
      filter: t.arg({ type: TransactionFilterInput, description: 'Which of them. All when left out.' }),
      ...pageArgs(t.arg),
    },
    resolve: async ({ address }, { filter, ...page }, { platform, session }) =>
      (await vaultTransactionPage(platform, session, { vault: address }, filter ?? {}, page)) as never,
  }),
}));
