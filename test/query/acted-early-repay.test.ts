import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, type BuiltPlan, isBuilt, PlanActor } from '../support/apps/plan-actor.ts';
import { debtUnits } from '../support/lending/position-units.ts';

/** Debts of fixed-term reserves, repaid before the end of the term on the localnet, which charges by its own maths. */

const { klend } = MAINNET_PROGRAMS;
const DAY = 86_400;
const TERM = { debtTermSeconds: BigInt(30 * DAY), earlyRepayRemainingInterestPct: 40 };

interface Side {
  readonly address: Address;
  readonly mint: Address;
  readonly decimals: number;
}

let world: ActingApp;
let [usdc, jito, sol]: Side[] = [];
let actor: PlanActor;

beforeAll(async () => {
  world = await startActingApp();
  const { chain: localChain, addresses } = world.localnet;
  const market = localChain.world.markets.find(({ address }) => address === addresses.market);
  [usdc, jito, sol] = ['USDC', 'jitoSOL', 'SOL'].map((symbol) => {
    const found = market?.reserves.find(({ token }) => token.symbol === symbol) ?? expect.fail(symbol);
    const { mint } = found.token;
    return { address: found.address, mint: mint.address, decimals: mint.decimals };
  });
  for (const { address } of [known(usdc), known(sol)]) {
    alterAccount(world, reserveLayout, address, { config: TERM });
  }
});
afterAll(() => world?.stop());

beforeEach(async () => {
  const tokens = { [known(usdc).mint]: 10_000_000_000n, [known(jito).mint]: 1_000_000_000_000n };
  actor = new PlanActor(world, await world.newWallet(tokens));
});

const known = (side: Side | undefined): Side => side ?? expect.fail('no reserve');
const obligation = () =>
  obligationAddress(klend, actor.address, world.localnet.addresses.market, VANILLA_OBLIGATION).address;
const lamports = async () => (await world.rpc.getBalance(actor.address).send()).value;
const debtIn = (side: Side, after: Parameters<typeof debtUnits>[0]) =>
  debtUnits(after, obligation(), side.address);
const whole = (units: Rational, { decimals }: Side) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

const penaltyOf = ({ preview }: BuiltPlan): bigint => {
  const [fee, ...others] = preview.fees;
  expect([fee?.kind, others]).toEqual(['EARLY_REPAY_PENALTY', []]);
  return BigInt(fee?.amount.baseUnits ?? expect.fail('no fee'));
};

/** Borrows, and lets some days of the term pass. */
async function borrow(side: Side, tokens: string, days = 10): Promise<void> {
  await actor.act(
    actor.lending('Deposit', known(jito).address, '500'),
    actor.lending('Borrow', side.address, tokens),
  );
  await actor.wait(days * DAY);
}

interface ShownDebt {
  readonly reserveAddress: Address;
  readonly amount: { readonly baseUnits: string };
  readonly earlyRepayPenalty: { readonly baseUnits: string } | null;
}

async function shownDebt(side: Side): Promise<ShownDebt> {
  const { data, errors } = await world.gateway.query<{ obligation: { borrows: ShownDebt[] } }>(
    `{ obligation(address: "${obligation()}") { borrows {
      reserveAddress amount { baseUnits } earlyRepayPenalty { baseUnits } } } }`,
    { headers: actor.headers },
  );
  expect(errors).toEqual([]);
  return (
    data.obligation.borrows.find((each) => each.reserveAddress === side.address) ?? expect.fail('no debt')
  );
}

