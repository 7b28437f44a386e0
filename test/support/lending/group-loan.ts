import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { type LendingSetting, type ReserveSetting, reserveAddress } from '../builders/lending-accounts.ts';

/** The group of every reserve of `groupMember`; its debt is the third reserve. */
export const GROUP = {
  id: 1,
  ltvPct: 90,
  liquidationThresholdPct: 93,
  allowNewLoans: 1,
  maxReservesAsCollateral: 2,
  debtReserve: reserveAddress(2),
};

export const groupMember = (config: ReserveSetting['config'] = {}): ReserveSetting => ({
  config: {
    loanToValuePct: 75,
    liquidationThresholdPct: 85,
    borrowFactorPct: 125n,
    depositLimit: 10n ** 15n,
    borrowLimit: 10n ** 15n,
    borrowLimitOutsideElevationGroup: U64_MAX,
    borrowLimitAgainstThisCollateralInElevationGroup: [10n ** 12n],
    elevationGroups: Uint8Array.of(1),
    ...config,
  },
});

/** 1000 USD of collateral in two reserves, 500 USD of debt, outside groups. One USD is a token of six decimals. */
export const OUTSIDE_GROUPS: LendingSetting = {
  reserves: [groupMember(), groupMember(), groupMember()],
  deposits: [
    [0, 600_000_000n],
    [1, 400_000_000n],
  ],
  borrows: [[2, 500_000_000n]],
  market: { elevationGroups: [GROUP] },
};
