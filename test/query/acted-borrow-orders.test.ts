import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, PlanActor } from '../support/apps/plan-actor.ts';
import { Explainer, sentences } from '../support/explain/explainer.ts';

/** Borrow orders on the frozen localnet: placed, listed, explained, changed, filled by somebody else, and cancelled. */

const USDC = 1_000_000n;
const UNTIL = '2099-01-01T00:00:00.000Z';
const HIGH_RATE = 1_000_000;

interface Reserve {
  readonly reserveAddress: Address;
  readonly maxBorrowRateBps: string;
  readonly misfit: string | null;
  readonly fillable: { readonly amount: string } | null;
}

interface Order {
  readonly index: number;
  readonly description: string;
  readonly isExpired: boolean;
  readonly remainingAmount: string;
  readonly obligation: { readonly address: Address };
  readonly reserves: readonly Reserve[];
}

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string; readonly signers: readonly Address[] }[];
  readonly preview: {
    readonly tokens: { readonly before: string; readonly after: string } | null;
    readonly loanToValue: { readonly before: string; readonly after: string } | null;
    readonly borrowOrder: {
      readonly index: number;
      readonly before: string | null;
      readonly after: string | null;
      readonly remaining: { readonly before: string; readonly after: string };
      readonly received: { readonly amount: string } | null;
      readonly reserves: readonly Address[];
    };
    readonly fees: readonly { readonly kind: string; readonly amount: { readonly amount: string } }[];
    readonly warnings: readonly { readonly code: string; readonly level: string; readonly message: string }[];
  };
  readonly simulation: { readonly success: boolean; readonly error: { readonly code: number } | null };
}

const ORDER = `index description isExpired remainingAmount obligation { address }
  reserves { reserveAddress maxBorrowRateBps misfit fillable { amount } }`;

let world: ActingApp;
let owner: PlanActor;
let filler: PlanActor;
let market: Address;
let reserve: Address;
let mint: Address;
let obligation: Address;

beforeAll(async () => {
  world = await startActingApp({ recorder: true });
  const { addresses } = world.localnet;
  ({ market, reserve, tokenMint: mint } = addresses);
  owner = new PlanActor(world, await world.newWallet({ [addresses.tokenMint]: 500n * USDC }));
  filler = new PlanActor(world, await world.newWallet({}));
  await owner.act(owner.lending('Deposit', addresses.depositReserve, '10'));
  const { data } = await world.gateway.query<{
    wallet: { obligations: { nodes: readonly { address: Address }[] } };
  }>(`{ wallet(address: "${owner.address}") { obligations(first: 5) { nodes { address } } } }`, {
    headers: owner.headers,
  });
  obligation = data.wallet.obligations.nodes[0]?.address ?? expect.fail('no obligation');
});
afterAll(() => world?.stop());

