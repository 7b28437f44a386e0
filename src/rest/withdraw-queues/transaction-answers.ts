import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import {
  transactionLiquidity,
  transactionValue,
} from '../../services/history/obligations/transaction-values.ts';
import {
  QUEUE_INSTRUCTIONS,
  type QueueTransaction as Transaction,
} from '../../services/history/withdraw-queues/queue-transactions.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { QueueTransaction } from './transaction-schemas.ts';

const DISPLAY_NAMES = {
  enqueue: 'Enqueue',
  withdraw: 'Withdraw',
  cancel: 'Cancel',
  recover: 'Recover',
} as const;

const NAMES = QUEUE_INSTRUCTIONS as Readonly<
  Record<Transaction['kind'], AnswerOf<typeof QueueTransaction>['transactionName']>
>;

export async function queueTransaction(
  { platform, session }: Call,
  transaction: Transaction,
): Promise<AnswerOf<typeof QueueTransaction>> {
  const [moved, { tokenPriceUsd, solPriceUsd, usd }] = await Promise.all([
    transactionLiquidity(platform, session, transaction),
    transactionValue(platform, session, transaction),
  ]);
  const { kind, time, signature, reserve, ticket } = transaction;
  const mint = session.view.get('reserve', reserve)?.value.liquidity.mintPubkey;
  return {
    createdOn: new Date(time * 1_000).toISOString(),
    timestamp: time * 1_000,
    transactionSignature: signature,
    transactionName: NAMES[kind],
    transactionDisplayName: DISPLAY_NAMES[kind],
    reserve,
    withdrawTicket: ticket,
    liquidityToken: mint === undefined ? '' : tokenSymbol(session.view, mint),
    liquidityTokenMint: mint ?? NO_ADDRESS,
    liquidityTokenAmount: decimal(moved?.amount),
    liquidityTokenPrice: decimal(tokenPriceUsd),
    solPrice: decimal(solPriceUsd),
    liquidityUsdValue: decimal(usd),
  };
}

export async function queueTransactions(
  call: Call,
  transactions: readonly Transaction[],
): Promise<AnswerOf<typeof QueueTransaction>[]> {
  return await Promise.all(transactions.map((each) => queueTransaction(call, each)));
}
