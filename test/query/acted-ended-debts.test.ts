import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, PlanActor } from '../support/apps/plan-actor.ts';
import { acceptsLiquidation, loansOf } from '../support/lending/liquidation-trial.ts';
import { debtUnits } from '../support/lending/position-units.ts';

/** A healthy loan on the localnet whose debt ends: what the gateway says before, and its liquidation after. */

const { klend } = MAINNET_PROGRAMS;
const DAY = 86_400;
const TERM_DAYS = 30;

interface Named {
  readonly address: Address;
  readonly mint: Address;
}

let world: ActingApp;
let owner: PlanActor;
let keeper: PlanActor;
let market: Address;
let [btc, usdc]: Named[] = [];

const known = <T>(value: T | null | undefined): T => value ?? expect.fail('not found');
const obligation = () => obligationAddress(klend, owner.address, market, VANILLA_OBLIGATION).address;

beforeAll(async () => {
  world = await startActingApp();
  const found = world.localnet.chain.world.markets.find(({ name }) => name === 'Term Market');
  market = found?.address ?? expect.fail('no market with terms');
  [btc, usdc] = ['wBTC', `USDC ${TERM_DAYS}d`].map((name) => {
    const { address, token } =
      found?.reserves.find(({ spec }) => (spec.label ?? spec.token) === name) ?? expect.fail(name);
    return { address, mint: token.mint.address };
  });
  owner = new PlanActor(world, await world.newWallet({ [known(btc).mint]: 200_000_000n }));
  keeper = new PlanActor(world, await world.newWallet({ [known(usdc).mint]: 10_000_000_000n }));
  const lending = (kind: string, reserve: Address, tokens: string) => ({
    [`lending${kind}`]: { wallet: owner.address, market, reserve, amount: { tokens } },
  });
  await owner.act(
    lending('Deposit', known(btc).address, '1'),
    lending('Borrow', known(usdc).address, '1000'),
  );
}, 120_000);
afterAll(() => world?.stop());

const newest = () => ({ 'x-min-slot': String(world.localnet.chain.slot) });

async function ask<T>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const { data, errors } = await world.gateway.query<T>(query, { variables, headers: newest() });
  expect(errors).toEqual([]);
  return data;
}

const LOAN = `liquidatable endedDebtUsd liquidation { reason repayReserveAddress repaid { baseUnits } bonus }`;

interface WhatIf {
  readonly liquidatable: boolean;
  readonly endedDebtUsd: string;
  readonly liquidation: {
    readonly reason: string;
    readonly repaid: { readonly baseUnits: string };
    readonly bonus: string;
  } | null;
}

const whatIf = async (days: number) =>
  (
    await ask<{ obligation: { liquidatable: boolean; healthFactor: string; whatIf: WhatIf } }>(
      `{ obligation(address: "${obligation()}") { liquidatable healthFactor whatIf(days: ${days}) { ${LOAN} } } }`,
    )
  ).obligation;

interface Risk {
  readonly now: {
    readonly liquidatable: { readonly loans: number };
    readonly endedLiquidatable: { readonly loans: number; readonly debtUsd: string };
    readonly liquidatableLoans: readonly {
      readonly obligation: Address;
      readonly reason: string;
      readonly healthFactor: string;
    }[];
  };
  readonly debtEnds: readonly {
    readonly fromDays: number | null;
    readonly toDays: number | null;
    readonly debts: number;
    readonly debtUsd: string;
  }[];
}

const risk = async () =>
  (
    await ask<{ market: { risk: Risk } }>(
      `query ($market: Address!) { market(address: $market) { risk(shocks: []) {
        debtEnds { fromDays toDays debts debtUsd }
        now { liquidatable { loans } endedLiquidatable { loans debtUsd }
          liquidatableLoans(first: 1000) { obligation reason healthFactor } } } } }`,
      { market },
    )
  ).market.risk;

/** What the risk of the market says must be what the program accepts. */
async function comparedRisk(): Promise<Risk> {
  const found = await risk();
  const { chain: localChain } = world.localnet;
  const loans = [...loansOf(localChain, market), obligation()];
  const accepted = loans.filter((loan) => acceptsLiquidation(localChain, loan));
  expect(new Set(found.now.liquidatableLoans.map((loan) => loan.obligation))).toEqual(new Set(accepted));
  const ended = found.now.liquidatableLoans.filter(({ reason }) => reason !== 'UNHEALTHY');
  expect(found.now.endedLiquidatable.loans).toBe(ended.length);
  for (const { healthFactor } of ended) expect(Number(healthFactor)).toBeGreaterThan(1);
  return found;
}

const listed = async () =>
  (
    await ask<{ obligations: { nodes: { address: Address }[] } }>(
      `query ($market: Address!) { obligations(scope: { market: $market }, filter: { liquidatable: true }, first: 100) {
        nodes { address } } }`,
      { market },
    )
  ).obligations.nodes.map(({ address }) => address);

const input = (tokens: string | null) => ({
  wallet: keeper.address,
  obligation: obligation(),
  repayReserve: known(usdc).address,
  withdrawReserve: known(btc).address,
  amount: tokens === null ? { all: 'ALL' as const } : { tokens },
});

const owedUnits = async () => {
  const { data } = await world.gateway.query<{
    obligation: { borrows: { amount: { baseUnits: string } }[] };
  }>(`{ obligation(address: "${obligation()}") { borrows { amount { baseUnits } } } }`, {
    headers: newest(),
  });
  return BigInt(data.obligation.borrows[0]?.amount.baseUnits ?? 0);
};

