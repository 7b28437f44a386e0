import type { StakerEventKind } from '@sluice/protocol/transactions/events';
import { farmEventPage } from '../../../services/history/vault-positions/farm-events.ts';
import {
  type FarmTransaction,
  farmTransactions,
} from '../../../services/history/vault-positions/farm-transactions.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { FarmRef, WalletRef } from '../../node-refs.ts';
import { addCompleteField, NO_HISTORY } from '../history/history-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const FarmTransactionKindRef = builder.enumType('FarmTransactionKind', {
  description: 'Kind of a farm transaction.',
  values: {
    STAKE: { description: 'Tokens were staked.' },
    UNSTAKE: { description: 'A stake ended. Its tokens stay in the farm until they are withdrawn.' },
    WITHDRAW: { description: 'Unstaked tokens returned to the wallet.' },
    HARVEST: { description: 'A reward was paid out.' },
  } as const,
});

const KINDS = {
  stake: 'STAKE',
  unstake: 'UNSTAKE',
  withdraw: 'WITHDRAW',
  harvest: 'HARVEST',
} as const satisfies Record<StakerEventKind, string>;

const FarmTransactionRef = builder.objectRef<FarmTransaction>('FarmTransaction').implement({
  description: 'One transaction of a wallet with a farm, valued at the prices recorded at that time.',
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the block.',
      resolve: ({ event }) => new Date(event.time * 1_000),
    }),
    kind: t.field({
      type: FarmTransactionKindRef,
      description: 'Kind of the transaction.',
      resolve: ({ event }) => KINDS[event.kind],
    }),
    farmAddress: t.field({
      type: 'Address',
      description: 'Address of the farm. The account may have been closed since.',
      resolve: ({ event }) => event.farm,
    }),
    wallet: t.field({
      type: WalletRef,
      description: 'The wallet that staked, unstaked, withdrew or received the reward.',
      resolve: ({ event }) => ({ address: event.wallet }),
    }),
    tokenMint: t.expose('mint', {
      type: 'Address',
      nullable: true,
      description: 'Mint of the token moved. Null for an UNSTAKE of a farm that can no longer be read.',
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Tokens moved. Null for an UNSTAKE of everything, which does not name an amount, and when the token cannot be read. USD and SOL values use the prices at that time.',
    }),
    signature: t.field({
      type: 'String',
      description: 'Signature of the transaction, base58.',
      resolve: ({ event }) => event.signature,
    }),
    slot: t.field({ type: 'U64', description: 'Slot of the block.', resolve: ({ event }) => event.slot }),
  }),
});

const FarmTransactionConnection = connectionOf('FarmTransaction', FarmTransactionRef);

addCompleteField(FarmTransactionConnection);

builder.objectFields(FarmRef, (t) => ({
  transactions: t.field({
    type: FarmTransactionConnection,
    nullable: true,
    description: `Transactions of all wallets with the farm, newest first. The first request for a farm reads its transactions from the chain. ${NO_HISTORY}`,
    args: pageArgs(t.arg),
    resolve: ({ address: farm }, page, { platform, session }) =>
      farmEventPage(platform, session, farmTransactions({ farm }), page),
  }),
}));

builder.objectFields(WalletRef, (t) => ({
  farmTransactions: t.field({
    type: FarmTransactionConnection,
    nullable: true,
    description: `Transactions of the wallet with all farms, newest first: stakes, withdrawals and harvested rewards. The first request for a wallet reads its transactions from the chain. ${NO_HISTORY}`,
    args: pageArgs(t.arg),
    resolve: ({ address: wallet }, page, { platform, session }) =>
      farmEventPage(platform, session, farmTransactions({ wallet }), page),
  }),
}));
