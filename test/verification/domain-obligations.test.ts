import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  borrowCapacities,
  maxAmount,
  type ObligationInView,
  withdrawCapacities,
} from '../../src/domain/capacity.ts';
import { isInGroup } from '../../src/domain/elevation.ts';
import { potentialElevationGroup } from '../../src/domain/elevation-move.ts';
import { accrueReserve } from '../../src/domain/interest.ts';
import { obligationPositions, type PricedReserve } from '../../src/domain/obligation.ts';
import { type ObligationStats, obligationStats } from '../../src/domain/obligation-stats.ts';
import { parseDecimal } from '../../src/numeric/decimal.ts';
import { MAX_BORROWS } from '../../src/programs/klend/obligation.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import {
  type CaseMoment,
  decodeMarket,
  decodeObligation,
  decodeReserve,
  expectClose,
  momentOf,
} from '../support/vectors/maths-vectors.ts';

type ByReserve<T> = Readonly<Record<Address, T>>;
interface Position {
  readonly amount: string;
  readonly valueUsd: string;
}

interface ObligationCase extends CaseMoment {
  readonly name: string;
  readonly market: string;
  readonly obligation: string;
  readonly reserves: ByReserve<{ readonly data: string; readonly priceUsd: string }>;
  readonly expected: {
    readonly deposits: ByReserve<Position>;
    readonly borrows: ByReserve<Position>;
    readonly stats: Readonly<Record<keyof ObligationStats, string>>;
    readonly maxBorrow: ByReserve<string>;
    readonly maxWithdraw: ByReserve<string>;
    readonly groups: readonly number[];
  };
}

const { cases } = readVectors<{ cases: readonly ObligationCase[] }>('maths-obligations');
const entries = <T>(record: ByReserve<T>) => Object.entries(record) as [Address, T][];

describe.each(cases.map((each) => [each.name, each] as const))('obligation, %s', (_, given) => {
  const { expected } = given;
  const moment = momentOf(given);
  const market = decodeMarket(given.market);
  const obligation = decodeObligation(given.obligation);
  const found = new Map<Address, PricedReserve>(
    entries(given.reserves).map(([address, { data, priceUsd }]) => [
      address,
      {
        accrued: accrueReserve(decodeReserve(data), moment.slot, market.referralFeeBps),
        priceUsd: parseDecimal(priceUsd),
      },
    ]),
  );
  const reserves = (address: Address) => found.get(address);
  const reserve = (address: Address): PricedReserve => {
    const priced = found.get(address);
    if (priced === undefined) throw new Error(`no reserve ${address}`);
    return priced;
  };
  const positions = obligationPositions(obligation, market, reserves);
  const view = (): ObligationInView => {
    const stats = obligationStats(positions);
    if (stats === null) throw new Error('a value is missing');
    return { obligation, market, reserves, positions, stats };
  };

  it('has the positions that the SDK computes', () => {
    expect(positions.deposits.map((deposit) => deposit.reserve)).toEqual(Object.keys(expected.deposits));
    expect(positions.borrows.map((borrow) => borrow.reserve)).toEqual(Object.keys(expected.borrows));
    const sides = [
      [positions.deposits, expected.deposits],
      [positions.borrows, expected.borrows],
    ] as const;
    for (const [own, sdk] of sides) {
      for (const { reserve: address, amount, valueUsd } of own) {
        expectClose(amount, sdk[address]?.amount ?? 'missing', 15);
        expectClose(valueUsd, sdk[address]?.valueUsd ?? 'missing', 12);
      }
    }
  });

  it.each(Object.keys(expected.stats) as (keyof ObligationStats)[])('%s matches the SDK', (name) => {
    expectClose(view().stats[name], expected.stats[name], 12);
  });

  it.each(entries(expected.maxBorrow))('the maximum borrow from %s matches the SDK', (address, amount) => {
    const capacities = borrowCapacities(view(), address, reserve(address), moment);
    const most = capacities && maxAmount(capacities);
    const isNew = !positions.borrows.some((borrow) => borrow.reserve === address);
    const group = obligation.elevationGroup;
    const foreign = positions.deposits.some(
      (deposit) => group !== 0 && !isInGroup(reserve(deposit.reserve).accrued.account, group),
    );
    // The SDK ignores the program's limit of five debts, and continues where a deposit is not in the elevation group.
    const refused = (isNew && positions.borrows.length === MAX_BORROWS) || foreign;
    // The SDK compares limits with the totals of the last refresh; we compare them with accrued totals.
    const collateral = capacities?.find(({ limit }) => limit === 'COLLATERAL')?.amount;
    const stale = moment.slot > reserve(address).accrued.account.lastUpdate.slot;
    if (!stale || (most !== null && collateral?.equals(most))) expectClose(most, refused ? '0' : amount);
  });

  it.each(entries(expected.maxWithdraw))(
    'the maximum withdrawal from %s matches the SDK',
    (address, amount) => {
      const capacities = withdrawCapacities(view(), address, reserve(address), moment);
      // For collateral without borrowing power the SDK confuses base units with dollars; ours allows the whole position.
      const collateral = positions.deposits.find((deposit) => deposit.reserve === address);
      const { stats } = view();
      const inDebt = !stats.userTotalBorrow.isZero;
      if (collateral?.maxLtv?.isZero && inDebt) return;
      expectClose(capacities && maxAmount(capacities), amount);
    },
  );

  it('suggests only an elevation group that the SDK lists for these reserves', () => {
    const group = potentialElevationGroup(positions, market, reserves, view().stats);
    expect([0, ...expected.groups]).toContain(group);
    expect(group === 0 || group !== obligation.elevationGroup).toBe(true);
  });

  it('has no stats when a reserve or a price is missing', () => {
    const empty = positions.deposits.length + positions.borrows.length === 0;
    expect(obligationStats(obligationPositions(obligation, market, () => undefined)) !== null).toBe(empty);
    const priceless = (address: Address) => ({ ...reserve(address), priceUsd: null });
    const unpriced = obligationPositions(obligation, market, priceless);
    expect(obligationStats(unpriced) !== null).toBe(empty);
    for (const deposit of unpriced.deposits) expect(deposit.amount).not.toBeNull();
  });
});
