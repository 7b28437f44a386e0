import { isAddress } from '@solana/kit';
import { connectionPage } from '../../../services/history/bulk-page.ts';
import { requireInstruction } from '../../../services/history/instructions.ts';
import { tagOfObligation } from '../../../services/history/obligations/closed-tag.ts';
import { marketTransactions } from '../../../services/history/obligations/market-transactions.ts';
import {
  instructionOf,
  isSecondPart,
} from '../../../services/history/obligations/transaction-instructions.ts';
import {
  transactionAmount,
  transactionLiquidity,
  transactionValue,
} from '../../../services/history/obligations/transaction-values.ts';
import {
  findLendingTransaction,
  type LendingTransaction,
  obligationTransactions,
  walletLendingTransactions,
} from '../../../services/history/obligations/transactions.ts';
import { pageSize } from '../../../services/paging/paging.ts';
import { builder } from '../../builder.ts';
import { connectionOf, forwardArgs, pageArgs } from '../../connections.ts';
import { MarketRef, ObligationRef, ReserveRef, reserveLink, WalletRef } from '../../node-refs.ts';
import { requireKey } from '../../require-key.ts';
import { addCompleteField, BULK, NO_HISTORY } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { LendingSideRef } from './lending-side.ts';
import { ObligationTagRef } from './obligation-parts.ts';

const LendingTransactionKindRef = builder.enumType('LendingTransactionKind', {
  description: 'Kind of a lending transaction.',
  values: {
    DEPOSIT: { description: 'Collateral was deposited.' },
    WITHDRAW: { description: 'Collateral was withdrawn.' },
    BORROW: { description: 'Tokens were borrowed.' },
    REPAY: { description: 'Debt was repaid, by the owner or another wallet.' },
    LIQUIDATION: {
      description: 'A liquidator repaid debt and took collateral. Each of the two is a separate entry.',
    },
  } as const,
});

const KINDS = {
  deposit: 'DEPOSIT',
  withdraw: 'WITHDRAW',
  borrow: 'BORROW',
  repay: 'REPAY',
  liquidation: 'LIQUIDATION',
} as const;

export const LendingTransactionRef = builder.objectRef<LendingTransaction>('LendingTransaction');

builder.node(LendingTransactionRef, {
  description: 'One change of one side of an obligation, valued at the prices recorded at that time.',
  id: { resolve: ({ obligation, time, signature, index }) => [obligation, time, signature, index].join(':') },
  loadOne: async (id, { platform, session }) => {
    const match = /^(\w+):(\d{1,12}):(\w+):(\d{1,6})$/.exec(id);
    const [, obligation = '', time, signature = '', index] = match ?? [];
    if (!isAddress(obligation)) return null;
    const named = { obligation, time: Number(time), signature, index: Number(index) };
    return (await findLendingTransaction(platform, session, named)) ?? null;
  },
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the block.',
      resolve: ({ time }) => new Date(time * 1_000),
    }),
    kind: t.field({
      type: LendingTransactionKindRef,
      description: 'Kind of the transaction.',
      resolve: ({ kind }) => KINDS[kind],
    }),
    side: t.field({
      type: LendingSideRef,
      description: 'Side that changed. It distinguishes the two entries of a LIQUIDATION.',
      resolve: ({ side }) => (side === 'debt' ? 'DEBT' : 'COLLATERAL'),
    }),
    obligationAddress: t.expose('obligation', {
      type: 'Address',
      description: 'Address of the obligation. The account may have been closed since.',
    }),
    obligationTag: t.field({
      type: ObligationTagRef,
      nullable: true,
      description:
        'Purpose of the obligation. Null when the account is closed and its address does not reveal it.',
      resolve: ({ obligation }, _args, { platform, session }) =>
        tagOfObligation(platform, session, obligation),
    }),
    reserveAddress: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    marketAddress: t.expose('market', { type: 'Address', description: 'Address of the lending market.' }),
    instruction: t.string({
      description:
        'Name of the instruction of the lending program. For a transaction that an earlier version of the gateway has read, the usual instruction of its kind.',
      resolve: (transaction) => instructionOf(transaction),
    }),
    secondPart: t.boolean({
      description:
        'Whether it is the withdrawal of an instruction that repays or deposits first. The first part is a separate entry.',
      resolve: (transaction) => isSecondPart(transaction),
    }),
    wallet: t.field({
      type: WalletRef,
      nullable: true,
      description:
        'Owner of the obligation. Null when none of the transactions read from the chain names it.',
      resolve: ({ owner }) => owner && { address: owner },
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'Current state of the reserve. Null, with an error, when it cannot be read.',
      resolve: ({ reserve }, _args, { session }) => reserveLink(session, reserve),
    }),
    amount: t.field({
      type: TokenAmountRef,
      description:
        'Amount in tokens of the reserve; for a BORROW, the amount received. In collateral tokens when they were moved without redemption. USD and SOL values use the prices at that time.',
      resolve: (transaction, _args, { platform, session }) =>
        transactionAmount(platform, session, transaction),
    }),
    liquidity: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        '`amount` in tokens of the reserve, also where collateral tokens were moved without redemption: these count at their exchange rate at that time. Null when that rate is unknown, or the reserve no longer exists.',
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
      description: '`amount` in USD, at the price at that time. Null when none was recorded.',
      resolve: async (transaction, _args, { platform, session }) =>
        (await transactionValue(platform, session, transaction)).usd,
    }),
    signature: t.exposeString('signature', { description: 'Signature of the transaction, base58.' }),
    slot: t.expose('slot', { type: 'U64', description: 'Slot of the block.' }),
  }),
});

