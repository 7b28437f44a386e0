import { depositAndWithdraw } from '@sluice/protocol/klend/position-instructions';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { reserveAddress } from '../support/builders/lending-accounts.ts';
import { withLoweredLimits } from '../support/lending/lowered-limits.ts';
import { oracleState } from '../support/lending/oracle-states.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';
import { Chance } from '../support/lending/random-states.ts';
import { worth } from '../support/lending/worth.ts';
import {
  type BuiltSwap,
  exactState,
  type PositionSwap,
  PositionSwapBench,
  type SwappedSide,
} from '../support/localnet/position-swap-bench.ts';

/**
 * Swaps of debt and of collateral in random markets: the preview is the outcome to the base unit, and has an error exactly
 * when the program refuses. The wallet has no tokens of its own, so the swap pays for everything.
 */

const LANDED = cases(20, 330);
const INDEXES = [0, 1, 2] as const;

interface Swaps {
  readonly name: string;
  readonly side: SwappedSide;
  /** Least price of a swap, in thousandths of that of the oracle. */
  readonly leastPermille: bigint;
  /** Whether markets have lowered their maximum LTVs, and only loans above them count. */
  readonly aboveLimit?: boolean;
  /** Outcomes that some of a few cases have, and those of many. */
  readonly usual: readonly string[];
  readonly rare: readonly string[];
}

const SWAPS: readonly Swaps[] = [
  {
    name: 'debt',
    side: 'debt',
    leastPermille: 900n,
    usual: ['6008', '6013', 'all'],
    rare: ['6089', '6098', 'EARLY_REPAY_PENALTY'],
  },
  {
    name: 'collateral',
    side: 'collateral',
    leastPermille: 900n,
    usual: ['all', 'group'],
    rare: ['6011', '6090'],
  },
  {
    name: 'collateral above the maximum LTV',
    side: 'collateral',
    leastPermille: 950n,
    aboveLimit: true,
    usual: ['all', 'group', '6011', '6093', '6116', '6117', '6118'],
    rare: ['6064', '6106'],
  },
];

/** A swap at about the prices of the oracle, of a part of a random position or of all of it; null without one. */
function randomSwap(
  bench: PositionSwapBench,
  { side, leastPermille }: Swaps,
  chance: Chance,
): PositionSwap | null {
  const { deposits, borrows } = bench.obligation();
  const held =
    side === 'debt'
      ? borrows.map((each) => [each.borrowReserve, each.borrowedAmountSf / FRACTION_ONE] as const)
      : deposits.map((each) => [each.depositReserve, each.depositedAmount] as const);
  const owned = INDEXES.filter((index) =>
    held.some(([address, units]) => address === reserveAddress(index) && units > 0n),
  );
  const from = owned[Number(chance.below(BigInt(owned.length)))];
  if (from === undefined) return null;
  const to = ((from + chance.pick(1, 2)) % 3) as (typeof INDEXES)[number];
  const units = held.find(([address]) => address === reserveAddress(from))?.[1] ?? 0n;
  const all = chance.hit(0.3);
  const part = all ? units : 1n + chance.below(units);
  const amount = all ? ({ all: true } as const) : { baseUnits: part };
  const scale = leastPermille + chance.below(200n);
  if (side === 'debt') {
    // Enough for interest and penalties, of which some are large.
    const minOut = (part * chance.pick(1_001n, 1_600n, 4_000n)) / 1_000n + 10n;
    return { side, from, to, amount, minOut, spent: (worth(bench, part, from, to) * scale) / 1_000n + 1n };
  }
  // Collateral tokens are worth more than one token each, so a full withdrawal covers it.
  return {
    side,
    from,
    to,
    amount,
    spent: part,
    minOut: (worth(bench, part, from, to) * scale) / 1_000n + 1n,
  };
}

