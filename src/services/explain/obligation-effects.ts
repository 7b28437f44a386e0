import { ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { type Change, change } from '../../builders/preview.ts';
import {
  type ObligationWhatIf,
  obligationWhatIf,
  type SupposedPosition,
} from '../risk/obligation-what-if.ts';
import { presentReserves, type SupposedReserves } from '../risk/supposed-reserves.ts';
import { amountAt, type Rounding, type TokenAmount } from '../tokens/amounts.ts';
import type { StatesAround } from './states-around.ts';

/** A deposit or a debt around a transaction. An amount is null when the reserve cannot be read. */
export interface PositionChange {
  readonly reserve: Address;
  readonly before: TokenAmount | null;
  readonly after: TokenAmount | null;
}

/** Effect of a transaction on an obligation. */
export interface ObligationEffect {
  readonly address: Address;
  readonly owner: Address;
  readonly market: Address;
  /** Null when the transaction creates the obligation. */
  readonly before: ObligationWhatIf | null;
  /** Null when the transaction closes it. */
  readonly after: ObligationWhatIf | null;
  /** By reserve, those of before first. */
  readonly deposits: readonly PositionChange[];
  readonly borrows: readonly PositionChange[];
}

/** The obligations that a transaction may change, in the order of their use. */
export function obligationEffects({ touched, before, after }: StatesAround): ObligationEffect[] {
  const [then, later] = [presentReserves(before.view), presentReserves(after.view)];
  return touched.flatMap((address): ObligationEffect[] => {
    const [old, left] = [before.record('obligation', address), after.record('obligation', address)];
    const record = left ?? old;
    if (record === null) return [];
    const sides = {
      before: old && obligationWhatIf(before, old, then),
      after: left && obligationWhatIf(after, left, later),
    };
    const { owner, lendingMarket: market } = record.value;
    const changes = (positions: 'deposits' | 'borrows', rounding: Rounding) =>
      positionChanges(sides.before?.[positions] ?? [], sides.after?.[positions] ?? [], later, rounding);
    const [deposits, borrows] = [changes('deposits', 'down'), changes('borrows', 'up')];
    return [{ address, owner, market, ...sides, deposits, borrows }];
  });
}

/** A figure of an obligation before and after; null for a side without the obligation. */
export function figureChange(
  { before, after }: ObligationEffect,
  figure: 'healthFactor' | 'loanToValue' | 'liquidationLtv' | 'netValueUsd' | 'depositedUsd' | 'borrowedUsd',
): Change {
  return change(before, after, (side) => side[figure]);
}

function positionChanges(
  before: readonly SupposedPosition[],
  after: readonly SupposedPosition[],
  reserves: SupposedReserves,
  rounding: Rounding,
): PositionChange[] {
  const addresses = new Set([...before, ...after].map(({ reserve }) => reserve));
  const amountIn = (side: readonly SupposedPosition[], reserve: Address) => {
    const position = side.find((each) => each.reserve === reserve);
    return position === undefined ? nothingOf(reserves, reserve, rounding) : position.amount;
  };
  return [...addresses].map((reserve) => ({
    reserve,
    before: amountIn(before, reserve),
    after: amountIn(after, reserve),
  }));
}

/** No tokens of a reserve; their value is unknown where the price is. Null when the reserve cannot be read. */
function nothingOf(
  { priced, solPriceUsd }: SupposedReserves,
  reserve: Address,
  rounding: Rounding,
): TokenAmount | null {
  const found = priced(reserve);
  if (found === undefined) return null;
  const { mintPubkey: mint, mintDecimals: decimals } = found.accrued.account.liquidity;
  return amountAt({ mint, decimals, priceUsd: found.priceUsd }, ZERO, solPriceUsd, rounding);
}