const LendingTransactionConnection = connectionOf('LendingTransaction', LendingTransactionRef);

addCompleteField(LendingTransactionConnection);

builder.objectFields(ObligationRef, (t) => ({
  transactions: t.field({
    type: LendingTransactionConnection,
    nullable: true,
    description: `Transactions of the obligation, newest first. The first request for an obligation reads its transactions from the chain. ${NO_HISTORY}`,
    args: pageArgs(t.arg),
    resolve: ({ address }, page, { platform, session }) =>
      obligationTransactions(platform, session, address, page),
  }),
}));

builder.objectFields(MarketRef, (t) => ({
  transactions: t.field({
    type: LendingTransactionConnection,
    nullable: true,
    description: `Transactions of all obligations of the market by one instruction, newest first. ${BULK} ${NO_HISTORY}`,
    args: {
      instruction: t.arg.string({
        required: true,
        description:
          'Name of an instruction of the lending program that changes an obligation, such as `depositReserveLiquidityAndObligationCollateralV2`.',
      }),
      range: t.arg({
        type: TimeRangeInput,
        description: 'Transactions in this time range. Defaults to all.',
      }),
      ...forwardArgs(t.arg),
    },
    async resolve({ address }, { instruction, range, ...page }, { platform, session, allowance }) {
      requireKey(allowance, 'Transactions of a market');
      requireInstruction('lending', instruction);
      const filter = { instruction, range: range ?? {} };
      const request = { limit: pageSize(page), after: page.after };
      return connectionPage(
        await marketTransactions(platform, session, address, filter, request),
        page.after,
      );
    },
  }),
}));

builder.objectFields(WalletRef, (t) => ({
  lendingTransactions: t.field({
    type: LendingTransactionConnection,
    nullable: true,
    description: `Transactions of the wallet\u2019s obligations, newest first, including liquidations and closed obligations. The first request for a wallet reads its transactions from the chain. ${NO_HISTORY}`,
    args: {
      market: t.arg({ type: 'Address', description: 'Only transactions in this market.' }),
      ...pageArgs(t.arg),
    },
    resolve: ({ address }, { market, ...page }, { platform, session }) =>
      walletLendingTransactions(platform, session, address, market ?? null, page),
  }),
}));
