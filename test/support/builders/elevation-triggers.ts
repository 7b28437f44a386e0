import { elevationAccounts } from '../../../src/builders/elevation/accounts.ts';
import { elevationPreview } from '../../../src/builders/elevation/preview.ts';
import type { BuildWarning } from '../../../src/builders/warnings.ts';
import { lend, position, type Trigger } from './built-warnings.ts';
import {
  type LendingSetting,
  lendingChain,
  lendingRequest,
  NOW,
  reserveAddress,
  SLOT,
  WALLET,
} from './lending-accounts.ts';

/** A move of the obligation to an elevation group. */
export function elevate(group: number, setting: LendingSetting): readonly BuildWarning[] {
  const { programs, wallet, market, obligation, lookupTables, oracles } = lendingRequest('borrow');
  const accounts = elevationAccounts(
    { programs, wallet, market, obligation, lookupTables, oracles, group },
    lendingChain(setting),
    { slot: SLOT, payer: WALLET, fresh: new Set() },
  );
  return elevationPreview(accounts, NOW).warnings;
}

const GROUPED = {
  elevationGroups: Uint8Array.of(1),
  borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 15n],
};
const GROUP = {
  id: 1,
  ltvPct: 90,
  liquidationThresholdPct: 93,
  allowNewLoans: 1,
  maxReservesAsCollateral: 8,
  debtReserve: reserveAddress(0),
};
/** The usual position, which elevation group 1 accepts. */
export const fitting = (change: Partial<typeof GROUP> = {}, more: LendingSetting = {}): LendingSetting =>
  position(
    {},
    {
      reserves: [{ config: GROUPED }, { config: GROUPED }],
      market: { elevationGroups: [{ ...GROUP, ...change }] },
      ...more,
    },
  );

export const ELEVATION_TRIGGERS: readonly Trigger[] = [
  ['ELEVATION_GROUP_ACTIVE', 'no group, again', () => elevate(0, fitting())],
  ['ELEVATION_GROUP_UNKNOWN', 'a group without terms', () => elevate(2, fitting())],
  ['ELEVATION_GROUP_CLOSED', 'a group without new loans', () => elevate(1, fitting({ allowNewLoans: 0 }))],
  [
    'ELEVATION_GROUP_COLLATERAL',
    'a deposit in a reserve outside the group',
    () => elevate(1, fitting({}, { reserves: [{ config: GROUPED }, {}] })),
  ],
  [
    'ELEVATION_GROUP_DEBT',
    'a debt in a reserve outside the group',
    () => elevate(1, fitting({}, { reserves: [{}, { config: GROUPED }] })),
  ],
  [
    'ELEVATION_GROUP_NEEDED',
    'a deposit that backs debts only in a group',
    () =>
      elevate(
        0,
        fitting(
          {},
          {
            reserves: [{ config: GROUPED }, { config: { ...GROUPED, disableUsageAsCollOutsideEmode: 1 } }],
            change: { elevationGroup: 1 },
          },
        ),
      ),
  ],
  ['BETTER_ELEVATION_GROUP', 'a pair with a group', () => lend('borrow', '5', fitting())],
];
