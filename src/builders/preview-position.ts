import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../domain/arithmetic.ts';
import { collateralLiquidationPrice, debtLiquidationPrice } from '../domain/health.ts';
import type { Moment } from '../domain/moment.ts';
import type { Positions, PricedReserves } from '../domain/obligation.ts';
import type { ObligationStats } from '../domain/obligation-stats.ts';
import { borrowApy, supplyApy } from '../domain/rates.ts';
import { change, type PreviewPosition } from './preview.ts';

/** An obligation and its reserves before or after an action. */
export interface ObligationView {
  readonly reserves: PricedReserves;
  readonly positions: Positions;
  readonly stats: ObligationStats | null;
}

export type PositionKind = PreviewPosition['side'];

/** A reserve with the mint of its token. */
export interface PreviewedReserve {
  readonly address: Address;
  readonly mint: Address;
  readonly decimals: number;
}

/** A deposit or a debt before and after an action. */
export function previewPosition(
  kind: PositionKind,
  { address, mint, decimals }: PreviewedReserve,
  before: ObligationView,
  after: ObligationView,
  moment: Moment,
): PreviewPosition {
  const rate = kind === 'DEPOSIT' ? supplyApy : borrowApy;
  return {
    reserve: address,
    mint,
    side: kind,
    tokens: change(before, after, (view) => toTokens(amountIn(view, address, kind), BigInt(decimals))),
    interestApy: change(before, after, (view) => rateOf(view, address, rate, moment)),
    liquidationPriceUsd: change(before, after, (view) => liquidationPrice(view, address, kind)),
  };
}

/** Supply or borrow APY of a reserve in a state, without rewards. */
export function rateOf(
  { reserves }: Pick<ObligationView, 'reserves'>,
  address: Address,
  of: typeof supplyApy,
  moment: Moment,
): Rational | null {
  const found = reserves(address);
  return found === undefined ? null : of(found.accrued, moment);
}

/** Base units. */
function amountIn({ positions }: ObligationView, address: Address, kind: PositionKind): Rational {
  const all = kind === 'DEPOSIT' ? positions.deposits : positions.borrows;
  return all.find(({ reserve }) => reserve === address)?.amount ?? ZERO;
}

function liquidationPrice(
  { positions, stats }: ObligationView,
  address: Address,
  kind: PositionKind,
): Rational | null {
  if (stats === null) return null;
  if (kind === 'DEPOSIT') {
    const deposit = positions.deposits.find(({ reserve }) => reserve === address);
    return deposit === undefined ? null : collateralLiquidationPrice(stats, deposit);
  }
  const borrow = positions.borrows.find(({ reserve }) => reserve === address);
  return borrow === undefined ? null : debtLiquidationPrice(stats, borrow);
}