describe('before the end', () => {
  it('nobody may liquidate the loan, and a what-if says when they may', async () => {
    const loan = await whatIf(0);
    expect(loan.liquidatable).toBe(false);
    expect(loan.whatIf).toEqual({ liquidatable: false, endedDebtUsd: '0', liquidation: null });
    expect((await whatIf(TERM_DAYS - 1)).whatIf).toMatchObject({ liquidatable: false, liquidation: null });
    const { whatIf: half } = await whatIf(TERM_DAYS + 15);
    expect(half).toMatchObject({ liquidatable: true, liquidation: { reason: 'TERM' } });
    const owed = Number(await owedUnits());
    // Half of it, and 1 % and 10 basis points a day. Interest goes on in between.
    expect(Number(half.liquidation?.repaid.baseUnits) / owed).toBeCloseTo(0.5, 1);
    expect(Number(half.liquidation?.bonus)).toBeCloseTo(0.025, 4);
    expect(Number(half.endedDebtUsd)).toBeGreaterThan(1_000);
    const { whatIf: whole } = await whatIf(TERM_DAYS + 31);
    expect(Number(whole.liquidation?.repaid.baseUnits)).toBeGreaterThan(owed);
  });

  it('counts in the risk of the market by the days that are left', async () => {
    const { debtEnds, now } = await comparedRisk();
    expect(debtEnds.map(({ fromDays, toDays }) => [fromDays, toDays])).toEqual([
      [null, 0],
      [0, 1],
      [1, 7],
      [7, 30],
      [30, 90],
      [90, null],
    ]);
    expect(debtEnds[3]?.debts).toBeGreaterThan(0);
    expect(Number(debtEnds[3]?.debtUsd)).toBeGreaterThan(990);
    // Loans of the world whose term is over.
    expect(debtEnds[0]?.debts).toBeGreaterThan(0);
    expect(now.endedLiquidatable.loans).toBeGreaterThan(0);
    expect(now.liquidatableLoans.map((loan) => loan.obligation)).not.toContain(obligation());
  });

  it('a build is refused with the date', async () => {
    const refused = await keeper.refused([{ liquidate: input(null) }]);
    expect(refused).toMatchObject({ code: 'BUILD_REFUSED', step: 0 });
    expect(refused.message).toContain('NOT_LIQUIDATABLE');
    expect(refused.message).toContain('Whatever its health, the debt can be liquidated from');
  });
});

describe('after the end', () => {
  it('the loan is listed as liquidatable for it, though it is healthy', async () => {
    await owner.wait((TERM_DAYS + 15) * DAY);
    const { liquidatable, healthFactor, whatIf: now } = await whatIf(0);
    expect(Number(healthFactor)).toBeGreaterThan(10);
    expect(liquidatable).toBe(true);
    expect(now).toMatchObject({ liquidatable: true, liquidation: { reason: 'TERM' } });
    const { now: scenario } = await comparedRisk();
    expect(scenario.liquidatableLoans.find((loan) => loan.obligation === obligation())?.reason).toBe('TERM');
    expect(await listed()).toContain(obligation());
  });

  it('anyone liquidates a part of it, to the base unit of the preview, and then no more', async () => {
    const before = [await keeper.tokens(known(usdc).mint), await keeper.tokens(known(btc).mint)];
    const { steps, landed } = await keeper.act({ liquidate: input(null) });
    const figures = known(steps[0]?.preview.liquidation);
    const paid = known(before[0]) - (await keeper.tokens(known(usdc).mint));
    const received = (await keeper.tokens(known(btc).mint)) - known(before[1]);
    expect([paid, received]).toEqual([BigInt(figures.repaid.baseUnits), BigInt(figures.received.baseUnits)]);
    const after = known(landed.at(-1)).after;
    expect(Number(figures.debt.after)).toBeCloseTo(
      Number(debtUnits(after, obligation(), known(usdc).address).floor()) / 1e6,
      5,
    );
    // Half of about 1,007 tokens, and a bonus of 2.5 %.
    expect(Number(paid) / 1e6).toBeGreaterThan(490);
    expect(Number(paid) / 1e6).toBeLessThan(520);
    expect(Number(figures.bonus)).toBeCloseTo(0.025, 4);
    const second = await keeper.refused([{ liquidate: input('400') }, { liquidate: input('400') }]);
    expect(second.message).toMatch(/AMOUNT_BELOW_MINIMUM|NOT_LIQUIDATABLE/u);
  });

  it('is nobody else’s right where the market switches it off', async () => {
    alterAccount(world, lendingMarket, market, { obligationBorrowDebtTermLiquidationEnabled: 0 });
    await owner.wait(1);
    expect((await whatIf(0)).liquidatable).toBe(false);
    const { now, debtEnds } = await comparedRisk();
    expect(now.endedLiquidatable).toEqual({ loans: 0, debtUsd: '0' });
    expect(debtEnds[0]?.debts).toBeGreaterThan(0);
    const refused = await keeper.refused([{ liquidate: input(null) }]);
    expect(refused.message).toContain('The market has switched off liquidations for the term of its debt.');
  });

  it('is settled whole in the end', async () => {
    alterAccount(world, lendingMarket, market, { obligationBorrowDebtTermLiquidationEnabled: 1 });
    await owner.wait(20 * DAY);
    await keeper.act({ liquidate: input(null) });
    expect(await owedUnits()).toBe(0n);
    expect(await listed()).not.toContain(obligation());
  });
});
