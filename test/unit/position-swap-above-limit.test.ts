import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { beforeEach, describe, expect, it } from 'vitest';
import { withPositions } from '../../src/builders/transaction/instruction-positions.ts';
import { addressNumber, MARKET, reserveAddress } from '../support/builders/lending-accounts.ts';
import { type PositionSwap, PositionSwapBench } from '../support/localnet/position-swap-bench.ts';

/**
 * Swaps of collateral of a loan above its maximum LTV. All tokens have six decimals and cost one dollar; 100 are deposited in
 * reserve 0 against 80 owed to reserve 1, with limits of 75 and 85. Flash loans cost nothing.
 */

const TOKEN = 1_000_000n;
const known = knownInstructions(MAINNET_PROGRAMS);

let bench: PositionSwapBench;

const setUp = (owed: bigint) => {
  bench = new PositionSwapBench({
    reserves: [{}, {}, {}],
    deposits: [[0, 100n * TOKEN]],
    borrows: [[1, owed]],
    balances: [0n, 0n, 0n],
    change: { hasDebt: 1 },
  });
};

beforeEach(() => setUp(80n * TOKEN));

type ReserveFields = Parameters<typeof reserve.encode>[0];
const changeReserve = (index: number, fields: ReserveFields) =>
  bench.change(reserve, reserveAddress(index), fields);

const swap = (change: Partial<PositionSwap> = {}): PositionSwap => ({
  side: 'collateral',
  from: 0,
  to: 2,
  amount: { baseUnits: 40n * TOKEN },
  spent: 40n * TOKEN,
  minOut: 40n * TOKEN,
  ...change,
});

const whole = (change: Partial<PositionSwap> = {}) =>
  swap({ amount: { all: true }, spent: 100n * TOKEN, minOut: 100n * TOKEN, ...change });

function outcome(of: PositionSwap) {
  const built = bench.build(of);
  return { errors: built.errors, failure: bench.outcomeOf(built) };
}

/** Names and amounts of the instructions but refreshes, in order. */
function listed(of: PositionSwap): string[] {
  return withPositions(bench.build(of).build.sequence.instructions).flatMap((each) => {
    const { name, args } = decodeInstruction(known, each);
    if (name.startsWith('refresh')) return [];
    const amounts = [
      args.liquidityAmount ?? args.amount,
      args.collateralAmount ?? args.withdrawCollateralAmount,
    ];
    return [[name, ...amounts.filter((amount) => amount !== undefined)].join(' ')];
  });
}

describe('one instruction deposits and withdraws', () => {
  it('a part', () => {
    expect(listed(swap())).toEqual([
      'flashBorrowReserveLiquidity 40000000',
      'depositAndWithdraw 40000000 40000000',
      'transfer 40000000',
      'transfer 40000000',
      'flashRepayReserveLiquidity 40000000',
    ]);
    expect(outcome(swap())).toEqual({ errors: [], failure: null });
    expect([bench.walletUnits(0), bench.walletUnits(2)]).toEqual([0n, 0n]);
  });

  it('all of a deposit, of which a withdrawal by its own would take only a part', () => {
    expect(listed(whole())).toContain(`depositAndWithdraw 100000000 ${U64_MAX}`);
    expect(outcome(whole())).toEqual({ errors: [], failure: null });
  });

  it('after the refreshes of all reserves and the obligation', () => {
    const names = withPositions(bench.build(swap()).build.sequence.instructions).map(
      (each) => decodeInstruction(known, each).name,
    );
    expect(names).toEqual([
      'flashBorrowReserveLiquidity',
      'refreshReserve',
      'refreshReserve',
      'refreshReserve',
      'refreshObligation',
      'depositAndWithdraw',
      'transfer',
      'transfer',
      'flashRepayReserveLiquidity',
    ]);
  });
});

