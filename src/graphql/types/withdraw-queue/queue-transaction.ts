import { connectionPage } from '../../../services/history/bulk-page.ts';
import {
  transactionLiquidity,
  transactionValue,
} from '../../../services/history/obligations/transaction-values.ts';
import {
  enqueuedWithdrawals,
  MAX_ENQUEUED,
} from '../../../services/history/withdraw-queues/enqueued-withdrawals.ts';
import {
  marketQueueTransactions,
  QUEUE_INSTRUCTIONS,
  type QueueTransaction,
  walletQueueTransactions,
} from '../../../services/history/withdraw-queues/queue-transactions.ts';
import { pageSize } from '../../../services/paging/paging.ts';
import { wholeCollateral } from '../../../services/reserves/reserves.ts';
import { builder } from '../../builder.ts';
import { connectionOf, forwardArgs, pageArgs } from '../../connections.ts';
import { MarketRef, VaultRef, WalletRef } from '../../node-refs.ts';
import { requireKey } from '../../require-key.ts';
import { addCompleteField, BULK, NO_HISTORY } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const WithdrawQueueTransactionKindRef = builder.enumType('WithdrawQueueTransactionKind', {
  description: 'Kind of a transaction with a ticket of a withdraw queue.',
  values: {
    ENQUEUE: { description: 'Collateral tokens entered the queue and became a ticket.' },
    WITHDRAW: {
      description:
        'The ticket had its turn: it was paid in full or in part, closed when it was empty, or skipped when its destination could not be paid.',
    },
    CANCEL: { description: 'The owner took collateral tokens back.' },
    RECOVER: { description: 'The collateral tokens of a skipped ticket returned to its owner.' },
  } as const,
});

const KINDS = {
  enqueue: 'ENQUEUE',
  withdraw: 'WITHDRAW',
  cancel: 'CANCEL',
  recover: 'RECOVER',
} as const;

const EVENT_KINDS = {
  ENQUEUE: 'enqueue',
  WITHDRAW: 'withdraw',
  CANCEL: 'cancel',
  RECOVER: 'recover',
} as const;

const WithdrawQueueTransactionRef = builder
  .objectRef<QueueTransaction>('WithdrawQueueTransaction')
  .implement({
    description:
      'One instruction on a ticket in the withdraw queue of a reserve, valued at the prices recorded at that time.',
    fields: (t) => ({
      createdAt: t.field({
        type: 'DateTime',
        description: 'Time of the block.',
        resolve: ({ time }) => new Date(time * 1_000),
      }),
      kind: t.field({
        type: WithdrawQueueTransactionKindRef,
        description: 'Kind of the transaction.',
        resolve: ({ kind }) => KINDS[kind],
      }),
      instruction: t.string({
        description: 'Name of the instruction of the lending program, such as `enqueueToWithdraw`.',
        resolve: ({ kind }) => QUEUE_INSTRUCTIONS[kind],
      }),
      ticketAddress: t.expose('ticket', {
        type: 'Address',
        description: 'Address of the ticket. The account may have been closed since.',
      }),
      marketAddress: t.expose('market', { type: 'Address', description: 'Address of the lending market.' }),
      ...presentReserveFields(t),
      wallet: t.field({
        type: WalletRef,
        description: 'Owner of the ticket.',
        resolve: ({ wallet }) => ({ address: wallet }),
      }),
      signerAddress: t.expose('signer', {
        type: 'Address',
        description:
          'The wallet that signed: the owner, or whoever paid or recovered the ticket. For collateral tokens that a vault queued itself, the wallet that redeemed its shares.',
      }),
      collateral: t.field({
        type: 'Decimal',
        description:
          'Collateral tokens (cTokens) that entered or left the ticket, in whole tokens. 0 for a WITHDRAW that paid nothing.',
        resolve: ({ reserve, collateral }, _args, { session: { view } }) =>
          wholeCollateral(view, view.get('reserve', reserve), collateral),
      }),
      liquidity: t.field({
        type: TokenAmountRef,
        nullable: true,
        description:
          'Amount in tokens of the reserve: what a WITHDRAW paid, and the value of `collateral` at its exchange rate at that time for the other kinds. USD and SOL values use the prices at that time. Null when that rate is unknown, or the reserve no longer exists.',
        resolve: (transaction, _args, { platform, session }) =>
          transactionLiquidity(platform, session, transaction),
      }),
      tokenPriceUsd: t.field({
        type: 'Decimal',
        nullable: true,
        description: 'Price in USD of one token of the reserve, at that time. Null when none was recorded.',
        resolve: async (transaction, _args, { platform, session }) =>
          (await transactionValue(platform, session, transaction)).tokenPriceUsd,
      }),
      solPriceUsd: t.field({
        type: 'Decimal',
        nullable: true,
        description: 'Price of SOL in USD at that time. Null when none was recorded.',
        resolve: async (transaction, _args, { platform, session }) =>
          (await transactionValue(platform, session, transaction)).solPriceUsd,
      }),
      valueUsd: t.field({
        type: 'Decimal',
        nullable: true,
        description: '`liquidity` in USD, at the price at that time. Null when none was recorded.',
        resolve: async (transaction, _args, { platform, session }) =>
          (await transactionValue(platform, session, transaction)).usd,
      }),
      obligationAddress: t.expose('obligation', {
        type: 'Address',
        nullable: true,
        description:
          'Obligation that the collateral tokens left in the transaction that queued them. Null for none, and while that transaction has not been read.',
      }),
      vaultAddress: t.expose('vault', {
        type: 'Address',
        nullable: true,
        description:
          'Vault that paid the collateral tokens in the transaction that queued them, or that owns the ticket. Null for none, and while that transaction has not been read.',
      }),
      signature: t.exposeString('signature', { description: 'Signature of the transaction, base58.' }),
      slot: t.expose('slot', { type: 'U64', description: 'Slot of the block.' }),
    }),
  });

