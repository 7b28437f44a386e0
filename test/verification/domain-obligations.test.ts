import { MAX_BORROWS } from '@sluice/protocol/klend/obligation';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, ONE } from '@sluice/protocol/numeric/rational';
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
import { obligationPositions, type PricedReserve } from '../../src/domain/obligation.ts';
import { type ObligationStats, obligationStats } from '../../src/domain/obligation-stats.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';
import {
  type CaseMoment,
  decodeMarket,
  decodeObligation,
  decodeReserve,
  expectClose,
  lostGrowth,
  momentOf,
  STEP,
  sdkNumber,
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
        accrued: refreshReserve(decodeReserve(data), moment, market),
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
        // The program rounds the growth of a reserve, and each debt, to steps of 2^-60; the SDK does not (decision 5).
        const wanted = sdkNumber(sdk[address]?.amount ?? 'missing');
        const slots = moment.slot - reserve(address).accrued.account.lastUpdate.slot;
        const lost = wanted.mul(lostGrowth(slots)).mul(integer(2));
        expectClose(amount, wanted, 15, lost.add(STEP));
        expectClose(valueUsd, sdk[address]?.valueUsd ?? 'missing', 12, STEP);
      }
    }
  });

  it.each(Object.keys(expected.stats) as (keyof ObligationStats)[])('%s matches the SDK', (name) => {
    // A debt of dust is a few steps of 2^-60 of a base unit.
    expectClose(view().stats[name], expected.stats[name], 12, STEP.mul(integer(4)));
  });

  it.each(entries(expected.maxBorrow))('the maximum borrow from %s matches the SDK', (address, amount) => {
    const capacities = borrowCapacities(view(), address, reserve(address), moment);
    // The SDK takes the origination fee off the limit of the collateral alone; the program adds it for every limit.
    const fee = fromScaledFraction(reserve(address).accrued.account.config.fees.originationFeeSf);
    const received = capacities?.map(({ limit, amount }) => ({
      limit,
      amount: limit === 'COLLATERAL' ? amount.div(ONE.add(fee)) : amount,
    }));
    const most = received ? maxAmount(received) : null;
    const isNew = !positions.borrows.some((borrow) => borrow.reserve === address);
    const group = obligation.elevationGroup;
    const foreign = positions.deposits.some(
      (deposit) => group !== 0 && !isInGroup(reserve(deposit.reserve).accrued.account, group),
    );
    // The SDK ignores the program's limit of five debts, and continues where a deposit is not in the elevation group.
    // It takes the counters of the caps as they are stored; a refresh first counts what the obligation owes.
    const isCounted = received?.some(
      ({ limit, amount }) => (limit === 'OUTSIDE_GROUPS' || limit === 'GROUP') && most?.equals(amount),
    );
    if (isCounted && !isNew) return;
    const refused = (isNew && positions.borrows.length === MAX_BORROWS) || foreign;
    // The program's fixed point has fewer digits for the position of dust, which is worth less than a cent.
    const digits = given.name.includes('dust') ? 10 : undefined;
    // The SDK compares limits with the totals of the last refresh; we compare them with accrued totals.
    const collateral = received?.find(({ limit }) => limit === 'COLLATERAL')?.amount;
    const stale = moment.slot > reserve(address).accrued.account.lastUpdate.slot;
    if (!stale || (most !== null && collateral?.equals(most)))
      expectClose(most, refused ? '0' : amount, digits);
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
