import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import DataLoader from 'dataloader';
import { productOf } from '../../../domain/pnl/denominated.ts';
import type { ReserveQuote } from '../../../domain/pnl/obligation-fold.ts';
import { liquidityValue } from '../../../domain/pnl/obligation-pnl.ts';
import type { Platform } from '../../platform/platform.ts';
import { perSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';
import { collateralToken } from '../../reserves/reserves.ts';
import { type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import type { Value } from '../../wallets/wallets.ts';
import { eventMoments, eventQuotes } from './event-quotes.ts';
import { tokenInView } from './point.ts';
import type { LendingTransaction } from './transactions.ts';

/** A movement of a reserve's liquidity, or of its collateral tokens where `liquidity` is null. */
export type MovedTokens = Pick<LendingTransaction, 'reserve' | 'time' | 'liquidity' | 'collateral'>;

/** The value of a transaction, and the prices, at its time. Null where a price or rate was unknown. */
export interface TransactionValue extends Value {
  /** Base units of the reserve's token. Collateral tokens that were not redeemed count at their exchange rate. */
  readonly liquidity: Rational | null;
  readonly tokenPriceUsd: Rational | null;
  readonly solPriceUsd: Rational | null;
}

/** Batch size of price lookups, which read every token at every time. */
const PRICE_BATCH_SIZE = 200;

const loaderOf = perSession(
  (session, platform: Platform) =>
    new DataLoader<MovedTokens, TransactionValue>(
      async (events) => {
        const db = platform.historyFor(session, 'The value of a transaction');
        const { quotes, solUsd } = await eventQuotes(db, session, eventMoments(events), false);
        return events.map((event) =>
          movedValue(event, quotes(event.reserve, event.time), solUsd(event.time)),
        );
      },
      { maxBatchSize: PRICE_BATCH_SIZE },
    ),
);

/**
 * The value of a transaction at its time. Batches the transactions of one tick into two statements for each 200 of them.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function transactionValue(
  platform: Platform,
  session: Session,
  transaction: MovedTokens,
): Promise<TransactionValue> {
  return await loaderOf(session, platform).load(transaction);
}

function movedValue(
  { liquidity, collateral }: MovedTokens,
  quote: ReserveQuote,
  solPriceUsd: Rational | null,
): TransactionValue {
  const redeemed = productOf(integer(collateral), quote.liquidityPerCollateral);
  const moved = liquidity === null ? redeemed : integer(liquidity);
  return {
    ...liquidityValue(moved, quote),
    liquidity: moved,
    tokenPriceUsd: quote.priceUsd,
    solPriceUsd,
  };
}

/**
 * The amount moved in tokens of the reserve, also where collateral tokens moved without redemption. Null when their
 * exchange rate at that time is unknown, and for a reserve that no longer exists.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function transactionLiquidity(
  platform: Platform,
  session: Session,
  transaction: MovedTokens,
): Promise<TokenAmount | null> {
  const value = await transactionValue(platform, session, transaction);
  const token = tokenInView(session.view, transaction.reserve);
  return token === undefined || value.liquidity === null ? null : valuedAmount(token, value.liquidity, value);
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
