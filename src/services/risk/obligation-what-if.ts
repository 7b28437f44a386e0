import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Obligation } from '@sluice/protocol/klend/obligation';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { positivePart, totalIfKnown } from '../../domain/arithmetic.ts';
import { debtEnds } from '../../domain/debt-end.ts';
import { healthFactor } from '../../domain/health.ts';
import { largestLiquidation } from '../../domain/largest-liquidation.ts';
import { hasEndedDebt, isUnhealthy, type LiquidationReason } from '../../domain/liquidation-reason.ts';
import {
  activeBorrows,
  activeDeposits,
  type BorrowPosition,
  type DepositPosition,
  obligationPositions,
} from '../../domain/obligation.ts';
import { obligationStats } from '../../domain/obligation-stats.ts';
import { inSol } from '../../domain/price.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { collateralToLiquidity } from '../../domain/reserve.ts';
import type { ObligationRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { amountAt, type Rounding, type TokenAmount, valuedAmount } from '../tokens/amounts.ts';
import { type GivenScenario, scenarioOf } from './scenario.ts';
import { type SupposedReserves, supposedReserves } from './supposed-reserves.ts';

export type { LiquidationReason } from '../../domain/liquidation-reason.ts';

/** Why values of a scenario are unknown. */
export type UnknownValue = 'MARKET_UNREADABLE' | 'RESERVE_UNREADABLE' | 'PRICE_UNKNOWN';

/** A deposit or debt under a scenario. */
export interface SupposedPosition {
  readonly reserve: Address;
  /** Null when unknown; likewise below. */
  readonly priceUsd: Rational | null;
  readonly amount: TokenAmount | null;
}

/** The liquidation that the program would accept under a scenario. */
export interface SupposedLiquidation {
  readonly reason: LiquidationReason;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  readonly repaid: TokenAmount | null;
  readonly seized: TokenAmount | null;
  /** Fraction of the repaid value. */
  readonly bonus: Rational;
}

/** An obligation under a scenario. Figures in USD or fractions; null when unknown. */
export interface ObligationWhatIf {
  readonly record: ObligationRecord;
  readonly deposits: readonly SupposedPosition[];
  readonly borrows: readonly SupposedPosition[];
  readonly depositedUsd: Rational | null;
  readonly borrowedUsd: Rational | null;
  readonly netValueUsd: Rational | null;
  readonly badDebtUsd: Rational | null;
  /** Debts whose term, or reserve, has ended by then. */
  readonly endedDebtUsd: Rational | null;
  /** Also null without debt. */
  readonly healthFactor: Rational | null;
  readonly loanToValue: Rational | null;
  readonly liquidationLtv: Rational | null;
  readonly liquidatable: boolean | null;
  readonly liquidation: SupposedLiquidation | null;
  readonly unknown: UnknownValue | null;
  readonly unknownReserve: Address | null;
}

const NOTHING_KNOWN = {
  deposits: [],
  borrows: [],
  depositedUsd: null,
  borrowedUsd: null,
  netValueUsd: null,
  badDebtUsd: null,
  endedDebtUsd: null,
  healthFactor: null,
  loanToValue: null,
  liquidationLtv: null,
  liquidatable: null,
  liquidation: null,
} as const;

/** Steps of one obligation, besides those of its reserves. */
const OBLIGATION_STEPS = 4;

/** One obligation under a scenario of a caller. @throws SluiceError when a part of it makes no sense */
export async function supposedObligation(
  session: Session,
  record: ObligationRecord,
  given: GivenScenario,
): Promise<ObligationWhatIf | undefined> {
  const { view, work } = session;
  const pause = work.step();
  if (pause !== null) await pause;
  const scenario = scenarioOf(view, given);
  const reserves = await work.run(supposedReserves(view, scenario, reservesOf(record)));
  const [supposed] = await obligationsWhatIf(session, [record], reserves);
  return supposed;
}

/** Obligations under a scenario, in order. */
export async function obligationsWhatIf(
  { view, work }: Pick<Session, 'view' | 'work'>,
  records: readonly ObligationRecord[],
  reserves: SupposedReserves,
): Promise<ObligationWhatIf[]> {
  return await work.map(records, OBLIGATION_STEPS, (record) => obligationWhatIf({ view }, record, reserves));
}

/** The reserves that an obligation uses. */
export const reservesOf = ({ value }: ObligationRecord): Address[] => [
  ...activeDeposits(value).map(({ depositReserve }) => depositReserve),
  ...activeBorrows(value).map(({ borrowReserve }) => borrowReserve),
];

/** An obligation under a scenario. */
export function obligationWhatIf(
  { view }: Pick<Session, 'view'>,
  record: ObligationRecord,
  reserves: SupposedReserves,
): ObligationWhatIf {
  const market = view.get('market', record.value.lendingMarket)?.value;
  if (market === undefined) {
    return { record, ...NOTHING_KNOWN, unknown: 'MARKET_UNREADABLE', unknownReserve: null };
  }
  const { deposits, borrows, ...rest } = obligationPositions(record.value, market, reserves.priced);
  const shown = {
    record,
    deposits: deposits.map((each) => supposedPosition(reserves, each, 'down')),
    borrows: borrows.map((each) => supposedPosition(reserves, each, 'up')),
  };
  const stats = obligationStats({ deposits, borrows, ...rest });
  if (stats === null) {
    const missing = [...deposits, ...borrows].find(({ valueUsd }) => valueUsd === null);
    const unknown = missing?.amount === null ? 'RESERVE_UNREADABLE' : 'PRICE_UNKNOWN';
    return { ...NOTHING_KNOWN, ...shown, unknown, unknownReserve: missing?.reserve ?? null };
  }
  return {
    ...shown,
    depositedUsd: stats.userTotalDeposit,
    borrowedUsd: stats.userTotalBorrow,
    netValueUsd: stats.netAccountValue,
    badDebtUsd: positivePart(stats.netAccountValue.neg()),
    endedDebtUsd: endedDebt(record.value, market, borrows, reserves),
    healthFactor: healthFactor(stats),
    loanToValue: stats.loanToValue,
    liquidationLtv: stats.liquidationLtv,
    ...asLiquidatorsSee(record, market, reserves),
    unknown: null,
    unknownReserve: null,
  };
}

/** Answer of the program to a liquidator, with its rounding. */
function asLiquidatorsSee(
  { value }: ObligationRecord,
  market: LendingMarket,
  reserves: SupposedReserves,
): Pick<ObligationWhatIf, 'liquidatable' | 'liquidation'> {
  const obligation = refreshedObligation(value, market, reserves.priced);
  if (obligation === null) return { liquidatable: null, liquidation: null };
  const { priced, timestamp } = reserves;
  const hasEnded = obligation.depositedSf > 0n && hasEndedDebt(value, market, priced, timestamp);
  if (!hasEnded && !isUnhealthy(obligation)) return { liquidatable: false, liquidation: null };
  const { elevationGroup: group } = value;
  const found = largestLiquidation({ obligation, group, market, reserves: priced, timestamp });
  if (found === null) return { liquidatable: true, liquidation: null };
  const { reason, repayReserve, withdrawReserve, repaid, seized, bonusSf } = found;
  const collateral = reserves.priced(withdrawReserve)?.accrued;
  return {
    liquidatable: true,
    liquidation: {
      reason,
      repayReserve,
      withdrawReserve,
      repaid: amountIn(reserves, repayReserve, integer(repaid), 'up'),
      seized:
        collateral === undefined
          ? null
          : amountIn(reserves, withdrawReserve, collateralToLiquidity(collateral, seized), 'down'),
      bonus: fromScaledFraction(bonusSf),
    },
  };
}

/** Value of the debts that have ended at the time of the scenario; null when one is unknown. */
function endedDebt(
  { borrows }: Obligation,
  market: LendingMarket,
  positions: readonly BorrowPosition[],
  { priced, timestamp }: SupposedReserves,
): Rational | null {
  const ended = positions.filter(({ reserve }) => {
    const config = priced(reserve)?.accrued.account.config;
    const debt = borrows.find(({ borrowReserve }) => borrowReserve === reserve);
    if (config === undefined || debt === undefined) return false;
    return debtEnds(market, config, debt).some(({ at }) => timestamp >= at);
  });
  return totalIfKnown(ended.map(({ valueUsd }) => valueUsd));
}

/** Has the published value of the position, so values add up to the totals. */
function supposedPosition(
  { priced, solPriceUsd }: SupposedReserves,
  { reserve, amount, priceUsd, valueUsd: usd }: DepositPosition | BorrowPosition,
  rounding: Rounding,
): SupposedPosition {
  const liquidity = priced(reserve)?.accrued.account.liquidity;
  if (liquidity === undefined || amount === null) return { reserve, priceUsd, amount: null };
  const { mintPubkey: mint, mintDecimals: decimals } = liquidity;
  const sol = inSol(usd, solPriceUsd);
  return { reserve, priceUsd, amount: valuedAmount({ mint, decimals }, amount, { usd, sol }, rounding) };
}

/** An amount of a reserve's token at its supposed price; null when the reserve cannot be read. */
function amountIn(
  { priced, solPriceUsd }: SupposedReserves,
  reserve: Address,
  baseUnits: Rational,
  rounding: Rounding,
): TokenAmount | null {
  const found = priced(reserve);
  if (found === undefined) return null;
  const { mintPubkey: mint, mintDecimals: decimals } = found.accrued.account.liquidity;
  return amountAt({ mint, decimals, priceUsd: found.priceUsd }, baseUnits, solPriceUsd, rounding);
}
