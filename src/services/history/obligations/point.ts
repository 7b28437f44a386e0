import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../../chain/view/view.ts';
import { potentialElevationGroup } from '../../../domain/elevation-move.ts';
import type { BorrowPosition, DepositPosition, Positions } from '../../../domain/obligation.ts';
import { type ObligationStats, obligationStats } from '../../../domain/obligation-stats.ts';
import { inSol } from '../../../domain/price.ts';
import type { PointTime } from '../../../store/history/series.ts';
import {
  obligationBorrows,
  obligationDeposits,
  potentialGroup,
  valueObligation,
} from '../../obligations/obligations.ts';
import type { MarketRecord, ObligationRecord } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { viewTime } from '../../request/time-range.ts';
import { type Rounding, type TokenAmount, valuedAmount } from '../../tokens/amounts.ts';
import { stakeRateSol, tokenPrice } from '../../tokens/tokens.ts';
import { Valuation } from '../../tokens/valuation.ts';
import { type SolPrice, type SolValues, type StakedToken, solValues } from './sol-values.ts';

/** A deposit or a debt, valued at the prices of its moment. */
export interface PointPosition {
  readonly reserve: Address;
  readonly amount: TokenAmount;
}

/** An obligation in one bucket, as of `sampledAt`. */
export interface ObligationPoint extends PointTime {
  readonly deposits: readonly PointPosition[];
  readonly borrows: readonly PointPosition[];
  readonly stats: ObligationStats;
  /** The elevation group that would have raised its limit, by today's groups; 0 for none. */
  potentialGroup(): number;
  /** Null when the price of SOL or of a token was unknown. */
  readonly sol: SolValues | null;
}

/** The token of a reserve. */
export interface LentToken {
  readonly mint: Address;
  readonly decimals: number;
}

export interface PastMoment extends PointTime {
  readonly tokenOf: (reserve: Address) => LentToken | undefined;
  readonly solPrice: SolPrice | null;
  /** Null to value by USD prices only. */
  readonly staked: ((reserve: Address) => StakedToken | null) | null;
}

/** Null when a value is unknown. */
export function pastPoint(
  view: View,
  market: MarketRecord,
  positions: Positions,
  { bucket, samples, slot, sampledAt, tokenOf, solPrice, staked }: PastMoment,
): ObligationPoint | null {
  const stats = obligationStats(positions);
  if (stats === null) return null;
  const shown = (list: readonly (DepositPosition | BorrowPosition)[], rounding: Rounding) =>
    list.flatMap((each) => pointPosition(each, tokenOf(each.reserve), solPrice, rounding) ?? []);
  return {
    bucket,
    samples,
    slot,
    sampledAt,
    deposits: shown(positions.deposits, 'down'),
    borrows: shown(positions.borrows, 'up'),
    stats,
    potentialGroup: () =>
      potentialElevationGroup(
        positions,
        market.value,
        (address) => Valuation.of(view).priced(address),
        stats,
      ),
    sol: solValues(positions, stats, solPrice, staked),
  };
}

function pointPosition(
  { reserve, amount, valueUsd }: DepositPosition | BorrowPosition,
  token: LentToken | undefined,
  solPrice: SolPrice | null,
  rounding: Rounding,
): PointPosition | null {
  if (amount === null || token === undefined) return null;
  const value = { usd: valueUsd, sol: inSol(valueUsd, solPrice?.usd ?? null) };
  return { reserve, amount: valuedAmount(token, amount, value, rounding) };
}

const NOTHING: Positions = { elevationGroup: 0, deposits: [], borrows: [] };

/** The current obligation in the View; null when a value is unknown. A closed one is empty. */
export function presentPoint(
  session: Session,
  market: MarketRecord,
  record: ObligationRecord | null,
  bucket: Date,
  useStakeRate: boolean,
): ObligationPoint | null {
  const { view } = session;
  const price = tokenPrice(view, WRAPPED_SOL_MINT);
  const moment: PastMoment = {
    bucket,
    samples: 1,
    slot: view.moment.slot,
    sampledAt: viewTime(view),
    tokenOf: (reserve) => tokenInView(view, reserve),
    solPrice: price && { usd: price.usd, at: new Date(Number(price.asOf) * 1_000) },
    staked: useStakeRate ? (reserve) => stakedInView(view, reserve) : null,
  };
  if (record === null) return pastPoint(view, market, NOTHING, moment);
  const valued = valueObligation(session, record);
  const point = valued.positions && pastPoint(view, market, valued.positions, moment);
  if (!point) return null;
  const known = (list: readonly { position: { reserve: Address }; amount: TokenAmount | null }[]) =>
    list.flatMap(({ position, amount }) => (amount === null ? [] : [{ reserve: position.reserve, amount }]));
  return {
    ...point,
    deposits: known(obligationDeposits(valued)),
    borrows: known(obligationBorrows(valued)),
    potentialGroup: () => potentialGroup(valued),
  };
}

export function tokenInView(view: View, reserve: Address): LentToken | undefined {
  const liquidity = view.get('reserve', reserve)?.value.liquidity;
  return liquidity && { mint: liquidity.mintPubkey, decimals: Number(liquidity.mintDecimals) };
}

function stakedInView(view: View, reserve: Address): StakedToken | null {
  const token = tokenInView(view, reserve);
  return token ? { decimals: token.decimals, stakeRateSol: stakeRateSol(view, token.mint) } : null;
}
