import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { borrowRoom, borrowTerms } from '../../src/domain/borrow-terms.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import {
  type LendingSetting,
  lendingChain,
  lendingRequest,
  MARKET,
  NOW,
  type ReserveSetting,
  reserveAddress,
  SLOT,
} from '../support/builders/lending-accounts.ts';

const { klend } = MAINNET_PROGRAMS;
const [COLLATERAL, DEBT] = [reserveAddress(0), reserveAddress(1)];
const BORROWED = 1_000_000n;

/** Warnings of a borrow that the program would refuse. */
const REFUSALS: readonly string[] = [
  'BORROW_NOT_ALLOWED',
  'BORROW_LIMIT_EXCEEDED',
  'LIQUIDITY_TOO_LOW',
  'OUTFLOW_CAP_EXCEEDED',
  'UTILIZATION_BLOCK',
  'COLLATERAL_TOO_LOW',
];

type Group = NonNullable<NonNullable<LendingSetting['market']>['elevationGroups']>[number];

const group = (id: number, ltvPct: number, change: Partial<Group> = {}): Group => ({
  id,
  ltvPct,
  liquidationThresholdPct: ltvPct + 2,
  allowNewLoans: 1,
  maxReservesAsCollateral: 2,
  debtReserve: DEBT,
  ...change,
});

interface Case {
  readonly collateral?: ReserveSetting['config'];
  readonly debt?: ReserveSetting['config'];
  readonly collateralChange?: ReserveSetting['change'];
  readonly debtChange?: ReserveSetting['change'];
  readonly lent?: Pick<ReserveSetting, 'available' | 'borrowed'>;
  readonly market?: LendingSetting['market'];
  readonly groups?: readonly Group[];
}

const MEMBERS = Uint8Array.from([1, 2]);
const LIMITS = [5_000_000n, 5_000_000n];

function settingOf(
  { collateral, debt, collateralChange, debtChange, lent, market, groups }: Case,
  number: number,
) {
  const setting: LendingSetting = {
    market: { elevationGroups: [...(groups ?? [group(1, 90), group(2, 85)])], ...market },
    reserves: [
      {
        change: collateralChange ?? {},
        config: {
          elevationGroups: MEMBERS,
          borrowLimitAgainstThisCollateralInElevationGroup: LIMITS,
          ...collateral,
        },
      },
      {
        ...lent,
        change: debtChange ?? {},
        config: { elevationGroups: MEMBERS, borrowFactorPct: 125n, ...debt },
      },
    ],
    deposits: [[0, 100_000_000n]],
    change: { elevationGroup: number },
  };
  return setting;
}

/** Whether the builders find nothing that the program would refuse in a borrow of `BORROWED`. */
function isAccepted(setting: LendingSetting): boolean {
  const request = lendingRequest('borrow', { reserve: DEBT });
  const accounts = lendingAccounts(request, lendingChain(setting), SLOT);
  const { preview } = buildLending(accounts, { tokens: parseDecimal('1') }, NOW);
  return !preview().warnings.some(({ code }) => REFUSALS.includes(code));
}

function offered(setting: LendingSetting) {
  const read = lendingChain(setting);
  const account = (address: Address) => read(address) ?? fail(address);
  const market = lendingMarket.decode(account(MARKET), klend);
  const at = (address: Address) => ({ address, account: reserve.decode(account(address), klend) });
  const [collateral, debt] = [at(COLLATERAL), at(DEBT)];
  const accrued = (of: ReturnType<typeof at>) => refreshReserve(of.account, NOW, NO_TERMS);
  return borrowTerms(market, collateral, debt, NOW).map((terms) => ({
    ...terms,
    room: borrowRoom(accrued(collateral), accrued(debt), terms.group, NOW),
  }));
}

const fail = (address: Address): never => {
  throw new Error(`no account ${address}`);
};

