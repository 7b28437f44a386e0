import { NO_ADDRESS } from '../../programs/program-ids.ts';
import { OBLIGATION_TAGS } from '../../services/obligation-tags.ts';
import { tagOfObligation } from '../../services/obligations-over-time/closed-tag.ts';
import {
  instructionOf,
  isSecondPart,
} from '../../services/obligations-over-time/transaction-instructions.ts';
import {
  transactionLiquidity,
  transactionValue,
} from '../../services/obligations-over-time/transaction-values.ts';
import type {
  LendingTransaction as Transaction,
  TransactionsByMarket,
} from '../../services/obligations-over-time/transactions.ts';
import { tokenSymbol } from '../../services/tokens.ts';
import type { Call } from '../operation.ts';
import { decimal } from '../schemas/decimal.ts';
import type { LendingTransaction, LendingTransactionsByObligation } from '../schemas/lending-transactions.ts';
import { HUMAN_TAGS } from '../schemas/user-obligations.ts';
import type { AnswerOf } from '../unknown.ts';

const DISPLAY_NAMES = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  borrow: 'Borrow',
  repay: 'Repay',
  liquidation: 'Liquidation',
} as const;

export type Sort = 'asc' | 'desc' | undefined;

export async function lendingTransaction(
  { platform, session }: Call,
  transaction: Transaction,
): Promise<AnswerOf<typeof LendingTransaction>> {
  const [moved, { tokenPriceUsd, solPriceUsd, usd }, tag] = await Promise.all([
    transactionLiquidity(platform, session, transaction),
    transactionValue(platform, session, transaction),
    tagOfObligation(platform, session, transaction.obligation),
  ]);
  const { kind, side, time, signature } = transaction;
  const mint = session.view.get('reserve', transaction.reserve)?.value.liquidity.mintPubkey;
  return {
    createdOn: new Date(time * 1_000).toISOString(),
    timestamp: time * 1_000,
    transactionSignature: signature,
    transactionName: instructionOf(transaction),
    transactionDisplayName: DISPLAY_NAMES[kind],
    liquidityToken: mint === undefined ? '' : tokenSymbol(session.view, mint),
    liquidityTokenMint: mint ?? NO_ADDRESS,
    liquidityTokenAmount: decimal(moved?.amount),
    ...(tokenPriceUsd && { liquidityTokenPrice: decimal(tokenPriceUsd) }),
    ...(solPriceUsd && { solPrice: decimal(solPriceUsd) }),
    ...(usd && { liquidityUsdValue: decimal(usd) }),
    isLiquidationWithdrawal: kind === 'liquidation' && side === 'collateral',
    obligationType: (tag && HUMAN_TAGS[OBLIGATION_TAGS.indexOf(tag)]) ?? 'Unknown',
    ...(isSecondPart(transaction) && { isSecondPartOfCompositeIx: true }),
  };
}

/** `transactions` are oldest first. */
export const sorted = <T>(transactions: readonly T[], sort: Sort): readonly T[] =>
  sort === 'asc' ? transactions : transactions.toReversed();

export async function transactionsByObligation(
  call: Call,
  obligations: NonNullable<ReturnType<TransactionsByMarket['get']>>,
  sort: Sort,
): Promise<AnswerOf<typeof LendingTransactionsByObligation>> {
  const rows = await Promise.all(
    [...obligations].map(
      async ([obligation, transactions]) =>
        [
          obligation,
          await Promise.all(sorted(transactions, sort).map((each) => lendingTransaction(call, each))),
        ] as const,
    ),
  );
  return Object.fromEntries(rows);
}