describe('two instructions do', () => {
  const two = ['depositReserveLiquidityAndObligationCollateralV2', 'withdrawObligationCollateralAndRedeem'];
  const isTwo = (of: PositionSwap) => {
    const names = listed(of);
    expect(names.filter((each) => each.startsWith('depositAndWithdraw'))).toEqual([]);
    for (const start of two) expect(names.some((each) => each.startsWith(start))).toBe(true);
  };

  it('where the new collateral brings the loan within its limit', () => {
    changeReserve(2, { config: { loanToValuePct: 90, liquidationThresholdPct: 95 } });
    isTwo(swap());
    expect(outcome(swap())).toEqual({ errors: [], failure: null });
  });

  it('where the swap spends no more than a withdrawal by its own may take', () => {
    // 100 of new collateral: (200 x 0.75 - 80) / 0.75 = 93.33.
    isTwo(whole({ spent: 93n * TOKEN }));
    expect(listed(whole({ spent: 94n * TOKEN }))).toContain(`depositAndWithdraw 100000000 ${U64_MAX}`);
    expect(outcome(whole({ spent: 93n * TOKEN }))).toEqual({ errors: [], failure: null });
  });

  it('for a loan within its limit, also where the program refuses them', () => {
    setUp(75n * TOKEN);
    isTwo(swap());
    const losing = swap({ minOut: 39n * TOKEN });
    isTwo(losing);
    expect(outcome(losing)).toEqual({ errors: ['COLLATERAL_TOO_LOW'], failure: 6011 });
  });
});

describe('the program refuses, and the preview has its reason', () => {
  it.each<[string, string, number, PositionSwap, (() => void)?]>([
    ['a swap that loses a base unit', 'LTV_WOULD_RISE', 6093, swap({ minOut: 40n * TOKEN - 1n })],
    [
      'the fee of a flash loan',
      'LTV_WOULD_RISE',
      6093,
      swap(),
      () => changeReserve(2, { config: { fees: { flashLoanFeeSf: FRACTION_ONE / 100_000n } } }),
    ],
    [
      'a lower maximum LTV of the new collateral',
      'COLLATERAL_ORDER',
      6118,
      swap(),
      () => changeReserve(2, { config: { loanToValuePct: 74 } }),
    ],
    [
      'a maximum LTV of 0 of the new collateral',
      'COLLATERAL_ORDER',
      6117,
      swap(),
      () => changeReserve(2, { config: { loanToValuePct: 0 } }),
    ],
    [
      'more than the liquidation threshold allows',
      'COLLATERAL_TOO_LOW',
      6011,
      swap({ amount: { baseUnits: 60n * TOKEN }, spent: 60n * TOKEN }),
    ],
    [
      'a loan that can be liquidated',
      'COLLATERAL_TOO_LOW',
      6116,
      swap({ amount: { baseUnits: TOKEN }, spent: TOKEN, minOut: TOKEN }),
      () => setUp(90n * TOKEN),
    ],
    [
      'deposits without value',
      'COLLATERAL_TOO_LOW',
      6020,
      swap({ amount: { baseUnits: 100n }, spent: 100n }),
      () => {
        bench = new PositionSwapBench({
          reserves: [{ oracle: { priceUsd: 1n, exp: 18n } }, {}, {}],
          deposits: [[0, 100n]],
          borrows: [[1, 80n * TOKEN]],
          balances: [0n, 0n, 0n],
          change: { hasDebt: 1 },
        });
      },
    ],
    [
      'a deposit limit',
      'DEPOSIT_LIMIT_EXCEEDED',
      6090,
      swap(),
      () => changeReserve(2, { config: { depositLimit: 10n ** 12n } }),
    ],
    [
      'a reserve in emergency mode',
      'ACTION_NOT_ALLOWED',
      6175,
      swap(),
      () => changeReserve(2, { config: { emergencyMode: 1 } }),
    ],
  ])('%s: %s, %i', (_, code, failure, of, prepare) => {
    prepare?.();
    const names = listed(of);
    expect(outcome(of)).toEqual({ errors: expect.arrayContaining([code]), failure });
    expect(names.some((each) => each.startsWith('depositAndWithdraw'))).toBe(true);
  });

  it('names who must sign besides, where the market demands a permission of deposits', () => {
    const permissioningAuthority = addressNumber(990);
    bench.change(lendingMarket, MARKET, { permissioningAuthority, permissionedOps: 1n });
    const built = bench.build(swap());
    expect(built.preview.warnings.map(({ code }) => code)).toContain('NEEDS_PERMISSION');
    expect(bench.outcomeOf(built)).toBeNull();
  });
});

describe('a quote sells', () => {
  it.each([80n, 50n])('all of a deposit, whatever part of it secures a debt of %s', (owed) => {
    setUp(owed * TOKEN);
    expect(bench.need(whole()).amount).toEqual({ spend: 100n * TOKEN });
  });

  it('of an amount no more than that, and of too much the deposit', () => {
    expect(bench.need(swap()).amount).toEqual({ spend: 40n * TOKEN });
    expect(bench.need(swap({ amount: { baseUnits: 101n * TOKEN } })).amount).toEqual({ spend: 100n * TOKEN });
  });
});
