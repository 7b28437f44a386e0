import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { debtAmount } from '../../domain/obligation.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { acceptsPrice, type RolloverObstacle, rollover } from '../../domain/rollover.ts';
import { ROLLOVER_OBSTACLE_WORDS } from '../../domain/rollover-words.ts';
import type { MarketRecord, ObligationRecord, ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

export { ROLLOVER_OBSTACLES, type RolloverObstacle } from '../../domain/rollover.ts';

/** One or two sentences: why the program refuses a rollover. */
export const rolloverObstacleInWords = (obstacle: RolloverObstacle): string =>
  ROLLOVER_OBSTACLE_WORDS[obstacle];

/** A reserve that lends the token of a debt, and what a rollover of the debt into it would do now. */
export interface RolloverTarget {
  readonly reserve: Address;
  /** Null when the program accepts the rollover. */
  readonly obstacle: RolloverObstacle | null;
  /** Debt that would be rolled over; 0 with an obstacle. */
  readonly amount: TokenAmount;
  /** The obstacle in words; null without one. */
  readonly description: string | null;
}

/** The reserves of the market that lend the token of a debt, by address. Empty when an account cannot be read. */
export function rolloverTargets(
  session: Pick<Session, 'view' | 'work'>,
  record: ObligationRecord,
  debt: ObligationLiquidity,
): RolloverTarget[] {
  const { view, work } = session;
  const market = view.get('market', record.value.lendingMarket);
  const source = view.get('reserve', debt.borrowReserve);
  if (market === undefined || source === undefined) return [];
  const targets = view
    .reservesOfMint(source.value.liquidity.mintPubkey)
    .filter(({ value }) => value.lendingMarket === market.address)
    .sort((a, b) => (a.address < b.address ? -1 : 1));
  work.draw('steps', targets.length);
  const reserves = (address: Address) => Valuation.of(view).priced(address);
  const refreshed = refreshedObligation(record.value, market.value, reserves);
  return targets.map((target) => targetOf(session, { record, market, debt, source, refreshed }, target));
}

interface Loan {
  readonly record: ObligationRecord;
  readonly market: MarketRecord;
  readonly debt: ObligationLiquidity;
  readonly source: ReserveRecord;
  readonly refreshed: ReturnType<typeof refreshedObligation>;
}

function targetOf(
  { view }: Pick<Session, 'view'>,
  { record, market, debt, source, refreshed }: Loan,
  target: ReserveRecord,
): RolloverTarget {
  const valuation = Valuation.of(view);
  const from = valuation.accrued(source);
  const price = valuation.priceOf(target.value);
  const { moved, obstacle } = rollover({
    market: market.value,
    obligation: record.value,
    refreshed,
    debt,
    source: from,
    targetAddress: target.address,
    target: valuation.accrued(target),
    targetPriceSf: price && toScaledFraction(price.usd),
    reserveAt: (address) => view.get('reserve', address)?.value,
    isPriceAccepted(address) {
      const reserve = view.get('reserve', address)?.value;
      return reserve !== undefined && acceptsPrice(reserve, valuation.priceOf(reserve));
    },
    timestamp: view.moment.timestamp,
  });
  const isSame = target.address === source.address;
  const whole = fromScaledFraction(toScaledFraction(debtAmount(debt, from)));
  const units = obstacle !== null ? ZERO : isSame ? whole : integer(moved);
  return {
    reserve: target.address,
    obstacle,
    amount: reserveAmount(view, target, units, 'up'),
    description: obstacle && rolloverObstacleInWords(obstacle),
  };
}
