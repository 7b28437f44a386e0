import { farmState } from '@sluice/protocol/farms/farm-state';
import { globalConfig } from '@sluice/protocol/farms/global-config';
import { userState } from '@sluice/protocol/farms/user-state';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { vaultGlobalConfig } from '@sluice/protocol/kvault/global-config';
import { reserveWhitelistEntryAccount } from '@sluice/protocol/kvault/reserve-whitelist-entry';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { paddingOf, paddingScan } from '@sluice/protocol/layout/padding';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { PaddingWatch } from '../../src/chain/view/padding-watch.ts';
import { ABSENT, haveRealAccounts, realAccounts } from '../support/vectors/shared-fixtures.ts';

const LAYOUTS = [
  reserve,
  lendingMarket,
  obligation,
  userMetadata,
  referrerTokenState,
  withdrawTicket,
  vaultState,
  vaultGlobalConfig,
  reserveWhitelistEntryAccount,
  farmState,
  userState,
  globalConfig,
];

/** Names that a program gives to bytes that it does not use. */
const UNUSED = /padding|reserved\d*$|placeholder/i;
/** Fields with such a name that hold what older programs stored there. */
const LEFTOVERS = [
  'Reserve.config.paddingDeprecatedAssetTier',
  'LendingMarket.reserved0',
  'LendingMarket.reserved1',
  'Obligation.paddingDeprecatedAssetTiers',
];

/** Offset and length of each range of a field. */
function rangesOf(layout: Parameters<typeof paddingOf>[0], field: string): number[][] {
  return paddingOf(layout)
    .filter((range) => range.field === field)
    .map(({ offset, length }) => [offset, length]);
}

/** Paths of all fields below a decoded value, with `[]` for any item. */
function* pathsIn(value: object, path: string): Iterable<string> {
  for (const name in value) {
    const field = `${path}.${name}`;
    yield field;
    const inner = (value as Record<string, unknown>)[name];
    if (Array.isArray(inner) && typeof inner[0] === 'object') yield* pathsIn(inner[0], `${field}[]`);
    else if (
      typeof inner === 'object' &&
      inner !== null &&
      !(inner instanceof Uint8Array || Array.isArray(inner))
    )
      yield* pathsIn(inner, field);
  }
}

/** Scans the accounts that have one of the layouts. */
function scanned(accounts: Iterable<{ readonly data: Uint8Array }>) {
  return [...accounts].flatMap(({ data }) => {
    const layout = LAYOUTS.find(
      ({ discriminator, size }) =>
        data.length === size && Buffer.compare(data.subarray(0, 8), discriminator) === 0,
    );
    return layout === undefined ? [] : [{ name: layout.name, used: paddingScan(layout)(data) }];
  });
}

describe('the padding of an account', () => {
  it.each([
    // Offsets are from the end of the field before to the start of the next one, in the program's own layout.
    ['lastUpdate.alignmentPadding', [[26, 2]]],
    ['liquidity.padding2', [[448, 400]]],
    ['reserveLiquidityPadding', [[1360, 1200]]],
    ['reserveCollateralPadding', [[3656, 1200]]],
    ['config.reserved1', [[4866, 3]]],
    ['configPadding', [[5808, 896]]],
    ['padding', [[6992, 1632]]],
  ])('of a reserve has %s', (field, ranges) => {
    expect(rangesOf(reserve, field)).toEqual(ranges);
  });

  it('of a market ends after the last field of klend 1.26', () => {
    expect(rangesOf(lendingMarket, 'padding1')).toEqual([[3448, 4664 - 3448]]);
  });

  it('of an obligation is what its orders and its end leave free', () => {
    expect(rangesOf(obligation, 'obligationOrders[].padding1')).toEqual([
      [2344 + 38, 2],
      [2472 + 38, 2],
    ]);
    expect(rangesOf(obligation, 'obligationOrders[].padding2')).toEqual([
      [2344 + 112, 16],
      [2472 + 112, 16],
    ]);
    expect(rangesOf(obligation, 'reserved')).toEqual([[2325, 3]]);
    expect(rangesOf(obligation, 'padding3')).toEqual([[3112, 3344 - 3112]]);
  });

  it('of a vault is in each of its 25 allocations', () => {
    const everyAllocation = (offset: number, length: number) =>
      Array.from({ length: 25 }, (_, i) => [312 + 2160 * i + offset, length]);
    expect(rangesOf(vaultState, 'vaultAllocationStrategy[].configPadding')).toEqual(
      everyAllocation(96, 126 * 8),
    );
    expect(rangesOf(vaultState, 'vaultAllocationStrategy[].statePadding')).toEqual(
      everyAllocation(1136, 2160 - 1136),
    );
    expect(rangesOf(vaultState, 'padding2')).toEqual([[58730, 6]]);
    expect(rangesOf(vaultState, 'padding3')).toEqual([[58872, 62552 - 58872]]);
  });

  it('is every field that is named so, except those with leftovers of older programs', () => {
    const unmarked = LAYOUTS.flatMap((layout) => {
      const marked = new Set(paddingOf(layout).map(({ field }) => `${layout.name}.${field}`));
      const value = layout.decode({ owner: SYSTEM_PROGRAM, data: layout.encode({}) }, SYSTEM_PROGRAM);
      return [...pathsIn(value, layout.name)].filter(
        (path) => UNUSED.test(path.split('.').at(-1) ?? '') && !marked.has(path),
      );
    });
    expect(unmarked).toEqual(LEFTOVERS);
  });
});

