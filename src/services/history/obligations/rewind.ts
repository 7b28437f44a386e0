import { fromBigScaledFraction, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { LendingEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../../domain/obligation.ts';
import type { FoldedObligation } from '../../../domain/pnl/obligation-fold.ts';
import { lastIndexAt } from '../../../domain/pnl/series.ts';
import type { ObligationRecord } from '../../request/records.ts';
import type { RateLookup } from '../rate-lookup.ts';

/** Conversion rates of a moment; null where unknown. */
export interface MomentRates {
  liquidityPerCollateral(reserve: Address): Rational | null;
  cumulativeBorrowRate(reserve: Address): Rational | null;
}

interface Side {
  readonly events: readonly LendingEvent[];
  /** Before the first event, and after each. */
  readonly states: readonly (Rational | null)[];
}

const TWO = integer(2n);

/**
 * Reconstructs an obligation backwards: starts from its account and undoes the events. This works for a debt taken
 * before rates were recorded (from the start of recording on), and for an obligation whose oldest transactions could
 * not be read (as far back as they could). A closed obligation starts empty.
 */
export class ObligationRewind {
  readonly #collateral: ReadonlyMap<Address, Side>;
  /** Debts divided by the cumulative borrow rate; null before an event whose rate is unknown. */
  readonly #debts: ReadonlyMap<Address, Side>;

  private constructor(collateral: ReadonlyMap<Address, Side>, debts: ReadonlyMap<Address, Side>) {
    this.#collateral = collateral;
    this.#debts = debts;
  }

  /** Undoes the events, newest first. Yields before each. */
  static *of(
    events: readonly LendingEvent[],
    record: ObligationRecord | null,
    rates: RateLookup,
  ): Generator<void, ObligationRewind> {
    const { collateral, debts } = presentOf(record);
    const collateralBefore = (event: LendingEvent, after: Rational) =>
      after.sub(integer(event.kind === 'deposit' ? event.collateral : -event.collateral));
    return new ObligationRewind(
      yield* sides(events, 'collateral', collateral, collateralBefore),
      yield* sides(events, 'debt', debts, (event, after) => debtBefore(event, after, rates)),
    );
  }

  /** Collateral tokens, base units. */
  collateral(reserve: Address, time: number): bigint {
    return stateAt(this.#collateral.get(reserve), time)?.floor() ?? 0n;
  }

  /** A debt divided by the cumulative borrow rate, base units; null when unknown. */
  scaledDebt(reserve: Address, time: number): Rational | null {
    return stateAt(this.#debts.get(reserve), time);
  }

  /** A debt with interest, base units; null when unknown, zero below one base unit. */
  debt(reserve: Address, time: number, rate: Rational | null): Rational | null {
    const scaled = this.scaledDebt(reserve, time);
    if (scaled === null || rate === null) return null;
    const owed = scaled.mul(rate);
    return owed.compare(ONE) < 0 ? ZERO : owed;
  }

  at(time: number, rates: MomentRates): FoldedObligation {
    return {
      deposits: [...this.#collateral.keys()].flatMap((reserve) => {
        const collateral = this.collateral(reserve, time);
        const rate = rates.liquidityPerCollateral(reserve);
        const amount = rate === null ? null : rate.mul(integer(collateral));
        return collateral <= 0n ? [] : [{ reserve, collateral, amount }];
      }),
      borrows: [...this.#debts.keys()].flatMap((reserve) => {
        if (this.scaledDebt(reserve, time)?.isZero) return [];
        const amount = this.debt(reserve, time, rates.cumulativeBorrowRate(reserve));
        return amount?.isZero ? [] : [{ reserve, amount }];
      }),
    };
  }
}

/** A remainder within the rate's error means that this borrow opened the debt. */
function debtBefore(event: LendingEvent, after: Rational, rates: RateLookup): Rational | null {
  const rate = rates.cumulativeBorrowRate(event.reserve, event.time);
  if (rate === null) return null;
  const amount = integer(event.liquidity ?? 0n);
  if (event.kind !== 'borrow') return after.add(amount.div(rate.value));
  const change = amount.add(integer(event.fee)).div(rate.value);
  const before = after.sub(change);
  const margin = ONE.div(rate.value).add(change.mul(rate.slack).mul(TWO));
  return before.compare(margin) < 0 ? ZERO : before;
}

function* sides(
  events: readonly LendingEvent[],
  side: LendingEvent['side'],
  present: ReadonlyMap<Address, Rational>,
  before: (event: LendingEvent, after: Rational) => Rational | null,
): Generator<void, ReadonlyMap<Address, Side>> {
  const lists = new Map<Address, LendingEvent[]>([...present.keys()].map((reserve) => [reserve, []]));
  for (const event of events) {
    if (event.side !== side) continue;
    const list = lists.get(event.reserve);
    if (list === undefined) lists.set(event.reserve, [event]);
    else list.push(event);
  }
  const found = new Map<Address, Side>();
  for (const [reserve, list] of lists) {
    const states: (Rational | null)[] = [present.get(reserve) ?? ZERO];
    for (const event of list.toReversed()) {
      yield;
      const after = states.at(-1) ?? null;
      states.push(after === null ? null : (before(event, after)?.reduced() ?? null));
    }
    found.set(reserve, { events: list, states: states.reverse() });
  }
  return found;
}

function stateAt(side: Side | undefined, time: number): Rational | null {
  if (side === undefined) return ZERO;
  const state = side.states[lastIndexAt(side.events, time) + 1] ?? null;
  return state === null || !state.isNegative ? state : ZERO;
}

function presentOf(record: ObligationRecord | null) {
  const collateral = new Map<Address, Rational>();
  const debts = new Map<Address, Rational>();
  for (const { depositReserve, depositedAmount } of record === null ? [] : activeDeposits(record.value)) {
    collateral.set(depositReserve, integer(depositedAmount));
  }
  for (const borrow of record === null ? [] : activeBorrows(record.value)) {
    const rate = fromBigScaledFraction(borrow.cumulativeBorrowRateBsf.value);
    if (rate.isZero) continue;
    debts.set(borrow.borrowReserve, fromScaledFraction(borrow.borrowedAmountSf).div(rate));
  }
  return { collateral, debts };
}