async function build(actor: PlanActor, kind: 'Set' | 'Cancel' | 'Fill', input: object): Promise<Plan> {
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(
    `mutation ($input: ${kind}BorrowOrderInput!) { plan: build${kind}BorrowOrder(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 signers }
        preview {
          tokens { before after } loanToValue { before after }
          borrowOrder { index before after remaining { before after } received { amount } reserves }
          fees { kind amount { amount } }
          warnings { code level message }
        }
        simulation { success error { code } }
      }
    } }`,
    { variables: { input: { wallet: actor.address, ...input } }, headers: owner.headers },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

const set = (input: object = {}) =>
  build(owner, 'Set', {
    market,
    mint,
    amount: { tokens: '100' },
    maxBorrowRateBps: HIGH_RATE,
    fillableUntil: UNTIL,
    ...input,
  });

const fill = (index: number, from = reserve) => build(filler, 'Fill', { obligation, index, reserve: from });

async function send(plan: Plan, actor = owner): Promise<Plan> {
  expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
  const { headers } = await world.send('RPC', plan.transactions[0]?.base64 ?? '', actor.signer);
  owner.headers = headers;
  filler.headers = headers;
  return plan;
}

async function read(): Promise<{ own: readonly Order[]; listed: readonly Order[] }> {
  const { data, errors } = await world.gateway.query<{
    obligation: { borrowOrders: readonly Order[] };
    market: { borrowOrders: { nodes: readonly Order[] } };
  }>(
    `query ($obligation: Address!, $market: Address!, $mint: Address!) {
      obligation(address: $obligation) { borrowOrders { ${ORDER} } }
      market(address: $market) { borrowOrders(mint: $mint, first: 50) { nodes { ${ORDER} } } }
    }`,
    { variables: { obligation, market, mint }, headers: owner.headers },
  );
  expect(errors).toEqual([]);
  const listed = data.market.borrowOrders.nodes.filter((each) => each.obligation.address === obligation);
  return { own: data.obligation.borrowOrders, listed };
}

/** Type and amount of each fill, from both APIs. */
/** The gateway asks the chain for newer transactions at most every 0.4 s. */
const READ_AGAIN = { timeout: 30_000, interval: 200 };

async function fills(): Promise<readonly [type: string, amount: bigint][]> {
  const path = `/v2/svc-market/obligations/${obligation}/borrow-order-fills`;
  const { fills: listed } = await world.get<{
    fills: readonly { eventType: string; debtLiquidityMint: Address; filledAmount: string }[];
  }>(path, owner.headers);
  const { data, errors } = await world.gateway.query<{
    obligation: {
      borrowOrderFills: readonly { isFull: boolean; transaction: { liquidity: { baseUnits: string } } }[];
    };
  }>(
    `{ obligation(address: "${obligation}") {
      borrowOrderFills { isFull transaction { liquidity { baseUnits } } } } }`,
    { headers: owner.headers },
  );
  expect(errors).toEqual([]);
  expect(listed.map(({ debtLiquidityMint }) => debtLiquidityMint)).toEqual(listed.map(() => mint));
  expect(listed.map(({ eventType, filledAmount }) => [eventType, filledAmount])).toEqual(
    data.obligation.borrowOrderFills.map(({ isFull, transaction }) => [
      isFull ? 'full_fill' : 'partial_fill',
      transaction.liquidity.baseUnits,
    ]),
  );
  return listed.map(({ eventType, filledAmount }) => [eventType, BigInt(filledAmount)]);
}

const held = () => {
  const { address } = associatedTokenAddress(owner.address, TOKEN_PROGRAM, mint);
  return decodeTokenAccount(accountIn(world.localnet.chain, address)).amount;
};

describe('a borrow order', () => {
  it('is placed as previewed, and listed for those who fill it', async () => {
    const { preview } = await send(await set());
    expect(preview.warnings).toEqual([]);
    const { own, listed } = await read();
    expect(listed).toEqual(own);
    const [order = expect.fail('no order'), ...others] = own;
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      index: 0,
      isExpired: false,
      remainingAmount: '100000000',
      description:
        'Borrow up to 100 USDC at 10000% a year or less, without an end of the term, until 1 January 2099 at 00:00 UTC.',
    });
    expect(preview.borrowOrder).toMatchObject({
      index: 0,
      before: null,
      after: order.description,
      remaining: { before: '0', after: '100' },
      received: null,
    });
    const fitting = order.reserves.filter(({ misfit }) => misfit === null);
    expect(fitting.map(({ reserveAddress }) => reserveAddress)).toEqual(preview.borrowOrder.reserves);
    expect(fitting.find(({ reserveAddress }) => reserveAddress === reserve)?.fillable?.amount).toBe('100');
  });

  it('is in the portfolio and in the list over REST', async () => {
    const { own } = await read();
    const [{ description, reserves } = expect.fail('no order')] = own;
    const list = await world.get<{ orders: readonly { obligation: Address; description: string }[] }>(
      `/markets/${market}/borrow-orders?mint=${mint}`,
      owner.headers,
    );
    expect(list.orders.find((each) => each.obligation === obligation)).toMatchObject({
      owner: owner.address,
      index: 0,
      remainingDebtAmount: '100000000',
      description,
      reserves: reserves.map(({ reserveAddress, misfit, fillable }) => ({
        reserve: reserveAddress,
        misfit,
        fillableAmount: fillable?.amount,
      })),
    });
    const other = await world.get<{ orders: readonly object[] }>(
      `/markets/${market}/borrow-orders?mint=${world.localnet.addresses.stakedMint}`,
      owner.headers,
    );
    expect(other.orders).toEqual([]);
    const portfolio = await world.get<{
      lending: readonly { obligation: Address; borrowOrders?: object[] }[];
    }>(`/portfolio/${owner.address}`, owner.headers);
    const row = portfolio.lending.find((each) => each.obligation === obligation);
    expect(row?.borrowOrders).toMatchObject([{ index: 0, description }]);
  });

  it('is explained', async () => {
    const explainer = new Explainer(world, owner.signer);
    const plan = await set({ index: 0, maxBorrowRateBps: 725, minTermSeconds: '172800' });
    const explained = await explainer.explain(plan.transactions[0]?.base64 ?? '');
    expect(sentences(explained)).toContain(
      'Set borrow order 0 of the obligation: borrow up to 100 USDC at 7.25% a year or less, for at least 2 days',
    );
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [] });
  });

  it('warns when no reserve meets its terms, and is changed', async () => {
    const plan = await set({ index: 0, amount: { tokens: '120' }, maxBorrowRateBps: 1 });
    expect(plan.preview.warnings).toMatchObject([
      { code: 'ORDER_REPLACED', level: 'INFO' },
      { code: 'BORROW_ORDER_UNFILLABLE', message: expect.stringContaining('the lowest maximum') },
    ]);
    expect(plan.preview.borrowOrder).toMatchObject({
      remaining: { before: '100', after: '120' },
      reserves: [],
    });
    await send(plan);
    const [order] = (await read()).own;
    expect(order?.reserves.every(({ misfit }) => misfit === 'RATE_TOO_HIGH')).toBe(true);
    expect(order?.reserves.map(({ fillable }) => fillable?.amount)).toEqual(order?.reserves.map(() => '0'));
    const refused = await fill(0);
    expect(refused.preview.warnings).toMatchObject([
      {
        code: 'ACTION_NOT_ALLOWED',
        message: expect.stringMatching(/6136 BorrowOrderMaxBorrowRateExceeded\.$/),
      },
    ]);
    expect(refused.simulation).toMatchObject({ success: false, error: { code: 6136 } });
    await send(await set({ index: 0, amount: { tokens: '120' } }));
  });

  it('is filled by somebody else, and the owner receives the tokens', async () => {
    const before = held();
    const plan = await fill(0);
    expect(plan.transactions[0]?.signers).toEqual([filler.address]);
    const { preview } = await send(plan, filler);
    expect(preview.warnings.filter(({ level }) => level !== 'INFO')).toEqual([]);
    expect(preview.borrowOrder).toMatchObject({
      index: 0,
      after: null,
      remaining: { before: '120', after: '0' },
      received: { amount: '120' },
      reserves: [reserve],
    });
    expect(held() - before).toBe(120n * USDC);
    expect(preview.loanToValue?.before).toBe('0');
    expect(Number(preview.loanToValue?.after)).toBeGreaterThan(0);
    const fee = Number(preview.fees[0]?.amount.amount ?? 0);
    expect(Number(preview.tokens?.after)).toBeCloseTo(120 + fee, 6);
    expect(await read()).toEqual({ own: [], listed: [] });
    await expect.poll(fills, READ_AGAIN).toEqual([['full_fill', 120n * USDC]]);
    expect(await fill(0)).toMatchObject({
      code: 'BUILD_REFUSED',
      message: expect.stringContaining('6135 BorrowOrderDebtLiquidityMintMismatch'),
    });
  });

  it('is filled in part when the collateral covers no more', async () => {
    await send(await set({ amount: { tokens: '1000000' }, index: 2 }));
    const before = held();
    const plan = await send(await fill(2), filler);
    expect(plan.preview.warnings.map(({ code }) => code)).toContain('FILLED_IN_PART');
    const received = Number(plan.preview.borrowOrder.received?.amount);
    expect(Number(held() - before)).toBe(Math.round(received * 1_000_000));
    const [order] = (await read()).own;
    await expect.poll(fills, READ_AGAIN).toEqual([['partial_fill', held() - before]]);
    expect(order).toMatchObject({ index: 2, remainingAmount: String(1_000_000n * USDC - (held() - before)) });
    expect(
      Number(order?.reserves.find((each) => each.reserveAddress === reserve)?.fillable?.amount),
    ).toBeLessThan(2);
  });

  it('is cancelled', async () => {
    const { preview } = await send(await build(owner, 'Cancel', { market, index: 2 }));
    expect(preview.borrowOrder).toMatchObject({ index: 2, after: null, reserves: [] });
    expect((await read()).own).toEqual([]);
    await expect.poll(fills, READ_AGAIN).toEqual([]);
    expect(await build(owner, 'Cancel', { market, index: 2 })).toMatchObject({
      code: 'BUILD_REFUSED',
      message: expect.stringContaining('no borrow order 2'),
    });
  });
});

