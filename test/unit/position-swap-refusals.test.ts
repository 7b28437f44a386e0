import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../src/builders/preview.ts';
import { withPositions } from '../../src/builders/transaction/instruction-positions.ts';
import { MARKET, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import type { PositionSwap } from '../support/localnet/position-swap-bench.ts';
import { PositionSwapBench } from '../support/localnet/position-swap-bench.ts';

/**
 * Swaps of debt and collateral: their instructions, and refusals by the lending program beside the errors of the preview.
 * All tokens have six decimals and cost one dollar; the loan-to-value limit is 75 %. The obligation deposits 100 tokens in
 * reserve 0 and owes 50 to reserve 1.
 */

const TOKEN = 1_000_000n;
/** One base unit in a hundred thousand. */
const FEE_SF = FRACTION_ONE / 100_000n;
const [AVAILABLE, BORROWED] = [600_000n * TOKEN, 400_000n * TOKEN];
const known = knownInstructions(MAINNET_PROGRAMS);

let bench: PositionSwapBench;

beforeEach(() => {
  bench = new PositionSwapBench({
    reserves: [{}, {}, {}],
    deposits: [[0, 100n * TOKEN]],
    borrows: [[1, 50n * TOKEN]],
    balances: [0n, 0n, 0n],
    change: { hasDebt: 1 },
  });
  for (const index of [0, 1, 2]) changeReserve(index, { config: { fees: { flashLoanFeeSf: FEE_SF } } });
});

type ReserveFields = Parameters<typeof reserve.encode>[0];
const changeReserve = (index: number, fields: ReserveFields) =>
  bench.change(reserve, reserveAddress(index), fields);

const swapDebt = (change: Partial<PositionSwap> = {}): PositionSwap => ({
  side: 'debt',
  from: 1,
  to: 2,
  amount: { baseUnits: 20n * TOKEN },
  spent: 20n * TOKEN,
  minOut: 20n * TOKEN,
  ...change,
});

const swapCollateral = (change: Partial<PositionSwap> = {}): PositionSwap => ({
  side: 'collateral',
  from: 0,
  to: 2,
  amount: { baseUnits: 40n * TOKEN },
  spent: 40n * TOKEN,
  minOut: 40n * TOKEN,
  ...change,
});

function outcome(swap: PositionSwap) {
  const built = bench.build(swap);
  return { errors: built.errors, failure: bench.outcomeOf(built) };
}

/** Names and amounts, in order. */
function listed(swap: PositionSwap): string[] {
  return withPositions(bench.build(swap).build.sequence.instructions).map((each) => {
    const { name, args } = decodeInstruction(known, each);
    const amount = args.liquidityAmount ?? args.collateralAmount ?? args.amount;
    return typeof amount === 'bigint' ? `${name} ${amount}` : name;
  });
}

const withoutRefreshes = (names: readonly string[]) => names.filter((each) => !each.startsWith('refresh'));

describe('the instructions are those of the official SDK, in its order', () => {
  it('debt: flash loan of the new token, swap, repayment, borrow, repayment of the loan', () => {
    expect(withoutRefreshes(listed(swapDebt()))).toEqual([
      'flashBorrowReserveLiquidity 20000000',
      'transfer 20000000',
      'transfer 20000000',
      'repayObligationLiquidityV2 20000000',
      'borrowObligationLiquidityV2 20000200',
      'flashRepayReserveLiquidity 20000000',
    ]);
  });

  it('all of a debt is 2^64 - 1', () => {
    const names = listed(swapDebt({ amount: { all: true }, spent: 51n * TOKEN, minOut: 51n * TOKEN }));
    expect(names).toContain(`repayObligationLiquidityV2 ${U64_MAX}`);
  });

  it('collateral: flash loan of the new token, deposit, withdrawal, swap, repayment of the loan', () => {
    // 39,999,600 and its fee of 400 are what the swap guarantees.
    expect(withoutRefreshes(listed(swapCollateral()))).toEqual([
      'flashBorrowReserveLiquidity 39999600',
      'depositReserveLiquidityAndObligationCollateralV2 39999600',
      'withdrawObligationCollateralAndRedeemReserveCollateralV2 40000000',
      'transfer 40000000',
      'transfer 40000000',
      'flashRepayReserveLiquidity 39999600',
    ]);
  });

  it('refresh the reserve of the flash loan before it is used again', () => {
    const names = listed(swapDebt());
    const [borrow, repay] = ['borrowObligation', 'flashRepay'].map((start) =>
      names.findIndex((each) => each.startsWith(start)),
    );
    expect(names.slice(0, borrow)).toContain('refreshReserve');
    expect(names[(borrow ?? 0) - 1]).toBe('refreshObligation');
    expect(repay).toBe((borrow ?? 0) + 1);
  });
});

it('both work without a limit in the way, without a token of the wallet', () => {
  expect(outcome(swapDebt())).toEqual({ errors: [], failure: null });
  expect(outcome(swapCollateral())).toEqual({ errors: [], failure: null });
});

it('shows both positions before and after, with rates and prices of liquidation', () => {
  const { preview } = bench.build(swapDebt());
  const [old, to] = preview.positions;
  const texts = ({ before, after }: Change) => [before, after].map((each) => each && toDecimalString(each));
  expect([old?.reserve, old?.side, to?.reserve, to?.side]).toEqual([
    reserveAddress(1),
    'DEBT',
    reserveAddress(2),
    'DEBT',
  ]);
  expect(old && texts(old.tokens)).toEqual(['50', '30']);
  expect(to && texts(to.tokens)).toEqual(['0', '20.0002']);
  // 85 of debt can be carried: the old debt of 50 at 1.7 dollars, the new one beside 30 of the old one at 2.75.
  expect(old?.liquidationPriceUsd.before?.toNumber()).toBeCloseTo(1.7, 9);
  expect(to?.liquidationPriceUsd.before).toBeNull();
  expect(to?.liquidationPriceUsd.after?.toNumber()).toBeCloseTo(55 / 20.0002, 6);
  expect(preview.fees.map(({ kind, amount }) => [kind, amount])).toEqual([['FLASH_LOAN', 200n]]);
  expect(preview.tokens).toBeNull();
  expect(preview.debtTokens).toBeNull();
  expect(old?.interestApy.after?.compare(old.interestApy.before ?? expect.fail('no rate'))).toBe(-1);
  expect(to?.interestApy.after?.compare(to.interestApy.before ?? expect.fail('no rate'))).toBe(1);
});

describe('the program refuses, and the preview has its reason', () => {
  it.each<[string, string, number, PositionSwap, (() => void)?]>([
    [
      'debt from a reserve without flash loans',
      'BORROW_NOT_ALLOWED',
      6036,
      swapDebt(),
      () => changeReserve(2, { config: { fees: { flashLoanFeeSf: U64_MAX } } }),
    ],
    [
      'debt from an obsolete reserve',
      'BORROW_NOT_ALLOWED',
      6082,
      swapDebt(),
      () => changeReserve(2, { config: { status: 1 } }),
    ],
    [
      'a new debt that the collateral does not cover',
      'COLLATERAL_TOO_LOW',
      6013,
      swapDebt({ spent: 46n * TOKEN }),
    ],
    [
      'a borrow limit, which the flash loan counts against',
      'BORROW_LIMIT_EXCEEDED',
      6089,
      swapDebt(),
      () => changeReserve(2, { config: { borrowLimit: BORROWED + 30n * TOKEN } }),
    ],
    [
      'liquidity for the flash loan but not for the borrow as well',
      'LIQUIDITY_TOO_LOW',
      6008,
      swapDebt(),
      () => changeReserve(2, { liquidity: { totalAvailableAmount: 30n * TOKEN } }),
    ],
    [
      'borrowing stopped by utilization',
      'UTILIZATION_BLOCK',
      6098,
      swapDebt(),
      () => changeReserve(2, { config: { utilizationLimitBlockBorrowingAbovePct: 30 } }),
    ],
    [
      'an elevation group for another debt',
      'BORROW_NOT_ALLOWED',
      6068,
      swapDebt(),
      () => joinGroup({ debt: 1 }),
    ],
    [
      'collateral worth too little',
      'COLLATERAL_TOO_LOW',
      6011,
      swapCollateral({ amount: { baseUnits: 90n * TOKEN }, spent: 90n * TOKEN, minOut: 40n * TOKEN }),
    ],
    [
      'a deposit limit',
      'DEPOSIT_LIMIT_EXCEEDED',
      6090,
      swapCollateral(),
      () => changeReserve(2, { config: { depositLimit: AVAILABLE + BORROWED + 30n * TOKEN } }),
    ],
    [
      'a reserve in emergency mode',
      'ACTION_NOT_ALLOWED',
      6175,
      swapCollateral(),
      () => changeReserve(2, { config: { emergencyMode: 1 } }),
    ],
    [
      'a market in emergency mode',
      'ACTION_NOT_ALLOWED',
      6042,
      swapCollateral(),
      () => bench.change(lendingMarket, MARKET, { emergencyMode: 1 }),
    ],
  ])('%s: %s, %i', (_, code, failure, swap, prepare) => {
    prepare?.();
    const found = outcome(swap);
    expect(found.failure).toBe(failure);
    expect(found.errors).toContain(code);
  });

  function joinGroup({ debt }: { readonly debt: number }): void {
    for (const index of [0, 1]) changeReserve(index, { config: { elevationGroups: Uint8Array.of(1) } });
    changeReserve(0, { config: { borrowLimitAgainstThisCollateralInElevationGroup: [U64_MAX] } });
    bench.change(lendingMarket, MARKET, {
      elevationGroups: [
        {
          id: 1,
          ltvPct: 90,
          liquidationThresholdPct: 95,
          allowNewLoans: 1,
          maxReservesAsCollateral: 2,
          debtReserve: reserveAddress(debt),
        },
      ],
    });
    bench.change(obligation, bench.obligationAddress, { elevationGroup: 1 });
  }
});

describe('a swap is refused before it is built', () => {
  it.each<[string, RegExp, PositionSwap]>([
    ['debt without an input', /inAmount is missing/, swapDebt({ inAmount: null })],
    [
      'debt with too little out',
      /minimum out is 19.999999 TOK1, but 20 TOK1 \(20000000 base units\)/,
      swapDebt({ minOut: 20n * TOKEN - 1n }),
    ],
    [
      'all of a debt without interest until it lands',
      /repays the debt/,
      swapDebt({ amount: { all: true }, minOut: 50n * TOKEN }),
    ],
    [
      'collateral beyond what is withdrawn',
      /spends 40.000001 TOK0, but only 40 TOK0 is withdrawn/,
      swapCollateral({ spent: 40n * TOKEN + 1n }),
    ],
    ['collateral that only pays the fee', /fee of a flash loan/, swapCollateral({ minOut: 1n })],
  ])('%s', (_, reason, swap) => {
    expect(() => bench.build(swap)).toThrow(reason);
  });

  it.each<[string, number]>([
    ['debt', 1],
    ['debt', 3],
    ['debt', 4],
    ['debt', 6],
    ['collateral', 1],
    ['collateral', 2],
    ['collateral', 5],
  ])('%s of an obligation whose address is made from it: tag %i', (what, tag) => {
    bench.change(obligation, bench.obligationAddress, { tag: BigInt(tag) });
    const swap = what === 'debt' ? swapDebt() : swapCollateral();
    expect(() => bench.build(swap)).toThrow(`made from its ${what}`);
  });

  it('not for the tags whose seeds leave it free', () => {
    bench.change(obligation, bench.obligationAddress, { tag: 2n });
    expect(outcome(swapDebt())).toEqual({ errors: [], failure: null });
  });
});

describe('the penalty of an early repayment', () => {
  beforeEach(() => {
    changeReserve(1, { config: { debtTermSeconds: 2_592_000n, earlyRepayRemainingInterestPct: 50 } });
    const [borrow] = bench.obligation().borrows;
    bench.change(obligation, bench.obligationAddress, {
      borrows: [{ ...borrow, lastBorrowedAtTimestamp: NOW.timestamp - 600_000n }],
    });
  });

  it('must be paid by the swap', () => {
    expect(() => bench.build(swapDebt())).toThrow(/repays the debt/);
  });

  it('is a fee in the old token, and the debt falls by the amount alone', () => {
    const built = bench.build(swapDebt({ minOut: 21n * TOKEN }));
    const penalty = built.preview.fees.find(({ kind }) => kind === 'EARLY_REPAY_PENALTY');
    expect(penalty?.mint).toBe(bench.mintOf(1));
    expect(bench.outcomeOf(built)).toBeNull();
    expect(bench.walletUnits(1)).toBe(TOKEN - (penalty?.amount ?? 0n));
    expect(bench.obligation().borrows[0]?.borrowedAmountSf).toBe(30n * TOKEN * FRACTION_ONE);
  });
});

describe('a maker that pays less than the minimum', () => {
  it.each<[string, PositionSwap]>([
    ['debt', swapDebt({ paid: 20n * TOKEN - 1n })],
    ['collateral', swapCollateral({ paid: 40n * TOKEN - 1_000n })],
  ])('makes the swap of %s fail as a whole', (_, swap) => {
    // The error of the token program: insufficient funds.
    expect(outcome(swap)).toEqual({ errors: ['TOKENS_TO_OTHER'], failure: 1 });
    expect([bench.walletUnits(swap.from), bench.walletUnits(swap.to)]).toEqual([0n, 0n]);
  });
});
