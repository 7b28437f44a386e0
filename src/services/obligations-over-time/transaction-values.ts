import DataLoader from 'dataloader';
import { productOf } from '../../domain/pnl/denominated.ts';
import type { ReserveQuote } from '../../domain/pnl/obligation-fold.ts';
import { liquidityValue } from '../../domain/pnl/obligation-pnl.ts';
import { integer } from '../../numeric/rational.ts';
import { type TokenAmount, valuedAmount } from '../amounts.ts';
import { perSession } from '../per-session.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { collateralToken } from '../reserves.ts';
import type { Value } from '../wallets.ts';
import { eventQuotes } from './event-quotes.ts';
import type { LendingTransaction } from './transactions.ts';

const loaderOf = perSession(
  (session, platform: Platform) =>
    new DataLoader<LendingTransaction, Value>(async (events) => {
      const db = platform.history.database('The value of a transaction', session);
      const { quotes } = await eventQuotes(db, session.view, events, false);
      return events.map((event) => movedValue(event, quotes(event.reserve, event.time)));
    }),
);

/**
 * The value of a transaction at its time; null where a price or rate was unknown. Batches the transactions of one tick
 * into two statements.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function transactionValue(
  platform: Platform,
  session: Session,
  transaction: LendingTransaction,
): Promise<Value> {
  return await loaderOf(session, platform).load(transaction);
}

function movedValue({ liquidity, collateral }: LendingTransaction, quote: ReserveQuote): Value {
  const redeemed = productOf(integer(collateral), quote.liquidityPerCollateral);
  return liquidityValue(liquidity === null ? redeemed : integer(liquidity), quote);
}

/**
 * The tokens moved: the reserve's token, or collateral tokens that moved without redemption.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, and a coded error for a reserve that no longer exists
 */
export async function transactionAmount(
  platform: Platform,
  session: Session,
  transaction: LendingTransaction,
): Promise<TokenAmount> {
  const { liquidity, collateral } = transaction;
  const [reserve, value] = await Promise.all([
    session.load('reserve', transaction.reserve),
    transactionValue(platform, session, transaction),
  ]);
  if (liquidity === null) {
    return valuedAmount(collateralToken(session.view, reserve), integer(collateral), value);
  }
  const { mintPubkey, mintDecimals } = reserve.value.liquidity;
  return valuedAmount({ mint: mintPubkey, decimals: mintDecimals }, integer(liquidity), value);
}
