import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, PlanActor } from '../support/apps/plan-actor.ts';

/** Fixed-term debts from the borrow to the end of the term, on the localnet. */

const { klend } = MAINNET_PROGRAMS;
const DAY = 86_400;
const TERM_DAYS = 90;

let world: ActingApp;
let actor: PlanActor;
let market: Address;
let [sol, usdc, btc]: { readonly address: Address; readonly mint: Address }[] = [];

beforeAll(async () => {
  world = await startActingApp();
  const found = world.localnet.chain.world.markets.find(({ name }) => name === 'Term Market');
  market = found?.address ?? expect.fail('no market with terms');
  [sol, usdc, btc] = ['SOL', `USDC ${TERM_DAYS}d`, 'wBTC'].map((name) => {
    const { address, token } =
      found?.reserves.find(({ spec }) => (spec.label ?? spec.token) === name) ?? expect.fail(name);
    return { address, mint: token.mint.address };
  });
  actor = new PlanActor(world, await world.newWallet({ [known(btc).mint]: 200_000_000n }));
});
afterAll(() => world?.stop());

const known = <T>(value: T | undefined): T => value ?? expect.fail('not found');
const obligation = () => obligationAddress(klend, actor.address, market, VANILLA_OBLIGATION).address;

const TERMS = `debtTerm { reserveAddress rate borrowApr cause endsAt endedAt daysLeft rolloverFrom liquidatableFrom
    wholeFrom earlyRepayPenalty { baseUnits } description }
  rollover { reserveAddress termEndsAt rolloverFrom before { enabled } after { enabled minTermSeconds windowSeconds } }`;

interface Terms {
  readonly debtTerm: Readonly<Record<string, unknown>> & {
    readonly endsAt: string;
    readonly earlyRepayPenalty: { readonly baseUnits: string };
  };
  readonly rollover: Readonly<Record<string, unknown>>;
}

/** Builds a plan, sends it and returns what its steps promised. */
async function act(...actions: readonly object[]): Promise<readonly Terms[]> {
  const { data, errors } = await world.gateway.query<{
    plan: { steps: { preview: Terms }[] };
  }>(
    `mutation ($actions: [BuildAction!]!) { plan: buildPlan(actions: $actions) {
      ... on BuildError { code message } ... on TransactionPlan { steps { preview { ${TERMS} } } } } }`,
    { variables: { actions }, headers: actor.headers },
  );
  expect(errors).toEqual([]);
  await actor.act(...actions);
  return data.plan.steps.map(({ preview }) => preview);
}

const lending = (kind: string, reserve: Address, tokens: string) => ({
  [`lending${kind}`]: { wallet: actor.address, market, reserve, amount: { tokens } },
});

interface Shown {
  readonly debtEnds: readonly (Readonly<Record<string, unknown>> & { readonly endsAt: string })[];
  readonly borrows: readonly {
    readonly amount: { readonly baseUnits: string };
    readonly termEndsAt: string;
    readonly earlyRepayPenalty: { readonly baseUnits: string };
    readonly ends: readonly { readonly endsAt: string }[];
  }[];
}

async function shown(): Promise<Shown> {
  const { data, errors } = await world.gateway.query<{ obligation: Shown }>(
    `{ obligation(address: "${obligation()}") {
      debtEnds { reserveAddress reserve { address } cause endsAt daysLeft isOver liquidatableFrom wholeFrom
        liquidatable { baseUnits } rolloverFrom description }
      borrows { amount { baseUnits } termEndsAt earlyRepayPenalty { baseUnits } ends { endsAt } } } }`,
    { headers: actor.headers },
  );
  expect(errors).toEqual([]);
  return data.obligation;
}

const later = (date: string, seconds: number) => new Date(Date.parse(date) + seconds * 1000).toISOString();
/** The transaction lands a slot after the build: a second at most. */
const near = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b)) <= 2_000;

describe('a reserve', () => {
  it('says its terms', async () => {
    const { data, errors } = await world.gateway.query<{ terms: object; open: object; fees: object }>(
      `{ terms: reserve(address: "${known(usdc).address}") { ...T } open: reserve(address: "${known(sol).address}") { ...T } }
      fragment T on Reserve { terms { kind rate termSeconds maturesAt penaltyOfNewDebt rolloverWindowSeconds
        openTermWindowSeconds openTermToFixed liquidatedAfterTerm liquidatedAfterMaturity wholeAfterSeconds } }`,
    );
    expect(errors).toEqual([]);
    const ofMarket = {
      rolloverWindowSeconds: String(7 * DAY),
      openTermWindowSeconds: String(3 * DAY),
      openTermToFixed: true,
      liquidatedAfterTerm: true,
      liquidatedAfterMaturity: true,
      wholeAfterSeconds: String(30 * DAY),
    };
    expect(data).toMatchObject({
      terms: {
        terms: {
          kind: 'FIXED_TERM',
          rate: 'FIXED',
          termSeconds: String(TERM_DAYS * DAY),
          maturesAt: null,
          ...ofMarket,
        },
      },
      open: {
        terms: {
          kind: 'OPEN_TERM',
          rate: 'FLOATING',
          termSeconds: null,
          penaltyOfNewDebt: '0',
          ...ofMarket,
        },
      },
    });
    const { penaltyOfNewDebt } = (data.terms as { terms: { penaltyOfNewDebt: string } }).terms;
    // Half of 90 days at 6.95 % a year: 0.5 * (e^(0.0695 * 90 / 365) - 1) = 0.0086423.
    expect(Number(penaltyOfNewDebt)).toBeCloseTo(0.0086423, 6);
  });
});

