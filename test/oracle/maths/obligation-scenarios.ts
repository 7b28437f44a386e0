import { caps, curve, rate, times } from '../accounts/klend-typical-reserve.ts';
import { SF } from '../constants.ts';
import { bn } from '../fill.ts';
import { Prng } from '../prng.ts';
import { plainReserve, type ReserveOverrides, type WorldReserve, worldReserve } from './lending-world.ts';

/** A market, its reserves and one obligation in it. Reserves are named by their place. */
export interface Scenario {
  readonly name: string;
  readonly reserves: readonly WorldReserve[];
  readonly groups?: readonly { debt: number; ltvPct: number; liquidationThresholdPct: number }[];
  /** Reserve and cTokens. */
  readonly deposits: readonly [number, bigint][];
  /** Reserve, amount and the cumulative rate when it was borrowed, both scaled. */
  readonly borrows: readonly [number, bigint, bigint][];
  readonly group?: number;
  /** Slots after the last refresh. */
  readonly later?: bigint;
}

type Change = Omit<Partial<ReserveOverrides>, 'config' | 'liquidity'> & {
  config?: ReserveOverrides['config'];
  liquidity?: ReserveOverrides['liquidity'];
};

const PRICES = ['1', '0.9998', '143.27', '61234.5', '0.0000123', '2.5', '1.07', '3500.01', '0.37', '12'];
const DECIMALS = [6, 6, 9, 8, 5, 6, 9, 8, 6, 9];

function world(name: string, changes: Readonly<Record<number, Change>> = {}): WorldReserve[] {
  const prng = new Prng(`maths/obligation/${name}`);
  return times(10, (index) => {
    const { config, liquidity, ...rest } = changes[index] ?? {};
    const fields = plainReserve(
      prng,
      {
        mintDecimals: bn(DECIMALS[index] ?? 6),
        cumulativeBorrowRateBsf: rate((SF * (120n + BigInt(index))) / 100n),
        ...liquidity,
      },
      {
        loanToValuePct: 50 + 4 * index,
        liquidationThresholdPct: 60 + 4 * index - (index > 8 ? 4 : 0),
        borrowFactorPct: bn(100 + 25 * (index % 4)),
        ...config,
      },
    );
    return worldReserve(prng.address(), { ...fields, ...rest }, PRICES[index] ?? '1');
  });
}

const GROUPED: Change = {
  config: {
    elevationGroups: [1, 2],
    borrowLimitAgainstThisCollateralInElevationGroup: [bn(9_000_000_000n), bn(5_000_000_000n)],
  },
  borrowedAmountsAgainstThisReserveInElevationGroups: [bn(1_000_000_000n), bn(1_000n)],
};
const GROUPS = [
  { debt: 0, ltvPct: 90, liquidationThresholdPct: 93 },
  { debt: 1, ltvPct: 85, liquidationThresholdPct: 88 },
];
const INTEREST_SINCE = (SF * 11n) / 10n;
const grouped = (name: string, ...places: number[]) =>
  world(name, Object.fromEntries(places.map((place) => [place, GROUPED])));

const changed = (name: string, changes: Readonly<Record<number, Change>>): Scenario => ({
  name,
  reserves: world(name, changes),
  deposits: [[2, 50_000_000_000n]],
  borrows: [[0, 1_500_000_000n * SF, INTEREST_SINCE]],
});