/** Compares the preview of a swap with its outcome. Returns the error of the program, or null. */
function compare(bench: PositionSwapBench, swap: PositionSwap, built: BuiltSwap, seed: number) {
  const { build, preview, errors } = built;
  const sides = [reserveAddress(swap.from), reserveAddress(swap.to)];
  const promised = exactState(build.sequence.read, bench.obligationAddress, swap);
  const feesBefore = sides.map((_, i) => feeUnits(bench, i === 0 ? swap.from : swap.to));
  const failure = bench.outcomeOf(built);
  expect({ seed, errors, isRefused: errors.length > 0, failure }).toEqual({
    seed,
    errors,
    isRefused: failure !== null,
    failure,
  });
  if (failure !== null) return failure;
  expect({ seed, ...exactState(bench.read, bench.obligationAddress, swap) }).toEqual({ seed, ...promised });
  const unitsIn = swap.side === 'debt' ? debtUnits : depositUnits;
  const isOpen = bench.get(bench.obligationAddress) !== undefined;
  expect(
    preview.positions.map(({ reserve, side, tokens }) => [
      reserve,
      side,
      tokens.after && toDecimalString(tokens.after),
    ]),
  ).toEqual(
    sides.map((address, i) => {
      const { mintDecimals } = bench.reserve(i === 0 ? swap.from : swap.to).liquidity;
      const units = isOpen ? unitsIn(bench, bench.obligationAddress, address) : Rational.of(0n);
      const tokens = units.div(Rational.of(10n ** mintDecimals));
      return [address, swap.side === 'debt' ? 'DEBT' : 'DEPOSIT', toDecimalString(tokens)];
    }),
  );
  const changes = preview.worstCase?.walletChanges.map(({ amount }) => amount);
  expect([bench.walletUnits(swap.from), bench.walletUnits(swap.to)]).toEqual(changes);
  // What the vaults of fees received: of the flash loan and the borrow.
  const feeOf = (kind: string) => preview.fees.find((each) => each.kind === kind)?.amount ?? 0n;
  const [oldFee, newFee] = sides.map((_, i) => feeUnits(bench, i === 0 ? swap.from : swap.to));
  expect((oldFee ?? 0n) - (feesBefore[0] ?? 0n)).toBe(0n);
  const referred = bench.accounts.referrer !== null && bench.accounts.market.referralFeeBps > 0;
  const paid = (newFee ?? 0n) - (feesBefore[1] ?? 0n);
  if (!referred) expect(paid).toBe(feeOf('FLASH_LOAN') + feeOf('ORIGINATION'));
  return null;
}

const feeUnits = (bench: PositionSwapBench, index: number) =>
  bench.balance(bench.reserve(index).liquidity.feeVault);

const isOneInstruction = ({ build }: BuiltSwap) =>
  build.sequence.instructions.some(({ name }) => name === depositAndWithdraw.name);

describe.each(SWAPS)('a swap of $name in random markets', (swaps) => {
  it(`is previewed to the base unit, over ${LANDED} that land`, { timeout: 600_000 }, () => {
    let landed = 0;
    const seen = new Map<string, number>();
    const see = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    for (let seed = 1; landed < LANDED && seed < 20_000; seed += 1) {
      const chance = new Chance(seed + 3_000_000);
      const setting = oracleState(seed, chance);
      const bench = new PositionSwapBench(swaps.aboveLimit ? withLoweredLimits(setting, chance) : setting);
      const swap = randomSwap(bench, swaps, chance);
      if (swap === null) continue;
      let built: BuiltSwap;
      try {
        built = bench.build(swap);
      } catch (error) {
        if (!isCodedError(error)) throw error;
        see(error.code);
        continue;
      }
      if (swaps.aboveLimit && !isOneInstruction(built)) continue;
      const failure = compare(bench, swap, built, seed);
      see(failure === null ? 'landed' : String(failure));
      if (failure !== null) continue;
      landed += 1;
      if ('all' in swap.amount) see('all');
      if (bench.accounts.obligation?.elevationGroup === 1) see('group');
      for (const { kind } of built.preview.fees) see(kind);
    }
    expect(landed, JSON.stringify([...seen])).toBe(LANDED);
    const wanted = [...swaps.usual, ...swaps.rare.slice(0, cases(0, swaps.rare.length))];
    expect(
      wanted.filter((each) => !seen.has(each)),
      JSON.stringify([...seen]),
    ).toEqual([]);
  });
});
