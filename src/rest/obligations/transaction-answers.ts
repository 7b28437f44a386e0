import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { tagOfObligation } from '../../services/history/obligations/closed-tag.ts';
import { instructionOf, isSecondPart } from '../../services/history/obligations/transaction-instructions.ts';
import {
  transactionLiquidity,
  transactionValue,
} from '../../services/history/obligations/transaction-values.ts';
import type {
  LendingTransaction as Transaction,
  TransactionsByMarket,
} from '../../services/history/obligations/transactions.ts';
import { OBLIGATION_TAGS } from '../../services/obligations/tags.ts';
import { tokenSymbol } from '../../services/tokens/tokens.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { HUMAN_TAGS } from './schemas.ts';
import type {
  LendingInstruction,
  LendingTransaction,
  LendingTransactionsByObligation,
} from './transaction-schemas.ts';

const DISPLAY_NAMES = {
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  borrow: 'Borrow',
  repay: 'Repay',
  liquidation: 'Liquidation',
} as const;

export type Sort = 'asc' | 'desc' | undefined;

/** What an instruction moved, without what is known of its obligation. */
export async function lendingInstruction(
  { platform, session }: Call,
  transaction: Transaction,
): Promise<Omit<AnswerOf<typeof LendingInstruction>, 'reserve'>> {
  const [moved, { tokenPriceUsd, solPriceUsd, usd }] = await Promise.all([
    transactionLiquidity(platform, session, transaction),
    transactionValue(platform, session, transaction),
  ]);
  const { kind, side } = transaction;
  const mint = session.view.get('reserve', transaction.reserve)?.value.liquidity.mintPubkey;
  return {
    transactionName: instructionOf(transaction),
    transactionDisplayName: DISPLAY_NAMES[kind],
    liquidityToken: mint === undefined ? '' : tokenSymbol(session.view, mint),
    liquidityTokenMint: mint ?? NO_ADDRESS,
    liquidityTokenAmount: decimal(moved?.amount),
    ...(tokenPriceUsd && { liquidityTokenPrice: decimal(tokenPriceUsd) }),
    ...(solPriceUsd && { solPrice: decimal(solPriceUsd) }),
    ...(usd && { liquidityUsdValue: decimal(usd) }),
    isLiquidationWithdrawal: kind === 'liquidation' && side === 'collateral',
    ...(isSecondPart(transaction) && { isSecondPartOfCompositeIx: true }),
  };
}

export async function lendingTransaction(
  call: Call,
  transaction: Transaction,
): Promise<AnswerOf<typeof LendingTransaction>> {
  const { platform, session } = call;
  const [instruction, tag] = await Promise.all([
    lendingInstruction(call, transaction),
    tagOfObligation(platform, session, transaction.obligation),
  ]);
  const { time, signature } = transaction;
  return {
    createdOn: new Date(time * 1_000).toISOString(),
    timestamp: time * 1_000,
    transactionSignature: signature,
    ...instruction,
    obligationType: (tag && HUMAN_TAGS[OBLIGATION_TAGS.indexOf(tag)]) ?? 'Unknown',
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