describe('a token', () => {
  it('a part of the debt costs its penalty on top, and the protocol earns it', async () => {
    const side = known(usdc);
    await borrow(side, '1000');
    const held = await actor.tokens(side.mint);
    const { liquidity: before } = reserveLayout.decode(accountIn(world.localnet.chain, side.address), klend);
    const plan = await actor.act(actor.lending('Repay', side.address, '250'));
    const penalty = penaltyOf(plan);
    expect(penalty).toBeGreaterThan(0n);
    expect(held - (await actor.tokens(side.mint))).toBe(250_000_000n + penalty);
    const { after } = plan.landed[0] ?? expect.fail('nothing was sent');
    expect(plan.preview.tokens?.after).toBe(whole(debtIn(side, after), side));
    const { liquidity } = reserveLayout.decode(after.get(side.address) ?? expect.fail('no reserve'), klend);
    expect(liquidity.totalAvailableAmount - before.totalAvailableAmount).toBe(250_000_000n + penalty);
    const earned = liquidity.accumulatedProtocolFeesSf - before.accumulatedProtocolFeesSf;
    expect(earned).toBeGreaterThanOrEqual(penalty * FRACTION_ONE);
  });

  it('all of the debt costs what the obligation says', async () => {
    const side = known(usdc);
    await borrow(side, '1234.567891');
    const { amount, earlyRepayPenalty } = await shownDebt(side);
    const held = await actor.tokens(side.mint);
    const plan = await actor.act(actor.lending('Repay', side.address, null));
    expect(String(penaltyOf(plan))).toBe(earlyRepayPenalty?.baseUnits);
    expect(held - (await actor.tokens(side.mint))).toBe(BigInt(amount.baseUnits) + penaltyOf(plan));
    expect(plan.preview.tokens?.after).toBe('0');
  });

  it('the wallet must hold the penalty, too', async () => {
    const side = known(usdc);
    await borrow(side, '1000');
    const { amount } = await shownDebt(side);
    // 10,000 tokens and the 1,000 borrowed ones, of which another deposit leaves exactly the debt.
    const spare = (await actor.tokens(side.mint)) - BigInt(amount.baseUnits);
    const deposit = actor.lending('Deposit', side.address, whole(Rational.of(spare), side));
    const refused = await actor.refused([deposit, actor.lending('Repay', side.address, null)], {
      strict: true,
    });
    expect(refused).toMatchObject({ step: 1 });
    expect(refused.message).toContain('USDC');
  });

  it('toReach names the penalty of its amount', async () => {
    const side = known(usdc);
    await borrow(side, '5000');
    const { data } = await world.gateway.query<{
      obligation: {
        toReach: { amount: { amount: string }; earlyRepayPenalty: { baseUnits: string } };
      };
    }>(
      `{ obligation(address: "${obligation()}") { toReach(healthFactor: "20", by: REPAY, reserve: "${side.address}") {
        amount { amount } earlyRepayPenalty { baseUnits } } } }`,
      { headers: actor.headers },
    );
    const { amount, earlyRepayPenalty } = data.obligation.toReach;
    const plan = await actor.act(actor.lending('Repay', side.address, amount.amount));
    expect(String(penaltyOf(plan))).toBe(earlyRepayPenalty.baseUnits);
  });

  it('after the end of the term there is none', async () => {
    const side = known(usdc);
    await borrow(side, '1000', 31);
    expect((await shownDebt(side)).earlyRepayPenalty?.baseUnits).toBe('0');
    const held = await actor.tokens(side.mint);
    const plan = await actor.act(actor.lending('Repay', side.address, '250'));
    expect(plan.preview.fees).toEqual([]);
    expect(held - (await actor.tokens(side.mint))).toBe(250_000_000n);
  });
});

describe('SOL', () => {
  it.each([
    ['a part', '1.5'],
    ['all', null],
  ])('%s of the debt: enough is wrapped, and the rest returns', async (_, tokens) => {
    const side = known(sol);
    await borrow(side, '5');
    const { amount } = await shownDebt(side);
    const held = await lamports();
    const plan = await actor.act(actor.lending('Repay', side.address, tokens));
    const repaid = tokens === null ? BigInt(amount.baseUnits) : 1_500_000_000n;
    const paid = held - (await lamports());
    const networkFee = paid - repaid - penaltyOf(plan);
    // The rent of the account for wrapped SOL returns as well.
    expect(networkFee).toBeGreaterThan(0n);
    expect(networkFee).toBeLessThan(3_000_000n);
    const { after } = plan.landed[0] ?? expect.fail('nothing was sent');
    expect(plan.preview.tokens?.after).toBe(whole(debtIn(side, after), side));
  });
});

describe('the maximum borrow', () => {
  async function maxBorrow(reserve: Address): Promise<string> {
    const { data } = await world.gateway.query<{ obligation: { maxBorrow: { amount: string } } }>(
      `{ obligation(address: "${obligation()}") { maxBorrow(reserve: "${reserve}") { amount } } }`,
      { headers: actor.headers },
    );
    return data.obligation.maxBorrow.amount;
  }

  it('leaves room for the fee where the limit of the reserve binds', async () => {
    const side = known(usdc);
    await actor.act(actor.lending('Deposit', known(jito).address, '500'));
    const stored = reserveLayout.decode(accountIn(world.localnet.chain, side.address), klend);
    const fees = { ...stored.config.fees, originationFeeSf: FRACTION_ONE / 300n };
    const { borrowLimitOutsideElevationGroup: unlimited } = stored.config;
    // 59.800664 and a fee of 0.199336 are 60. Somebody else may borrow meanwhile.
    await vi.waitFor(
      async () => {
        const { borrowedAmountOutsideElevationGroup: borrowed } = reserveLayout.decode(
          accountIn(world.localnet.chain, side.address),
          klend,
        );
        alterAccount(world, reserveLayout, side.address, {
          config: { fees, borrowLimitOutsideElevationGroup: borrowed + 60_000_000n },
        });
        await actor.wait(1);
        expect(await maxBorrow(side.address)).toBe('59.800664');
      },
      { timeout: 60_000, interval: 250 },
    );
    const more = await actor.build([actor.lending('Borrow', side.address, '59.800665')], { strict: true });
    expect(isBuilt(more)).toBe(false);
    const plan = await actor.build([actor.lending('Borrow', side.address, '59.800664')], { strict: true });
    const built = isBuilt(plan) ? plan : expect.fail(plan.message);
    await actor.send(built);
    expect(built.preview.tokens?.after).toBe('60');
    alterAccount(world, reserveLayout, side.address, {
      config: { fees: stored.config.fees, borrowLimitOutsideElevationGroup: unlimited },
    });
  });
});
