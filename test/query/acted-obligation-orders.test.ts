import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, isBuilt, PlanActor } from '../support/apps/plan-actor.ts';
import { Explainer, sentences } from '../support/explain/explainer.ts';

/** Orders of an obligation on the frozen localnet: previewed, explained, sent, read and cancelled. */

const USDC = 1_000_000n;
const ALL = { all: 'ALL' };
const PRICE = 'reserveAddress currentUsd triggerUsd side reason';
const ORDERS = `orders { index condition opportunity description trigger watched isTriggered hindrance
  threshold minBonus maxBonus amount { amount token { symbol } } triggerPrices { ${PRICE} } }`;

interface Price {
  readonly reserveAddress: Address;
  readonly currentUsd: string | null;
  readonly triggerUsd: string | null;
  readonly side: string | null;
  readonly reason: string | null;
}

interface Order {
  readonly index: number;
  readonly description: string;
  readonly trigger: string;
  readonly watched: string;
  readonly isTriggered: boolean;
  readonly hindrance: string | null;
  readonly triggerPrices: readonly Price[];
}

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string }[];
  readonly preview: {
    readonly order: {
      readonly index: number;
      readonly before: string | null;
      readonly after: string | null;
      readonly trigger: string | null;
      readonly isTriggered: boolean | null;
      readonly triggerPrices: readonly Price[];
    };
    readonly warnings: readonly { readonly code: string; readonly level: string; readonly message: string }[];
  };
  readonly simulation: { readonly success: boolean; readonly error: { readonly code: number } | null };
}

let world: ActingApp;
let actor: PlanActor;
let market: Address;
let obligation: Address;

beforeAll(async () => {
  world = await startActingApp();
  const { addresses } = world.localnet;
  ({ market } = addresses);
  actor = new PlanActor(world, await world.newWallet({ [addresses.tokenMint]: 20_000n * USDC }));
  await actor.act(
    actor.lending('Deposit', addresses.reserve, '10000'),
    actor.lending('Borrow', addresses.depositReserve, '20'),
  );
  obligation = await obligationOf(actor.address);
});
afterAll(() => world?.stop());

async function obligationOf(wallet: Address): Promise<Address> {
  const { data } = await world.gateway.query<{
    wallet: { obligations: { nodes: readonly { address: Address }[] } };
  }>(`{ wallet(address: "${wallet}") { obligations(first: 5) { nodes { address } } } }`, {
    headers: actor.headers,
  });
  return data.wallet.obligations.nodes[0]?.address ?? expect.fail('no obligation');
}