const WithdrawQueueTransactionConnection = connectionOf(
  'WithdrawQueueTransaction',
  WithdrawQueueTransactionRef,
);

addCompleteField(WithdrawQueueTransactionConnection);

builder.objectFields(WalletRef, (t) => ({
  withdrawQueueTransactions: t.field({
    type: WithdrawQueueTransactionConnection,
    nullable: true,
    description: `Transactions with the wallet\u2019s tickets in withdraw queues, newest first: entries, payments, cancellations and recoveries. The first request for a wallet reads its transactions from the chain. ${NO_HISTORY}`,
    args: {
      market: t.arg({ type: 'Address', description: 'Only transactions in this market.' }),
      ...pageArgs(t.arg),
    },
    resolve: ({ address }, { market, ...page }, { platform, session }) =>
      walletQueueTransactions(platform, session, address, market ?? null, page),
  }),
}));

builder.objectFields(MarketRef, (t) => ({
  withdrawQueueTransactions: t.field({
    type: WithdrawQueueTransactionConnection,
    nullable: true,
    description: `Transactions with tickets in the withdraw queues of the market, of one kind, newest first. ${BULK} ${NO_HISTORY}`,
    args: {
      kind: t.arg({
        type: WithdrawQueueTransactionKindRef,
        required: true,
        description: 'Kind of the transactions.',
      }),
      range: t.arg({
        type: TimeRangeInput,
        description: 'Transactions in this time range. Defaults to all.',
      }),
      ...forwardArgs(t.arg),
    },
    async resolve({ address }, { kind, range, ...page }, { platform, session, allowance }) {
      requireKey(allowance, 'Transactions of a market');
      const filter = { kind: EVENT_KINDS[kind], range: range ?? {} };
      const request = { limit: pageSize(page), after: page.after };
      return connectionPage(
        await marketQueueTransactions(platform, session, address, filter, request),
        page.after,
      );
    },
  }),
}));

builder.objectFields(VaultRef, (t) => ({
  enqueuedWithdrawals: t.field({
    type: [WithdrawQueueTransactionRef],
    nullable: true,
    description: `Entries into withdraw queues with collateral tokens that the vault paid for shares, whose tickets still wait: the newest ${MAX_ENQUEUED} of them, newest first. The tickets are read from the chain. ${NO_HISTORY}`,
    resolve: async ({ address }, _args, { platform, session }) => [
      ...(await enqueuedWithdrawals(platform, session, address)),
    ],
  }),
}));