const named = (): Scenario[] => [
  { name: 'empty', reserves: world('empty'), deposits: [], borrows: [] },
  { name: 'deposit only', reserves: world('deposit only'), deposits: [[2, 50_000_000_000n]], borrows: [] },
  changed('one and one', {}),
  {
    name: 'several of each',
    reserves: world('several of each'),
    deposits: [
      [2, 50_000_000_000n],
      [3, 10_000_000n],
      [5, 123_456_789n],
    ],
    borrows: [
      [0, 1_500_000_000n * SF, INTEREST_SINCE],
      [4, 77_000_000_000_000n * SF + 12_345n, SF],
      [8, 5n * SF, SF],
    ],
  },
  {
    name: 'eight deposits and five borrows',
    reserves: world('eight deposits and five borrows'),
    deposits: times(8, (index): [number, bigint] => [index, 1_000_000_007n * BigInt(index + 1)]),
    borrows: times(5, (index): [number, bigint, bigint] => [
      index,
      50_000_000n * SF * BigInt(index + 1) + 7n,
      SF,
    ]),
  },
  { name: 'dust', reserves: world('dust'), deposits: [[2, 1n]], borrows: [[0, 1n, SF]] },
  {
    name: 'under water',
    reserves: world('under water'),
    deposits: [[2, 1_000_000_000n]],
    borrows: [[0, 1_500_000_000n * SF, INTEREST_SINCE]],
  },
  {
    name: 'in a group',
    reserves: grouped('in a group', 0, 2, 6),
    groups: GROUPS,
    group: 1,
    deposits: [
      [2, 50_000_000_000n],
      [6, 1_000_000_000n],
    ],
    borrows: [[0, 1_500_000_000n * SF, INTEREST_SINCE]],
  },
  {
    name: 'in a group without debt',
    reserves: grouped('in a group without debt', 1, 2),
    groups: GROUPS,
    group: 2,
    deposits: [[2, 50_000_000_000n]],
    borrows: [],
  },
  {
    name: 'in a group that one deposit is not part of',
    reserves: grouped('in a group that one deposit is not part of', 0, 2),
    groups: GROUPS,
    group: 1,
    deposits: [
      [2, 50_000_000_000n],
      [3, 100_000_000n],
    ],
    borrows: [[0, 1_500_000_000n * SF, INTEREST_SINCE]],
  },
  { ...changed('could join a group', { 0: GROUPED, 2: GROUPED }), groups: GROUPS },
  changed('collateral only inside groups', { 2: { config: { disableUsageAsCollOutsideEmode: 1 } } }),
  changed('collateral that counts for nothing', {
    2: { config: { loanToValuePct: 0, liquidationThresholdPct: 0 } },
  }),
  changed('collateral that counts for liquidation only', { 2: { config: { loanToValuePct: 0 } } }),
  changed('borrow limit binds', { 0: { config: { borrowLimit: bn(34_567_890_223_456n) } } }),
  changed('limit outside groups binds', {
    0: { config: { borrowLimitOutsideElevationGroup: bn(4_567_990_123n) } },
  }),
  changed('utilization binds', { 0: { config: { utilizationLimitBlockBorrowingAbovePct: 70 } } }),
  changed('little is available', {
    0: { liquidity: { totalAvailableAmount: bn(1_000_000) } },
    2: { liquidity: { totalAvailableAmount: bn(5_000_000) } },
  }),
  changed('outflow is limited', {
    0: { config: { debtWithdrawalCap: caps(1_000_000n, 300_000n) } },
    2: { config: { depositWithdrawalCap: caps(2_000_000n, -5_000_000n) } },
  }),
  changed('no origination fee', { 0: { config: { fees: { originationFeeSf: bn(0) } } } }),
  {
    ...changed(
      'later, on flat curves',
      Object.fromEntries(
        times(10, (index) => [
          index,
          {
            config: {
              borrowRateCurve: curve([
                [0, 400],
                [10_000, 400],
              ]),
            },
          },
        ]),
      ),
    ),
    later: 250_000n,
  },
];

function random(index: number): Scenario {
  const name = `random ${index}`;
  const prng = new Prng(`maths/obligation/${name}/positions`);
  const keys = times(10, (place) => ({ place, key: prng.bits(64) }));
  const places = keys.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ place }) => place);
  const deposits = places.slice(0, prng.int(1, 5));
  const borrows = places.slice(5, 5 + prng.int(0, 4));
  return {
    name,
    reserves: world(name),
    deposits: deposits.map((place) => [place, prng.between(1n, 10n ** prng.between(6n, 13n))]),
    borrows: borrows.map((place) => [
      place,
      prng.between(1n, 10n ** prng.between(3n, 11n)) * SF + prng.between(0n, SF),
      prng.between(SF, (SF * 119n) / 100n),
    ]),
  };
}

export const obligationScenarios = (): Scenario[] => [...named(), ...times(16, (index) => random(index + 1))];
