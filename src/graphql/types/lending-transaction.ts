import { isAddress } from '@solana/kit';
import {
  transactionAmount,
  transactionValue,
} from '../../services/obligations-over-time/transaction-values.ts';
import {
  findLendingTransaction,
  type LendingTransaction,
  obligationTransactions,
  type TransactionPage,
  walletLendingTransactions,
} from '../../services/obligations-over-time/transactions.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs } from '../connections.ts';
import { ObligationRef, ReserveRef, reserveLink, WalletRef } from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';

const NO_HISTORY =
  'Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).';

const LendingTransactionKindRef = builder.enumType('LendingTransactionKind', {
  description: 'What happened to an obligation.',
  values: {
    DEPOSIT: { description: 'Collateral was added.' },
    WITHDRAW: { description: 'Collateral was taken out.' },
    BORROW: { description: 'Debt was taken.' },
    REPAY: { description: 'Debt was repaid, by its owner or by somebody else.' },
    LIQUIDATION: {
      description: 'A liquidator repaid debt and took collateral: one entry for each of the two.',
    },
  } as const,
});

const LendingSideRef = builder.enumType('LendingSide', {
  description: 'Which side of an obligation changed.',
  values: {
    COLLATERAL: { description: 'What is deposited.' },
    DEBT: { description: 'What is owed.' },
  } as const,
});

const KINDS = {
  deposit: 'DEPOSIT',
  withdraw: 'WITHDRAW',
  borrow: 'BORROW',
  repay: 'REPAY',
  liquidation: 'LIQUIDATION',
} as const;

const LendingTransactionRef = builder.objectRef<LendingTransaction>('LendingTransaction');

builder.node(LendingTransactionRef, {
  description:
    'One change of one side of an obligation, valued at the prices that were recorded at its time.',
  id: { resolve: ({ obligation, time, signature, index }) => [obligation, time, signature, index].join(':') },
  loadOne: async (id, { platform }) => {
    const match = /^(\w+):(\d{1,12}):(\w+):(\d{1,6})$/.exec(id);
    const [, obligation = '', time, signature = '', index] = match ?? [];
    if (!isAddress(obligation)) return null;
    const named = { obligation, time: Number(time), signature, index: Number(index) };
    return (await findLendingTransaction(platform, named)) ?? null;
  },
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Time of its block.',
      resolve: ({ time }) => new Date(time * 1_000),
    }),
    kind: t.field({
      type: LendingTransactionKindRef,
      nullable: false,
      description: 'What happened.',
      resolve: ({ kind }) => KINDS[kind],
    }),
    side: t.field({
      type: LendingSideRef,
      nullable: false,
      description: 'Which side changed; it tells the two entries of a LIQUIDATION apart.',
      resolve: ({ side }) => (side === 'debt' ? 'DEBT' : 'COLLATERAL'),
    }),
    obligationAddress: t.expose('obligation', {
      type: 'Address',
      nullable: false,
      description: 'Address of the obligation, which may be closed by now.',
    }),
    wallet: t.field({
      type: WalletRef,
      nullable: true,
      description: 'The wallet that owns the obligation. Null when no transaction that was read tells it.',
      resolve: ({ owner }) => owner && { address: owner },
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve as it is now. Null, with an error, when it cannot be read.',
      resolve: ({ reserve }, _args, { session }) => reserveLink(session, reserve),
    }),
    amount: t.field({
      type: TokenAmountRef,
      nullable: false,
      description:
        'What moved: tokens of the reserve, of a BORROW those that were received; collateral tokens where they moved unredeemed. Its values are those of then.',
      resolve: (transaction, _args, { platform, session }) =>
        transactionAmount(platform, session, transaction),
    }),
    usdValue: t.field({
      type: 'Decimal',
      nullable: true,
      description: '`amount` in USD at the price of then. Null when no price was recorded then.',
      resolve: async (transaction, _args, { platform, session }) =>
        (await transactionValue(platform, session, transaction)).usd,
    }),
    signature: t.exposeString('signature', {
      nullable: false,
      description: 'Signature of the transaction, base58.',
    }),
    slot: t.expose('slot', { type: 'U64', nullable: false, description: 'Slot of its block.' }),
  }),
});

const LendingTransactionConnection = connectionOf('LendingTransaction', LendingTransactionRef);

builder.objectField(LendingTransactionConnection, 'complete', (t) =>
  t.boolean({
    nullable: false,
    description:
      'Whether everything since the first transaction was read from the chain. False while that is still under way, and where the chain\u2019s nodes do not keep it.',
    resolve: (page) => (page as TransactionPage).complete,
  }),
);

builder.objectFields(ObligationRef, (t) => ({
  transactions: t.field({
    type: LendingTransactionConnection,
    nullable: true,
    description: `What happened to it, newest first. The first question about an obligation reads it from the chain. ${NO_HISTORY}`,
    args: pageArgs(t.arg),
    resolve: ({ address }, page, { platform, session }) =>
      obligationTransactions(platform, session, address, page),
  }),
}));

builder.objectFields(WalletRef, (t) => ({
  lendingTransactions: t.field({
    type: LendingTransactionConnection,
    nullable: true,
    description: `What happened to its obligations, newest first; closed ones and liquidations included. The first question about a wallet reads it from the chain. ${NO_HISTORY}`,
    args: {
      market: t.arg({ type: 'Address', description: 'Only in this market.' }),
      ...pageArgs(t.arg),
    },
    resolve: ({ address }, { market, ...page }, { platform, session }) =>
      walletLendingTransactions(platform, session, address, market ?? null, page),
  }),
}));