async function build(kind: 'Set' | 'Cancel', input: object): Promise<Plan> {
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(
    `mutation ($input: ${kind}ObligationOrderInput!) { plan: build${kind}ObligationOrder(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 }
        preview {
          order { index before after trigger isTriggered triggerPrices { ${PRICE} } }
          warnings { code level message }
        }
        simulation { success error { code } }
      }
    } }`,
    { variables: { input: { wallet: actor.address, market, ...input } }, headers: actor.headers },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

const set = (input: object = {}) =>
  build('Set', {
    condition: 'LTV_ABOVE',
    threshold: '0.6',
    amount: ALL,
    minBonusBps: 50,
    maxBonusBps: 200,
    ...input,
  });

async function send(plan: Plan): Promise<Plan> {
  expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
  ({ headers: actor.headers } = await world.send('RPC', plan.transactions[0]?.base64 ?? '', actor.signer));
  return plan;
}

async function read(): Promise<{ loanToValue: string; orders: readonly Order[] }> {
  const { data, errors } = await world.gateway.query<{
    loan: { loanToValue: string; orders: readonly Order[] };
  }>(`{ loan: obligation(address: "${obligation}") { loanToValue ${ORDERS} } }`, { headers: actor.headers });
  expect(errors).toEqual([]);
  return data.loan;
}

describe('an order of an obligation', () => {
  it('is set as previewed, and says what triggers it', async () => {
    const { preview } = await send(await set());
    expect(preview.warnings).toEqual([]);
    const { loanToValue, orders } = await read();
    expect(orders).toMatchObject([
      {
        index: 0,
        condition: 'LTV_ABOVE',
        opportunity: 'DELEVERAGE_ALL',
        description:
          'When the loan-to-value is above 60%: sell collateral to repay all debt, for a bonus of 0.5% to 2% to whoever executes it.',
        watched: loanToValue,
        isTriggered: false,
        hindrance: null,
        minBonus: '0.005',
        maxBonus: '0.02',
        amount: null,
      },
    ]);
    const [{ description, triggerPrices, trigger } = expect.fail('no order')] = orders;
    expect(preview.order).toMatchObject({ index: 0, before: null, after: description, isTriggered: false });
    const [price = expect.fail('no price')] = triggerPrices;
    expect(price).toMatchObject({
      reserveAddress: world.localnet.addresses.reserve,
      side: 'BELOW',
      reason: null,
    });
    // The loan-to-value moves against the price of the only collateral.
    const expected = (Number(price.currentUsd) * Number(loanToValue)) / 0.6;
    expect(Number(price.triggerUsd)).toBeCloseTo(expected, 9);
    expect(trigger).toMatch(
      /^Now the loan-to-value is [\d.]+%\. With other prices unchanged, the order triggers when USDC falls below [\d.]+ USD\.$/,
    );
  });

  it('is in the portfolio over REST', async () => {
    const answer = await world.get<
      Record<string, readonly { obligation: Address; orders?: readonly unknown[] }[]>
    >(`/portfolio/${actor.address}`, actor.headers);
    const rows = [answer.lending, answer.multiply, answer.leverage].flatMap((each) => each ?? []);
    const { orders } = await read();
    expect(rows.find((each) => each.obligation === obligation)?.orders).toEqual(
      orders.map(({ index, description, trigger, isTriggered, hindrance, triggerPrices }) => ({
        index,
        description,
        trigger,
        isTriggered,
        hindrance,
        triggerPrices: triggerPrices.map(({ reserveAddress: reserve, ...price }) => ({ reserve, ...price })),
      })),
    );
  });

  it('of the other kind takes the next place, and a third is refused', async () => {
    const takeProfit = { condition: 'PRICE_RATIO_BELOW', threshold: '50', amount: { tokens: '2.5' } };
    const { preview } = await send(await set(takeProfit));
    expect(preview.order).toMatchObject({ index: 1, before: null });
    const { orders } = await read();
    expect(orders[1]).toMatchObject({
      index: 1,
      condition: 'PRICE_RATIO_BELOW',
      opportunity: 'DELEVERAGE_AMOUNT',
      threshold: '50',
      description: expect.stringContaining('sell collateral to repay 2.5 SOL'),
      triggerPrices: [{ side: 'ABOVE', reason: null }],
    });
    expect(await set()).toMatchObject({
      __typename: 'BuildRefused',
      message: expect.stringContaining('name the index of the one to replace'),
    });
  });

  it('replaces the one in its place, with a warning', async () => {
    const before = (await read()).orders[1]?.description;
    const closer = { condition: 'LIQUIDATION_LTV_CLOSER_THAN', threshold: '0.05', index: 1 };
    const { preview } = await send(await set(closer));
    expect(preview.order.before).toBe(before);
    expect(preview.warnings).toMatchObject([{ code: 'ORDER_REPLACED', level: 'INFO' }]);
    const [, second] = (await read()).orders;
    expect(second).toMatchObject({ isTriggered: false, description: preview.order.after });
    expect(second?.trigger).toContain('from liquidation');
  });

  it('says when it is triggered already', async () => {
    const plan = await set({ threshold: '0.02', index: 0 });
    expect(plan.preview.order.isTriggered).toBe(true);
    expect(plan.preview.warnings.map(({ code }) => code)).toEqual(['ORDER_REPLACED', 'ORDER_TRIGGERED_NOW']);
    await send(plan);
    expect((await read()).orders[0]).toMatchObject({
      isTriggered: true,
      trigger: expect.stringMatching(/^The condition holds now: the loan-to-value is [\d.]+%\.$/),
    });
  });

  it('is explained, and cancelled', async () => {
    const explainer = new Explainer(world, actor.signer);
    const plan = await build('Cancel', { index: 0 });
    const explained = await explainer.explain(plan.transactions[0]?.base64 ?? '');
    expect(sentences(explained)).toContain('Cancel order 0 of the obligation');
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [] });
    const { preview } = await send(plan);
    expect(preview.order).toMatchObject({ index: 0, after: null, trigger: null, triggerPrices: [] });
    expect(preview.order.before).toContain('above 2%');
    expect((await read()).orders.map(({ index }) => index)).toEqual([1]);
    const again = await build('Cancel', { index: 0 });
    expect(again.preview.warnings).toMatchObject([{ code: 'ORDER_ABSENT', level: 'WARNING' }]);
    await send(again);
    await send(await build('Cancel', { index: 1 }));
    expect((await read()).orders).toEqual([]);
  });

  it('is part of a plan that borrows', async () => {
    const { addresses } = world.localnet;
    const saver = new PlanActor(world, await world.newWallet({ [addresses.tokenMint]: 5_000n * USDC }));
    const order = {
      setObligationOrder: {
        wallet: saver.address,
        market,
        condition: 'LTV_ABOVE',
        threshold: '0.7',
        amount: ALL,
        minBonusBps: 10,
        maxBonusBps: 100,
      },
    };
    const deposit = saver.lending('Deposit', addresses.reserve, '1000');
    // Without a debt there is nothing to protect.
    expect(await saver.refused([deposit, order])).toMatchObject({ code: 'ORDER_CANNOT_TRIGGER', step: 1 });
    const borrow = saver.lending('Borrow', addresses.depositReserve, '1');
    const plan = await saver.act(deposit, borrow, order);
    expect(plan.steps.map(({ kind }) => kind)).toEqual([
      'LENDING_DEPOSIT',
      'LENDING_BORROW',
      'SET_OBLIGATION_ORDER',
    ]);
  });
});

