import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { transactionFrame } from '../../src/builders/transaction/frame.ts';
import { refuseOnError, WARNINGS, warning } from '../../src/builders/warnings.ts';
import { BORROW_ORDER_TRIGGERS } from '../support/builders/borrow-order-triggers.ts';
import {
  enter,
  exitWithoutQueue,
  leave,
  leaveAll,
  lend,
  position,
  RICH,
  redeem,
  type Trigger,
} from '../support/builders/built-warnings.ts';
import { CURATOR_TRIGGERS } from '../support/builders/curator-triggers.ts';
import { ELEVATION_TRIGGERS, elevate, fitting } from '../support/builders/elevation-triggers.ts';
import { NOW, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { LIQUIDATION_TRIGGERS } from '../support/builders/liquidation-triggers.ts';
import { ORDER_TRIGGERS } from '../support/builders/order-triggers.ts';
import { OWNERSHIP_TRIGGERS } from '../support/builders/ownership-triggers.ts';
import { QUEUE_TRIGGERS } from '../support/builders/queue-triggers.ts';
import { REFERRAL_TRIGGERS } from '../support/builders/referral-triggers.ts';
import { REPAY_WITHDRAW_TRIGGERS } from '../support/builders/repay-withdraw-triggers.ts';
import { ROLLOVER_TRIGGERS } from '../support/builders/rollover-triggers.ts';
import { STAKING_TRIGGERS, stake } from '../support/builders/staking-triggers.ts';
import { SWAP_TRIGGERS } from '../support/builders/swap-triggers.ts';

const CAP = {
  configCapacity: 1n,
  currentTotal: 0n,
  lastIntervalStartTimestamp: NOW.timestamp,
  configIntervalLengthSeconds: 100n,
};
const MINIMUM = { market: { minNetValueInObligationSf: 5n * FRACTION_ONE } };
const FULL = Array.from({ length: 9 }, () => ({}));

const TRIGGERS: readonly Trigger[] = [
  ...STAKING_TRIGGERS,
  ...ELEVATION_TRIGGERS,
  ...LIQUIDATION_TRIGGERS,
  ...REPAY_WITHDRAW_TRIGGERS,
  ...SWAP_TRIGGERS,
  ...QUEUE_TRIGGERS,
  ...ORDER_TRIGGERS,
  ...BORROW_ORDER_TRIGGERS,
  ...OWNERSHIP_TRIGGERS,
  ...REFERRAL_TRIGGERS,
  ...ROLLOVER_TRIGGERS,
  ...CURATOR_TRIGGERS,
  [
    'BALANCE_TOO_LOW',
    'a deposit of more than the wallet has',
    () => lend('deposit', '5', { balances: [4_999_999n] }),
  ],
  [
    'BALANCE_TOO_LOW',
    'a deposit of more SOL than there is',
    () => lend('deposit', '5', { reserves: [{ sol: true }], lamports: 4_000_000_000n }),
  ],
  [
    'BALANCE_TOO_LOW',
    'a full repayment of SOL without the margin for interest',
    () =>
      lend('repay', 'all', {
        reserves: [{ sol: true }, {}],
        deposits: [[1, 10n ** 12n]],
        borrows: [[0, 10n ** 9n]],
        lamports: 1_000_999_999n,
      }),
  ],
  ['BALANCE_TOO_LOW', 'a repayment', () => lend('repay', '50', position({}, { balances: [1n] }))],
  ['BALANCE_TOO_LOW', 'a vault deposit', () => enter('5', { balance: 4_999_999n })],
  [
    'REDEEMED_IN_PART',
    'a redemption of more than the vault has in the reserve',
    () => redeem('5', { idle: 10n ** 12n, invested: [1_000n], shares: 10_000_000n }),
  ],
  [
    'SHARES_LEFT',
    'an exit from reserves that have lent everything',
    () => exitWithoutQueue({ idle: 100_000n, shares: 10_000_000n, reserves: [{ available: 0n }] }),
  ],
  ['BALANCE_TOO_LOW', 'more shares than the wallet has', () => leave('5', { shares: 1_000_000n })],
  [
    'TIP_ABOVE_BALANCE',
    'a tip of more than the fee payer has',
    () =>
      transactionFrame({ tip: { account: reserveAddress(0), lamports: 1n } }, WALLET).warningsOf(() => null),
  ],
  [
    'RENT_FROM_WALLET',
    'a first stake that a fee payer cannot pay for',
    () => enter('5', { balance: 10n ** 9n, farm: true }, reserveAddress(0)),
  ],
  [
    'AMOUNT_BELOW_MINIMUM',
    'a deposit worth too little',
    () => lend('deposit', '1', { balances: RICH, ...MINIMUM }),
  ],
  [
    'AMOUNT_BELOW_MINIMUM',
    'a debt of which too little is left',
    () => lend('repay', '99', position({}, MINIMUM)),
  ],
  ['AMOUNT_BELOW_MINIMUM', 'a vault deposit', () => enter('0.0005', { balance: 10n ** 9n })],
  ['AMOUNT_BELOW_MINIMUM', 'a vault withdrawal', () => leave('0.000002', { shares: 10n ** 9n })],
  [
    'AMOUNT_BELOW_MINIMUM',
    'a borrow that its fee consumes',
    () => lend('borrow', '0.000001', position({ config: { fees: { originationFeeSf: 1n } } })),
  ],
  [
    'AMOUNT_BELOW_MINIMUM',
    'a borrow of "all" that its fee consumes',
    () =>
      lend(
        'borrow',
        'all',
        position({ config: { borrowLimit: 400_000_000_001n, fees: { originationFeeSf: 1n } } }),
      ),
  ],
  ['ABOVE_POSITION', 'a repayment', () => lend('repay', '101', position())],
  ['ABOVE_POSITION', 'a withdrawal', () => lend('withdraw', '1001', position({}, { borrows: [] }), 1)],
  [
    'DEPOSIT_LIMIT_EXCEEDED',
    'a deposit',
    () => lend('deposit', '5', { reserves: [{ config: { depositLimit: 5n } }], balances: RICH }),
  ],
  [
    'BORROW_LIMIT_EXCEEDED',
    'a borrow',
    () => lend('borrow', '5', position({ config: { borrowLimit: 400_000_000_001n } })),
  ],
  [
    'BORROW_LIMIT_EXCEEDED',
    'a borrow outside groups',
    () => lend('borrow', '5', position({ config: { borrowLimitOutsideElevationGroup: 1n } })),
  ],
  [
    'BORROW_LIMIT_EXCEEDED',
    'a borrow of "all" outside groups',
    () => lend('borrow', 'all', position({ config: { borrowLimitOutsideElevationGroup: 700_000_000n } })),
  ],
  [
    'OUTFLOW_CAP_EXCEEDED',
    'a borrow of "all"',
    () => lend('borrow', 'all', position({ config: { debtWithdrawalCap: CAP } })),
  ],
  [
    'OUTFLOW_CAP_EXCEEDED',
    'a withdrawal of "all"',
    () =>
      lend('withdraw', 'all', {
        reserves: [{ config: { depositWithdrawalCap: CAP } }],
        deposits: [[0, 10n ** 9n]],
      }),
  ],
  [
    'OUTFLOW_CAP_EXCEEDED',
    'a borrow',
    () => lend('borrow', '5', position({ config: { debtWithdrawalCap: CAP } })),
  ],
  [
    'OUTFLOW_CAP_EXCEEDED',
    'a withdrawal',
    () =>
      lend('withdraw', '5', {
        reserves: [{ config: { depositWithdrawalCap: CAP } }],
        deposits: [[0, 10n ** 9n]],
      }),
  ],
  ['LIQUIDITY_TOO_LOW', 'a borrow', () => lend('borrow', '5', position({ available: 1n }))],
  [
    'LIQUIDITY_TOO_LOW',
    'a withdrawal',
    () =>
      lend('withdraw', '5', {
        reserves: [{ available: 1n, borrowed: 10n ** 12n }],
        deposits: [[0, 10n ** 9n]],
      }),
  ],
  [
    'LIQUIDITY_TOO_LOW',
    'a withdrawal of "all"',
    () =>
      lend('withdraw', 'all', {
        reserves: [{ available: 999_999_999n, borrowed: 10n ** 12n }],
        deposits: [[0, 10n ** 9n]],
      }),
  ],
  [
    'LIQUIDITY_TOO_LOW',
    'a vault withdrawal',
    () => leave('100', { idle: 5n, shares: 10n ** 9n, reserves: [{ available: 10n, borrowed: 10n ** 12n }] }),
  ],
  [
    'UTILIZATION_BLOCK',
    'a borrow',
    () => lend('borrow', '5', position({ config: { utilizationLimitBlockBorrowingAbovePct: 40 } })),
  ],
  [
    'UTILIZATION_BLOCK',
    'a borrow of "all"',
    () =>
      lend('borrow', 'all', {
        ...position({ available: 600n, borrowed: 400n, collateral: 1_000n }),
        reserves: [
          {
            available: 600n,
            borrowed: 400n,
            collateral: 1_000n,
            config: { utilizationLimitBlockBorrowingAbovePct: 99 },
          },
          {},
        ],
      }),
  ],
  ...(['deposit', 'repay', 'withdraw'] as const).map(
    (action) =>
      [
        'ACTION_NOT_ALLOWED',
        `a ${action} in emergency mode`,
        () => lend(action, '5', position({}, { market: { emergencyMode: 1 } }), action === 'repay' ? 0 : 1),
      ] as const,
  ),
  [
    'ACTION_NOT_ALLOWED',
    'a deposit into an obsolete reserve',
    () => lend('deposit', '5', { reserves: [{ config: { status: 1 } }], balances: RICH }),
  ],
  [
    'ACTION_NOT_ALLOWED',
    'a withdrawal beside an obsolete reserve',
    () => lend('withdraw', '5', position({ config: { status: 1 } }), 1),
  ],
  [
    'BORROW_NOT_ALLOWED',
    'an obsolete reserve',
    () => lend('borrow', '5', position({ config: { status: 1 } }, { borrows: [] })),
  ],
  [
    'BORROW_NOT_ALLOWED',
    'a borrow',
    () => lend('borrow', '5', position({}, { market: { borrowDisabled: 1 } })),
  ],
  [
    'NEEDS_PERMISSION',
    'a borrow in a permissioned market',
    () =>
      lend(
        'borrow',
        '5',
        position({}, { market: { permissioningAuthority: reserveAddress(9), permissionedOps: 2n } }),
      ),
  ],
  ['COLLATERAL_TOO_LOW', 'a borrow', () => lend('borrow', '651', position())],
  ['COLLATERAL_TOO_LOW', 'a withdrawal', () => lend('withdraw', '990', position(), 1)],
  [
    'OBLIGATION_FULL',
    'a ninth deposit',
    () =>
      lend('deposit', '5', {
        reserves: FULL,
        deposits: FULL.slice(1).map((_, index) => [index + 1, 5n] as const),
        balances: RICH,
      }),
  ],
  [
    'RESERVE_NOT_ACTIVE',
    'an obsolete reserve',
    () => lend('deposit', '5', { reserves: [{ config: { status: 1 } }], balances: RICH }),
  ],
  ['HEALTH_LOW', 'a borrow', () => lend('borrow', '680', position())],
  [
    'PRICE_STALE',
    'a deposit with an old oracle',
    () => lend('deposit', '5', { reserves: [{ oracle: { ageSeconds: 121n } }], balances: RICH }),
  ],
  ['PRICE_STALE', 'a borrow without an oracle', () => lend('borrow', '5', position({ oracle: null }))],
  ['PRICE_REFUSED', 'a borrow', () => lend('borrow', '5', position({ oracle: { ageSeconds: 121n } }))],
  [
    'PRICE_REFUSED',
    'a withdrawal while in debt',
    () => lend('withdraw', '5', position({ oracle: { ageSeconds: 121n } }), 1),
  ],
  ['PRICE_UNKNOWN', 'a borrow', () => lend('borrow', '5', position({ priceUsd: 0n }))],
  [
    'UNSTAKE_COOLDOWN',
    'staked shares',
    () => leave('1', { farm: true, staked: 10n ** 7n, farmChange: { withdrawalCooldownPeriod: 60 } }),
  ],
  [
    'DEPOSIT_CAP_REACHED',
    'a deposit into a full vault',
    () => enter('5', { balance: 10n ** 9n, change: { depositCap: 1_000n } }),
  ],
  [
    'CUT_BY_DEPOSIT_CAP',
    'a deposit into an almost full vault',
    // 1 idle and 500,000 invested one to one, and room for 1.
    () => enter('5', { balance: 10n ** 9n, change: { depositCap: 500_002_000_000n } }),
  ],
  [
    'NEEDS_PERMISSION',
    'a deposit into a permissioned vault',
    () => enter('5', { balance: 10n ** 9n, change: { permissioningAuthority: reserveAddress(7) } }),
  ],
  [
    'ROUNDED_PAYOUT',
    'an exit of everything',
    // 100 cost 67 collateral tokens of 1.5, which are worth 100.5: the program sends 99.
    () =>
      leaveAll({
        idle: 0n,
        sharesIssued: 300n,
        shares: 100n,
        invested: [200n],
        reserves: [{ available: 1_500n, borrowed: 0n, collateral: 1_000n }],
      }),
  ],
  ['WITHDRAWAL_PENALTY', 'a vault withdrawal', () => leave('1', { shares: 10n ** 7n, penaltyBps: 1n })],
  [
    'WSOL_LEFT_OVER',
    'a deposit beside wrapped SOL',
    () => lend('deposit', '1', { reserves: [{ sol: true }], balances: [5n] }),
  ],
  ['WSOL_LEFT_OVER', 'a vault deposit', () => enter('1', { sol: true })],
  [
    'WSOL_UNWRAPPED',
    'a withdrawal beside wrapped SOL',
    () => lend('withdraw', '1', { reserves: [{ sol: true }], deposits: [[0, 10n ** 11n]], balances: [5n] }),
  ],
  ['WSOL_UNWRAPPED', 'a vault withdrawal', () => leave('1', { sol: true, shares: 10n ** 10n, balance: 5n })],
];

describe('warnings', () => {
  it.each(TRIGGERS)('%s: %s', (code, _, run) => {
    const found = run().find((each) => each.code === code);
    expect(found?.level).toBe(WARNINGS[code].level);
    expect(found?.message.length).toBeGreaterThan(20);
  });

  it('no rent is charged to the wallet when its stake account exists', () => {
    const codes = (setting: { staked?: bigint }) =>
      stake('1', { shares: 10n ** 7n, ...setting }, reserveAddress(0)).map(({ code }) => code);
    expect(codes({})).toEqual(['RENT_FROM_WALLET']);
    expect(codes({ staked: 1n })).toEqual([]);
  });

  it('an obligation that fits its elevation group moves without an error', () => {
    expect(elevate(1, fitting()).filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  it('every code can be triggered', () => {
    expect(new Set(TRIGGERS.map(([code]) => code))).toEqual(new Set(Object.keys(WARNINGS)));
  });

  it('a strict build is refused for errors only', () => {
    expect(() => refuseOnError([warning('HEALTH_LOW', 'a'), warning('WSOL_LEFT_OVER', 'b')])).not.toThrow();
    expect(() =>
      refuseOnError([warning('HEALTH_LOW', 'a'), warning('BALANCE_TOO_LOW', 'Add to it.')]),
    ).toThrow('BALANCE_TOO_LOW: Add to it.');
  });
});
