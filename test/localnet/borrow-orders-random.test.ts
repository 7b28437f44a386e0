import { type Obligation, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import type { BuiltStep } from '../../src/builders/action.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { type LendingSetting, NOW, reserveAddress } from '../support/builders/lending-accounts.ts';
import { Chance, randomState } from '../support/lending/random-states.ts';
import { BorrowOrderBench, ORDERS_ON } from '../support/localnet/borrow-order-bench.ts';
import { expectChanges, readOf } from '../support/localnet/built-steps.ts';

/**
 * Borrow orders in random markets, built and run against the program: the preview is the outcome to the base unit, and has
 * an error exactly when the program refuses.
 */

const CASES = cases(40, 330);
const PRICE_DECIMALS = 12n;
const DEBT = 2;
const { klend } = MAINNET_PROGRAMS;
const NO_ACCOUNT = { owner: SYSTEM_PROGRAM, lamports: 0n, data: new Uint8Array(), executable: false };

function settingOf(seed: number, chance: Chance): LendingSetting {
  const { setting } = randomState(seed, true);
  const isCalm = seed % 3 !== 0;
  const reserves = (setting.reserves ?? []).map((each, i) => {
    const price = each.change?.liquidity?.marketPriceSf ?? FRACTION_ONE;
    const term = chance.pick(0n, 0n, 0n, 50n, 100n, 20_000_000n);
    return {
      ...each,
      oracle: { priceUsd: (BigInt(price) * 10n ** PRICE_DECIMALS) / FRACTION_ONE + 1n, exp: PRICE_DECIMALS },
      config: {
        ...each.config,
        ...(isCalm ? { status: 0, emergencyMode: 0, disableUsageAsCollOutsideEmode: 0 } : {}),
        ...(i === DEBT ? { debtTermSeconds: term, debtMaturityTimestamp: maturity(chance) } : {}),
        protocolTakeRatePct: 10,
      },
    };
  });
  const market = {
    ...setting.market,
    ...ORDERS_ON,
    // The refresh of an obligation moves shares of referrers inside the reserve, which builds do not follow.
    referralFeeBps: 0,
    ...(isCalm ? { emergencyMode: 0, borrowDisabled: 0 } : {}),
    borrowOrderCreationEnabled: chance.hit(0.95) ? 1 : 0,
    borrowOrderExecutionEnabled: chance.hit(0.95) ? 1 : 0,
    obligationBorrowRolloverConfigurationEnabled: chance.hit(0.9) ? 1 : 0,
    minBorrowOrderFillValue: chance.pick(0n, 0n, 1n, 2n, 100n),
  };
  return { ...setting, market, reserves, referred: false, balances: [undefined, undefined, undefined] };
}

const maturity = (chance: Chance) => (chance.hit(0.85) ? 0n : NOW.timestamp + chance.below(100n));

/** Null when it cannot be built. */
function built(build: () => BuiltStep): BuiltStep | null {
  try {
    return build();
  } catch (error) {
    expect(isCodedError(error, 'BUILD_REFUSED')).toBe(true);
    return null;
  }
}

const errorsOf = (step: BuiltStep) =>
  step
    .preview()
    .warnings.filter(({ level }) => level === 'ERROR')
    .map(({ code, message }) => `${code} ${message}`);

/** What a borrow order changes of an obligation. */
const positionsOf = ({ borrows, headBorrowOrder, tailBorrowOrders }: Obligation) => ({
  // Interest of the other debts is added when they are read.
  debts: borrows
    .filter(({ borrowReserve }) => borrowReserve === reserveAddress(DEBT))
    .map((each) => [
      each.borrowReserve,
      each.borrowedAmountSf,
      each.lastBorrowedAtTimestamp,
      each.fixedTermBorrowRolloverConfig.autoRolloverEnabled,
      each.fixedTermBorrowRolloverConfig.migrationToFixedEnabled,
      each.fixedTermBorrowRolloverConfig.maxBorrowRateBps,
      each.fixedTermBorrowRolloverConfig.minDebtTermSeconds,
    ]),
  orders: [headBorrowOrder, ...tailBorrowOrders].map(fieldsOf),
});

const fieldsOf = (order: Obligation['headBorrowOrder']) => [
  order.debtLiquidityMint,
  order.remainingDebtAmount,
  order.filledDebtDestination,
  order.minDebtTermSeconds,
  order.fillableUntilTimestamp,
  order.placedAtTimestamp,
  order.lastUpdatedAtTimestamp,
  order.requestedDebtAmount,
  order.maxBorrowRateBps,
  order.active,
  order.enableAutoRolloverOnFilledBorrows,
];

/** Runs a step whose outcome must be the promised one, and returns whether the program accepted it. */
function run(bench: BorrowOrderBench, step: BuiltStep, what: string): boolean {
  const errors = errorsOf(step);
  const promised = step.after();
  const before = new Map([...promised.keys()].map((address) => [address, readOf(bench, address)]));
  const failure = bench.failureOf(step.action.instructions);
  expect(failure !== null, `${what}: ${failure}, promised ${errors.join('; ')}`).toBe(errors.length > 0);
  if (failure !== null) return false;
  const account = promised.get(bench.obligationAddress) ?? expect.fail('the obligation is not changed');
  expect(positionsOf(bench.obligation()), what).toEqual(positionsOf(obligationLayout.decode(account, klend)));
  expectChanges(bench, promised, before);
  return true;
}

/** Whole tokens as base units. */
const units = (tokens: { n: bigint; d: bigint } | null | undefined, decimals: bigint): bigint =>
  tokens ? (tokens.n * 10n ** decimals) / tokens.d : expect.fail('no figure');

describe('borrow orders in random markets', () => {
  it('are placed, changed, filled and cancelled as previewed', () => {
    const seen = { placed: 0, refused: 0, filled: 0, inPart: 0, unfilled: 0, changed: 0, cancelled: 0 };
    for (let seed = 1; seed <= CASES * 4; seed += 1) {
      const chance = new Chance(seed + 90_000);
      const bench = new BorrowOrderBench(settingOf(seed, chance), DEBT);
      if (chance.hit(0.5)) bench.set(bench.tokensOf(DEBT), NO_ACCOUNT);
      const { mintPubkey: mint, mintDecimals } = bench.reserve(DEBT).liquidity;
      const amount = chance.magnitude(0, 14);
      const index = chance.pick(0, 1, 2);
      const terms = {
        mint,
        index,
        amount: { baseUnits: amount },
        maxBorrowRateBps: chance.hit(0.9) ? 5_000 : 4_999,
        minTermSeconds: chance.pick(0n, 0n, 50n, 51n),
        fillableUntil: chance.hit(0.02) ? NOW.timestamp - 1n : NOW.timestamp + chance.below(1_000n),
        autoRollover: chance.hit(0.3),
      };
      const placing = built(() => bench.place(terms));
      if (placing === null || !run(bench, placing, `placed ${seed}`)) {
        seen.refused += 1;
        continue;
      }
      seen.placed += 1;
      expect(placing.preview().borrowOrder).toMatchObject({ index, before: null });
      if (chance.hit(0.2)) {
        const changing = bench.place({ ...terms, amount: { baseUnits: amount + 1n } });
        if (run(bench, changing, `changed ${seed}`)) seen.changed += 1;
      }
      const remaining = bench.order(index).remainingDebtAmount;
      const held = bench.balance(bench.tokensOf(DEBT));
      const filling = built(() => bench.fill(index, DEBT)) ?? expect.fail('not built');
      if (run(bench, filling, `filled ${seed}`)) {
        const { borrowOrder, warnings } = filling.preview();
        const received = bench.balance(bench.tokensOf(DEBT)) - held;
        expect(borrowOrder?.received?.amount).toBe(received);
        expect(units(borrowOrder?.remaining.before, mintDecimals)).toBe(remaining);
        expect(units(borrowOrder?.remaining.after, mintDecimals)).toBe(
          bench.order(index).remainingDebtAmount,
        );
        expect(remaining - received).toBe(bench.order(index).remainingDebtAmount);
        const isPart = received < remaining;
        expect(warnings.some(({ code }) => code === 'FILLED_IN_PART')).toBe(isPart);
        seen[isPart ? 'inPart' : 'filled'] += 1;
      } else seen.unfilled += 1;
      if (bench.order(index).active === 0) continue;
      expect(run(bench, bench.cancel(index), `cancelled ${seed}`)).toBe(bench.order(index).active === 0);
      seen.cancelled += 1;
    }
    const least = CASES / 10;
    expect(seen.placed).toBeGreaterThan(CASES);
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(least / 2);
  }, 240_000);
});
