import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { elevationAccounts } from '../../src/builders/elevation/accounts.ts';
import { buildElevationRequest } from '../../src/builders/elevation/action.ts';
import { elevationPreview } from '../../src/builders/elevation/preview.ts';
import { type LendingSetting, MARKET, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { type GROUP, groupMember, OUTSIDE_GROUPS } from '../support/lending/group-loan.ts';
import { type LendingBench, lendingBench } from '../support/localnet/lending-bench.ts';

/** Every move is built, and run on the program's model: the first error warning names what the program reports. */

function benchOf(setting: LendingSetting = {}, group?: Partial<typeof GROUP>): LendingBench {
  const bench = lendingBench({ ...OUTSIDE_GROUPS, ...setting }, 'borrow', 2);
  if (group !== undefined) bench.change(lendingMarket, MARKET, { elevationGroups: [group] });
  return bench;
}

/** Builds the move on the bench's accounts. */
function moveOf(bench: LendingBench, group: number) {
  const { request } = bench.accounts;
  const { programs, wallet, market, lookupTables, oracles } = request;
  const accounts = elevationAccounts(
    {
      programs,
      wallet,
      market,
      lookupTables,
      oracles,
      group,
      obligation: { address: bench.obligationAddress },
    },
    (address) => {
      const found = bench.get(address);
      return found === undefined ? null : { ...found, address };
    },
    { slot: NOW.slot, payer: wallet, fresh: new Set() },
  );
  return { action: buildElevationRequest(accounts), preview: elevationPreview(accounts, NOW) };
}

const errors = (bench: LendingBench, group: number) =>
  moveOf(bench, group)
    .preview.warnings.filter(({ level }) => level === 'ERROR')
    .map(({ code }) => code);

/** The move itself; the reserves of a bench are refreshed and have no oracle. */
function run(bench: LendingBench, group: number) {
  const { instructions } = moveOf(bench, group).action;
  return bench.failureOf(instructions.filter(({ name }) => name !== 'refreshReserve'));
}

const figure = (change: { before: unknown; after: unknown } | null) =>
  change && [change.before, change.after].map((each) => each && toDecimalString(each as never));

describe('a move to an elevation group', () => {
  it('previews the terms of both sides, and the program accepts it', () => {
    const bench = benchOf();
    const { preview } = moveOf(bench, 1);
    expect(preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
    expect(figure(preview.elevationGroup)).toEqual(['0', '1']);
    expect(figure(preview.maxLtv)).toEqual(['0.75', '0.9']);
    expect(figure(preview.liquidationLtv)).toEqual(['0.85', '0.93']);
    expect(figure(preview.borrowLimitUsd)).toEqual(['750', '900']);
    // 500 USD of debt weigh 625 outside and 500 inside: 850 / 625 and 930 / 500.
    expect(figure(preview.healthFactor)).toEqual(['1.36', '1.86']);
    expect(run(bench, 1)).toBeNull();
    expect(bench.obligation().elevationGroup).toBe(1);
    expect(errors(bench, 0)).toEqual([]);
    expect(run(bench, 0)).toBeNull();
    expect(bench.obligation().elevationGroup).toBe(0);
  });
});

type Case = readonly [wrong: string, code: string, error: number, bench: () => LendingBench, group?: number];

const CASES: readonly Case[] = [
  ['the group is already active', 'ELEVATION_GROUP_ACTIVE', 6083, () => benchOf(), 0],
  ['the market does not define the group', 'ELEVATION_GROUP_UNKNOWN', 6069, () => benchOf(), 2],
  [
    'the market is in emergency mode',
    'ACTION_NOT_ALLOWED',
    6042,
    () => {
      const bench = benchOf();
      bench.change(lendingMarket, MARKET, { emergencyMode: 1 });
      return bench;
    },
  ],
  [
    'a reserve of the obligation is in emergency mode',
    'ACTION_NOT_ALLOWED',
    6017,
    () => benchOf({ reserves: [groupMember(), groupMember({ emergencyMode: 1 }), groupMember()] }),
  ],
  ['there is no deposit', 'ACTION_NOT_ALLOWED', 6020, () => benchOf({ deposits: [], borrows: [] })],
  ['the group accepts no new loans', 'ELEVATION_GROUP_CLOSED', 6072, () => benchOf({}, { allowNewLoans: 0 })],
  [
    'the group has no debt reserve',
    'ELEVATION_GROUP_CLOSED',
    6102,
    () => benchOf({}, { debtReserve: NO_ADDRESS }),
  ],
  [
    'the group allows no collateral',
    'ELEVATION_GROUP_CLOSED',
    6103,
    () => benchOf({}, { maxReservesAsCollateral: 0 }),
  ],
  [
    'there are more deposits than the group allows',
    'ELEVATION_GROUP_COLLATERAL',
    6106,
    () => benchOf({}, { maxReservesAsCollateral: 1 }),
  ],
  [
    'a deposit is not in the group',
    'ELEVATION_GROUP_COLLATERAL',
    6068,
    () =>
      benchOf({
        reserves: [groupMember(), groupMember({ elevationGroups: Uint8Array.of(2) }), groupMember()],
      }),
  ],
  [
    'the debt is not in the group',
    'ELEVATION_GROUP_DEBT',
    6068,
    () =>
      benchOf({
        reserves: [groupMember(), groupMember(), groupMember({ elevationGroups: Uint8Array.of(2) })],
      }),
  ],
  [
    'the group lends from another reserve',
    'ELEVATION_GROUP_DEBT',
    6104,
    () => benchOf({}, { debtReserve: reserveAddress(7) }),
  ],
  [
    'there are two debts, both in the reserve that the group lends from',
    'ELEVATION_GROUP_DEBT',
    6068,
    () =>
      benchOf({
        borrows: [
          [2, 250_000_000n],
          [2, 250_000_000n],
        ],
      }),
  ],
  [
    'there are two debts, one of them in another reserve',
    'ELEVATION_GROUP_DEBT',
    6104,
    () =>
      benchOf({
        reserves: [groupMember(), groupMember(), groupMember(), groupMember()],
        borrows: [
          [2, 250_000_000n],
          [3, 250_000_000n],
        ],
      }),
  ],
  [
    'a deposit is what the group lends',
    'ELEVATION_GROUP_COLLATERAL',
    6105,
    () => benchOf({ borrows: [] }, { debtReserve: reserveAddress(0) }),
  ],
  ['the collateral is too low', 'COLLATERAL_TOO_LOW', 6071, () => benchOf({}, { ltvPct: 40 })],
  [
    'the debt exceeds the limit of a collateral in the group',
    'BORROW_LIMIT_EXCEEDED',
    6101,
    () =>
      benchOf({
        reserves: [
          groupMember(),
          groupMember({ borrowLimitAgainstThisCollateralInElevationGroup: [499_999_999n] }),
          groupMember(),
        ],
      }),
  ],
];

describe('a move that the program rejects', () => {
  const titled = CASES.map((each) => [`${each[0]}: ${each[1]}`, each] as const);

  it.each(titled)('%s', (_, [, code, error, make, group = 1]) => {
    const bench = make();
    expect(errors(bench, group)[0]).toBe(code);
    expect(run(bench, group)).toBe(error);
  });

  it('is refused out of a group when the debt exceeds the limit outside groups, or needs the group', () => {
    const outside = { borrowLimitOutsideElevationGroup: 499_999_999n };
    const over = benchOf({ reserves: [groupMember(), groupMember(), groupMember(outside)] });
    expect(run(over, 1)).toBeNull();
    expect(errors(over, 0)).toEqual(['BORROW_LIMIT_EXCEEDED']);
    expect(run(over, 0)).toBe(6101);
    const only = benchOf({
      reserves: [groupMember({ disableUsageAsCollOutsideEmode: 1 }), groupMember(), groupMember()],
    });
    expect(run(only, 1)).toBeNull();
    expect(errors(only, 0)).toEqual(['ELEVATION_GROUP_NEEDED']);
    expect(run(only, 0)).toBe(6091);
  });

  it('is refused when it raises the loan-to-value of an obligation that is deleveraged', () => {
    const bench = benchOf();
    expect(run(bench, 1)).toBeNull();
    const marked = { autodeleverageMarginCallStartedTimestamp: 1n };
    bench.change(obligation, bench.obligationAddress, marked);
    expect(errors(bench, 0)).toEqual(['ACTION_NOT_ALLOWED']);
    expect(run(bench, 0)).toBe(6093);
  });
});