describe('an order that can never trigger', () => {
  it.each([
    [
      'a loan-to-value above liquidation',
      { threshold: '0.97' },
      /liquidated from a loan-to-value of [\d.]+%/,
    ],
    ['a loan-to-value out of range', { threshold: '1' }, /6124 InvalidOrderConfiguration/],
    [
      'a distance out of range',
      { condition: 'LIQUIDATION_LTV_CLOSER_THAN', threshold: '0.001' },
      /distances to liquidation/,
    ],
    [
      'a ratio above liquidation',
      { condition: 'PRICE_RATIO_ABOVE', threshold: '100000' },
      /a ratio of prices of/,
    ],
    ['no ratio', { condition: 'PRICE_RATIO_BELOW', threshold: '0' }, /ratios of prices from/],
  ])('%s is refused', async (_name, input, message) => {
    expect(await set(input)).toMatchObject({
      __typename: 'OrderCannotTrigger',
      code: 'ORDER_CANNOT_TRIGGER',
      message: expect.stringMatching(message),
    });
  });

  it('in a market without their execution is refused, and a new one without their creation warned of', async () => {
    alterAccount(world, lendingMarket, market, { obligationOrderExecutionEnabled: 0 });
    expect(await set()).toMatchObject({
      code: 'ORDER_CANNOT_TRIGGER',
      message: expect.stringContaining('switched off'),
    });
    alterAccount(world, lendingMarket, market, {
      obligationOrderExecutionEnabled: 1,
      obligationOrderCreationEnabled: 0,
    });
    const plan = await set();
    expect(plan.preview.warnings).toMatchObject([
      { code: 'ACTION_NOT_ALLOWED', message: expect.stringMatching(/6128 OrderCreationDisabled\.$/) },
    ]);
    expect(plan.simulation).toMatchObject({ success: false, error: { code: 6128 } });
    alterAccount(world, lendingMarket, market, { obligationOrderCreationEnabled: 1 });
  });
});

describe('an order of somebody else', () => {
  it('cannot be set or cancelled', async () => {
    const other = new PlanActor(world, await world.newWallet({}));
    const input = { wallet: other.address, obligation: { address: obligation } };
    const refused = { code: 'BUILD_REFUSED', message: expect.stringContaining('belongs to another wallet') };
    expect(await set(input)).toMatchObject(refused);
    expect(await build('Cancel', { ...input, index: 0 })).toMatchObject(refused);
    expect(
      isBuilt(await actor.build([{ cancelObligationOrder: { wallet: actor.address, market, index: 0 } }])),
    ).toBe(true);
  });
});