describe('a debt with a term', () => {
  it('ends when the borrow said, and costs what it said to repay', async () => {
    const [deposit, borrow] = await act(
      lending('Deposit', known(btc).address, '1'),
      lending('Borrow', known(usdc).address, '1000'),
    );
    expect(deposit?.debtTerm).toBeNull();
    const { debtTerm } = known(borrow);
    expect(debtTerm).toMatchObject({
      reserveAddress: known(usdc).address,
      rate: 'FIXED',
      cause: 'TERM',
      endedAt: null,
      daysLeft: String(TERM_DAYS),
      rolloverFrom: null,
      liquidatableFrom: debtTerm.endsAt,
      wholeFrom: later(debtTerm.endsAt, 30 * DAY),
      description: expect.stringContaining('anyone may liquidate'),
    });
    const { borrows, debtEnds } = await shown();
    const [debt] = borrows;
    expect(near(known(debt).termEndsAt, debtTerm.endsAt)).toBe(true);
    expect(known(debt).ends.map(({ endsAt }) => endsAt)).toEqual([known(debt).termEndsAt]);
    expect(debtEnds).toMatchObject([
      {
        reserveAddress: known(usdc).address,
        reserve: { address: known(usdc).address },
        cause: 'TERM',
        isOver: false,
        liquidatable: { baseUnits: '0' },
        rolloverFrom: null,
      },
    ]);
    const [now, said] = [known(debt).earlyRepayPenalty, debtTerm.earlyRepayPenalty].map(({ baseUnits }) =>
      Number(baseUnits),
    );
    expect(known(said)).toBeGreaterThan(8_000_000);
    expect(Math.abs(known(said) - known(now))).toBeLessThan(20);
  });

  it('starts its term anew with the next borrow', async () => {
    await actor.wait(20 * DAY);
    const before = known((await shown()).debtEnds[0]).endsAt;
    const [borrow] = await act(lending('Borrow', known(usdc).address, '50'));
    expect(borrow?.debtTerm).toMatchObject({ endedAt: before });
    expect(near(known((await shown()).debtEnds[0]).endsAt, later(before, 20 * DAY))).toBe(true);
  });

  it('can be rolled over from the time that its settings say', async () => {
    const { endsAt } = known((await shown()).debtEnds[0]);
    const place = { wallet: actor.address, market, reserve: known(usdc).address };
    const settings = {
      enabled: true,
      maxBorrowRateBps: 1_000,
      minTermSeconds: String(30 * DAY),
      windowDays: 5,
    };
    const [set] = await act({ setRolloverSettings: { ...place, ...settings } });
    const rolloverFrom = later(endsAt, -5 * DAY);
    expect(set).toMatchObject({
      debtTerm: null,
      rollover: {
        reserveAddress: known(usdc).address,
        termEndsAt: endsAt,
        rolloverFrom,
        before: { enabled: false },
        after: { enabled: true, minTermSeconds: String(30 * DAY), windowSeconds: String(5 * DAY) },
      },
    });
    expect((await shown()).debtEnds).toMatchObject([{ endsAt, rolloverFrom }]);
  });

  it('can be liquidated after its end, a growing part of it', async () => {
    alterAccount(world, lendingMarket, market, {
      termBasedFullLiquidationDurationSecs: BigInt(10 * DAY),
    });
    await actor.wait(1);
    const { endsAt } = known((await shown()).debtEnds[0]);
    expect((await shown()).debtEnds).toMatchObject([
      { liquidatableFrom: endsAt, wholeFrom: later(endsAt, 10 * DAY), liquidatable: { baseUnits: '0' } },
    ]);
    await actor.wait((TERM_DAYS + 5) * DAY);
    const { debtEnds, borrows } = await shown();
    const owed = Number(known(borrows[0]).amount.baseUnits);
    expect(known(borrows[0]).earlyRepayPenalty.baseUnits).toBe('0');
    expect(debtEnds).toMatchObject([
      { isOver: true, daysLeft: '0', description: expect.stringContaining('ended on') },
    ]);
    const due = Number((known(debtEnds[0]).liquidatable as { baseUnits: string }).baseUnits);
    // Five of ten days have passed: half of what was owed.
    expect(due / owed).toBeGreaterThan(0.49);
    expect(due / owed).toBeLessThan(0.51);
    await actor.wait(6 * DAY);
    const [end, debt] = [known((await shown()).debtEnds[0]), known((await shown()).borrows[0])];
    expect(end.liquidatable).toEqual(debt.amount);
  });
});

describe('a reserve with a maturity', () => {
  it('lends with the same end for everybody', async () => {
    const { slot } = await world.rpc
      .getEpochInfo()
      .send()
      .then(({ absoluteSlot }) => ({ slot: absoluteSlot }));
    const now = await world.rpc.getBlockTime(slot).send();
    const maturity = BigInt(now) + BigInt(40 * DAY);
    alterAccount(world, reserveLayout, known(sol).address, { config: { debtMaturityTimestamp: maturity } });
    await actor.wait(1);
    const [borrow] = await act(lending('Borrow', known(sol).address, '1'));
    const at = new Date(Number(maturity) * 1000).toISOString();
    expect(borrow?.debtTerm).toMatchObject({
      rate: 'FLOATING',
      cause: 'MATURITY',
      endsAt: at,
      liquidatableFrom: at,
      wholeFrom: at,
      rolloverFrom: null,
      earlyRepayPenalty: { baseUnits: '0' },
    });
    const { debtEnds } = await shown();
    expect(debtEnds.map(({ cause }) => cause)).toEqual(['TERM', 'MATURITY']);
  });
});