describe('a borrow order that the program would refuse', () => {
  it.each([
    ['a fourth one', { index: 3 }, /6123 OrderIndexOutOfBounds/],
    ['no rate', { maxBorrowRateBps: 0 }, /6124 InvalidOrderConfiguration/],
    ['a time in the past', { fillableUntil: '2020-01-01T00:00:00Z' }, /6124 InvalidOrderConfiguration/],
    ['all there is', { amount: { all: 'ALL' } }, /needs an amount/],
  ])('%s is not built', async (_name, input, message) => {
    expect(await set(input)).toMatchObject({
      code: 'BUILD_REFUSED',
      message: expect.stringMatching(message),
    });
  });

  it('is warned of when the market or the amount is the reason', async () => {
    const tiny = await set({ amount: { tokens: '0.5' } });
    expect(tiny.preview.warnings).toMatchObject([
      { code: 'AMOUNT_BELOW_MINIMUM', message: expect.stringMatching(/6153 BorrowOrderValueTooSmall\.$/) },
    ]);
    expect(tiny.simulation).toMatchObject({ success: false, error: { code: 6153 } });
    alterAccount(world, lendingMarket, market, { borrowOrderCreationEnabled: 0 });
    const plan = await set();
    expect(plan.preview.warnings).toMatchObject([
      { code: 'ACTION_NOT_ALLOWED', message: expect.stringMatching(/6128 OrderCreationDisabled\.$/) },
    ]);
    expect(plan.simulation).toMatchObject({ success: false, error: { code: 6128 } });
    alterAccount(world, lendingMarket, market, { borrowOrderCreationEnabled: 1 });
  });

  it('of somebody else cannot be set or cancelled', async () => {
    const input = { wallet: filler.address, market, obligation: { address: obligation } };
    const refused = { code: 'BUILD_REFUSED', message: expect.stringContaining('belongs to another wallet') };
    expect(await set(input)).toMatchObject(refused);
    expect(await build(filler, 'Cancel', { ...input, index: 0 })).toMatchObject(refused);
  });
});