const CASES: Readonly<Record<string, Case>> = {
  usual: {},
  'collateral without LTV': { collateral: { loanToValuePct: 0 } },
  'collateral in groups only': { collateral: { disableUsageAsCollOutsideEmode: 1 } },
  'collateral in no group': { collateral: { elevationGroups: Uint8Array.from([]) } },
  'collateral in one group': { collateral: { elevationGroups: Uint8Array.from([2]) } },
  'collateral without limit in one group': {
    collateral: { borrowLimitAgainstThisCollateralInElevationGroup: [0n, 5_000_000n] },
  },
  'limit in a group used up': {
    collateralChange: { borrowedAmountsAgainstThisReserveInElevationGroups: [4_500_000n, 1_000_000n] },
  },
  'obsolete collateral': { collateral: { status: 1 } },
  'hidden collateral': { collateral: { status: 2 } },
  'debt in one group': { debt: { elevationGroups: Uint8Array.from([1]) } },
  'debt without borrow limit': { debt: { borrowLimit: 0n } },
  'borrow limit used up': { debt: { borrowLimit: 400_000_500_000n } },
  'no debt outside groups': { debt: { borrowLimitOutsideElevationGroup: 0n } },
  'limit outside groups used up': {
    debt: { borrowLimitOutsideElevationGroup: 9_000_000n },
    debtChange: { borrowedAmountOutsideElevationGroup: 8_500_000n },
  },
  'obsolete debt': { debt: { status: 1 } },
  'debt in emergency': { debt: { emergencyMode: 1 } },
  'matured debt': { debt: { debtMaturityTimestamp: NOW.timestamp } },
  'debt that matures later': { debt: { debtMaturityTimestamp: NOW.timestamp + 60n } },
  'no liquidity': { lent: { available: 500_000n, borrowed: 999_999_500_000n } },
  'utilization at its limit': { debt: { utilizationLimitBlockBorrowingAbovePct: 40 } },
  'outflow cap': {
    debt: {
      debtWithdrawalCap: {
        configCapacity: 700_000n,
        currentTotal: 0n,
        lastIntervalStartTimestamp: NOW.timestamp - 5n,
        configIntervalLengthSeconds: 3_600n,
      },
    },
  },
  'market in emergency': { market: { emergencyMode: 1 } },
  'borrowing disabled': { market: { borrowDisabled: 1 } },
  'closed group': { groups: [group(1, 90, { allowNewLoans: 0 }), group(2, 85)] },
  'group of another debt': { groups: [group(1, 90, { debtReserve: COLLATERAL }), group(2, 85)] },
  'group without LTV': { groups: [group(1, 0), group(2, 85)] },
};

describe('a pair of reserves', () => {
  it.each(Object.entries(CASES))(
    'is offered where the builders accept a loan, and nowhere else: %s',
    (_, each) => {
      for (const number of [0, 1, 2]) {
        const setting = settingOf(each, number);
        const terms = offered(setting).find((one) => one.group === number);
        const isOffered = terms !== undefined && terms.room.compare(integer(BORROWED)) >= 0;
        expect([number, isOffered]).toEqual([number, isAccepted(setting)]);
      }
    },
  );

  it('has terms by highest LTV, with what is left of every limit', () => {
    const terms = offered(settingOf(CASES['limit in a group used up'] ?? {}, 0));
    expect(
      terms.map(({ group: number, maxLtv, liquidationLtv, borrowFactor, room }) => [
        number,
        ...[maxLtv, liquidationLtv, borrowFactor, room].map(toDecimalString),
      ]),
    ).toEqual([
      [1, '0.9', '0.92', '1', '500000'],
      [2, '0.85', '0.87', '1', '4000000'],
      [0, '0.75', '0.85', '1.25', '600000000000'],
    ]);
  });

  it('is not offered for a reserve and itself', () => {
    const read = lendingChain(settingOf({}, 0));
    const account = read(COLLATERAL) ?? fail(COLLATERAL);
    const same = { address: COLLATERAL, account: reserve.decode(account, klend) };
    const market = lendingMarket.decode(read(MARKET) ?? fail(MARKET), klend);
    expect(borrowTerms(market, same, same, NOW)).toEqual([]);
  });
});