describe('the scan', () => {
  it('finds each field with a byte that is not zero, by the offset of its first one', () => {
    const data = vaultState.encode({});
    // Fields between the ranges do not count.
    data.fill(7, 312 + 2160 * 3, 312 + 2160 * 3 + 96);
    expect(paddingScan(vaultState)(data)).toEqual([]);
    data[312 + 2160 * 3 + 96 + 11] = 1;
    data[312 + 2160 * 4 + 2159] = 255;
    data[58_735] = 1;
    expect(paddingScan(vaultState)(data)).toEqual([
      { field: 'vaultAllocationStrategy[].configPadding', offset: 312 + 2160 * 3 + 107 },
      { field: 'vaultAllocationStrategy[].statePadding', offset: 312 + 2160 * 4 + 2159 },
      { field: 'padding2', offset: 58_735 },
    ]);
  });

  it('tells neighbouring fields apart', () => {
    const data = reserve.encode({});
    data[847] = 1;
    data[1360] = 1;
    expect(paddingScan(reserve)(data)).toEqual([
      { field: 'liquidity.padding2', offset: 847 },
      { field: 'reserveLiquidityPadding', offset: 1360 },
    ]);
  });

  it('finds every single byte of the padding and no other', () => {
    const scan = paddingScan(obligation);
    const isPadding = new Set(
      paddingOf(obligation).flatMap(({ offset, length }) => Array.from({ length }, (_, i) => offset + i)),
    );
    for (let at = 8; at < obligation.size; at += 1) {
      const data = obligation.encode({});
      data[at] = 128;
      expect(scan(data).map(({ offset }) => offset)).toEqual(isPadding.has(at) ? [at] : []);
    }
  });

  it('finds nothing on the localnet', () => {
    const localChain = unchangedChain();
    const programs = ['klend', 'kvault', 'farms'] as const;
    const owned = programs.flatMap((each) =>
      [...localChain.programAccounts(MAINNET_PROGRAMS[each])].map(([, account]) => account),
    );
    const found = scanned(owned);
    expect(new Set(found.map(({ name }) => name)).size).toBeGreaterThan(5);
    expect(found.filter(({ used }) => used.length > 0)).toEqual([]);
  });

  it.skipIf(!haveRealAccounts)(`finds nothing in real accounts${ABSENT}`, () => {
    const found = scanned(realAccounts().values());
    expect(found.map(({ name }) => name).sort()).toEqual(
      ['FarmState', 'LendingMarket', 'Obligation', 'Reserve', 'Reserve'].sort(),
    );
    expect(found.filter(({ used }) => used.length > 0)).toEqual([]);
  });
});

describe('the watch', () => {
  const PROGRAMS = Object.values(MAINNET_PROGRAMS);
  const placed = (layout: (typeof LAYOUTS)[number], owner: Address) => {
    const data = layout.encode({});
    const last = paddingOf(layout).at(-1);
    data[(last?.offset ?? 0) + (last?.length ?? 0) - 1] = 1;
    return { address: SYSTEM_PROGRAM, owner, data };
  };

  it('finds it in every kind of account that the gateway decodes, by program and discriminator', () => {
    const decoded = LAYOUTS.filter((layout) => layout !== reserveWhitelistEntryAccount);
    const kinds = decoded.flatMap((layout) =>
      PROGRAMS.flatMap((owner) => {
        const watch = new PaddingWatch(MAINNET_PROGRAMS);
        watch.see(placed(layout, owner));
        return watch.uses().map(({ kind }) => kind);
      }),
    );
    expect(kinds.toSorted()).toEqual([
      'farm',
      'farmConfig',
      'farmUser',
      'market',
      'obligation',
      'referrerTokenState',
      'reserve',
      'userMetadata',
      'vault',
      'vaultConfig',
      'withdrawTicket',
    ]);
  });

  it('leaves out accounts of other programs and slices', () => {
    const watch = new PaddingWatch(MAINNET_PROGRAMS);
    const account = placed(vaultGlobalConfig, MAINNET_PROGRAMS.kvault);
    watch.see({ ...account, owner: SYSTEM_PROGRAM });
    watch.see({ ...account, data: account.data.subarray(0, 100) });
    watch.see({ ...account, data: account.data.subarray(0, 4) });
    expect([watch.kinds(), watch.uses()]).toEqual([[], []]);
  });
});
