import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { decodeTokenAccount, TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, type Landed, startActingApp } from '../support/apps/acting-app.ts';
import { type BuiltPlan, FIGURES, isBuilt, PlanActor, type PlanFigures } from '../support/apps/plan-actor.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';

/**
 * Liquidations on the frozen localnet: a price falls, the gateway builds, the liquidator signs and sends. What the
 * preview says is compared with what the programs did, to the base unit.
 */

const { klend } = MAINNET_PROGRAMS;
const BUILD = `mutation ($input: LiquidateInput!) { plan: buildLiquidate(input: $input) {
  __typename
  ... on BuildError { code message step }
  ... on TransactionPlan {
    transactions { base64 steps } steps { kind preview { ${FIGURES} } } preview { ${FIGURES} }
    simulation { success logs error { name } }
  }
} }`;

let world: ActingApp;
let keeper: PlanActor;
interface Named {
  readonly address: Address;
  readonly mint: Address;
}
let sol: Named;
let collateral: Named;
let debt: Named;
/** USD per SOL before the tests move it. */
let price: number;

beforeAll(async () => {
  world = await startActingApp();
  const { chain: localChain, addresses } = world.localnet;
  const market = localChain.world.markets.find(({ address }) => address === addresses.market);
  const reserveOf = (symbol: string) => {
    const { address, token } =
      market?.reserves.find((each) => each.token.symbol === symbol) ?? expect.fail(`no ${symbol}`);
    return { address, mint: token.mint.address };
  };
  [collateral, debt] = [reserveOf('jitoSOL'), reserveOf('USDC')];
  sol = reserveOf('SOL');
  price = Number(await priceOf(sol.mint));
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await setSol(1);
  keeper = new PlanActor(world, await world.newWallet({ [debt.mint]: 100_000_000_000n }));
});

async function priceOf(mint: Address): Promise<string> {
  const { data } = await world.gateway.query<{ token: { price: { usd: string } } }>(
    `{ token(mint: "${mint}") { price { usd } } }`,
    { headers: { 'x-min-slot': String(world.localnet.chain.slot) } },
  );
  return data.token.price.usd;
}

async function setSol(part: number): Promise<void> {
  await world.call('localnet_setPrice', ['SOL', (price * part).toFixed(6)]);
}

/** An obligation that owes as much USDC as it may against 20 jitoSOL. */
async function borrower(): Promise<{ readonly obligation: Address; readonly owner: PlanActor }> {
  const signer = await world.newWallet({ [collateral.mint]: 20_000_000_000n });
  const actor = new PlanActor(world, signer);
  const { market } = world.localnet.addresses;
  const { landed } = await actor.act(actor.lending('Deposit', collateral.address, '20'));
  const address = obligationAddress(klend, signer.address, market, VANILLA_OBLIGATION).address;
  const { data } = await world.gateway.query<{ obligation: { stats: { borrowLimitUsd: string } } }>(
    `{ obligation(address: "${address}") { stats { borrowLimitUsd } } }`,
    { headers: landed.at(-1)?.headers ?? {} },
  );
  const most = Number(data.obligation.stats.borrowLimitUsd);
  await actor.act(actor.lending('Borrow', debt.address, (most * 0.99).toFixed(6)));
  return { obligation: address, owner: actor };
}

const input = (obligation: Address, tokens: string | null, more: object = {}) => ({
  wallet: keeper.address,
  obligation,
  repayReserve: debt.address,
  withdrawReserve: collateral.address,
  amount: tokens === null ? { all: 'ALL' } : { tokens },
  ...more,
});

async function build(given: object): Promise<BuiltPlan> {
  const { data, errors } = await world.gateway.query<{ plan: BuiltPlan }>(BUILD, {
    variables: { input: given },
    headers: keeper.headers,
  });
  expect(errors).toEqual([]);
  return data.plan;
}

/** Tokens that a transaction moved, from token accounts: of the keeper, and of the vault for the protocol's fees. */
async function movements(run: () => Promise<unknown>) {
  const { chain: localChain } = world.localnet;
  const { liquidity } = reserveLayout.decode(accountIn(localChain, collateral.address), klend);
  const read = async () => ({
    paid: await keeper.tokens(debt.mint),
    received: await keeper.tokens(collateral.mint),
    fee: decodeTokenAccount({ address: liquidity.feeVault, ...accountIn(localChain, liquidity.feeVault) })
      .amount,
  });
  const before = await read();
  await run();
  const after = await read();
  return {
    paid: before.paid - after.paid,
    received: after.received - before.received,
    fee: after.fee - before.fee,
  };
}

function promised({ liquidation }: PlanFigures) {
  if (liquidation === null) return expect.fail('no figures of a liquidation');
  const { repaid, received, protocolFee } = liquidation;
  return {
    paid: BigInt(repaid.baseUnits),
    received: BigInt(received.baseUnits),
    fee: BigInt(protocolFee.baseUnits),
  };
}

const whole = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

describe.each(['GraphQL', 'REST'] as const)('a liquidation over %s', (api) => {
  it.each([
    ['all that the program allows', null],
    ['a part', '12.345678'],
  ])('of %s does what the preview says', async (_, tokens) => {
    const { obligation } = await borrower();
    await setSol(0.8);
    const { preview, transactions, simulation } = await build(input(obligation, tokens));
    expect(simulation.success, simulation.logs.join('\n')).toBe(true);
    const body = {
      ...input(obligation, null),
      amount: tokens ?? '18446744073709551615',
    };
    const base64 =
      api === 'GraphQL'
        ? transactions[0]?.base64
        : (await world.post<{ transaction: string }>('/ktx/klend/liquidate', body)).transaction;
    let after: Landed['after'] | undefined;
    const moved = await movements(async () => {
      ({ after } = await world.send(api, base64 ?? '', keeper.signer));
    });
    expect(moved).toEqual(promised(preview));
    expect(moved.paid).toBeGreaterThan(0n);
    expect(moved.fee).toBeGreaterThan(0n);
    if (tokens !== null) expect(moved.paid).toBe(12_345_678n);
    if (after === undefined) return expect.fail('nothing was sent');
    expect(preview.liquidation?.debt.after).toBe(whole(debtUnits(after, obligation, debt.address), 6));
    expect(preview.liquidation?.collateral.after).toBe(
      whole(depositUnits(after, obligation, collateral.address), 9),
    );
    expect(Number(preview.healthFactor?.after)).toBeGreaterThan(Number(preview.healthFactor?.before));
  });
});

describe('the figures of a liquidation', () => {
  it('give the bonus that the collateral was seized with, and the profit', async () => {
    const { obligation } = await borrower();
    await setSol(0.8);
    const { preview } = await build(input(obligation, '100'));
    const figures = preview.liquidation ?? expect.fail('no figures');
    const units = (amount: { readonly baseUnits: string }, decimals: number) =>
      Number(amount.baseUnits) / 10 ** decimals;
    const seized = units(figures.received, 9) + units(figures.protocolFee, 9);
    const [jito, usdc] = [Number(await priceOf(collateral.mint)), Number(await priceOf(debt.mint))];
    const repaid = units(figures.repaid, 6);
    expect((seized * jito) / (repaid * usdc)).toBeCloseTo(1 + Number(figures.bonus), 6);
    expect(units(figures.received, 9) * jito - repaid * usdc).toBeCloseTo(Number(figures.profitUsd), 4);
    expect(parseDecimal(figures.bonus).n).toBeGreaterThan(0n);
  });
});

describe('a liquidation of a debt in SOL', () => {
  it('wraps what it repays, unwraps the rest, and pays out the collateral', async () => {
    const { chain: localChain, addresses } = world.localnet;
    const usdc = debt;
    const owner = new PlanActor(world, await world.newWallet({ [usdc.mint]: 10_000_000_000n }));
    const most = (5_000 * 0.7) / price;
    await owner.act(
      owner.lending('Deposit', usdc.address, '5000'),
      owner.lending('Borrow', sol.address, most.toFixed(6)),
    );
    const key = [klend, owner.address, addresses.market, VANILLA_OBLIGATION] as const;
    const obligation = obligationAddress(...key).address;
    await setSol(1.3);
    const sides = { repayReserve: sol.address, withdrawReserve: usdc.address };
    const { preview, transactions } = await build(input(obligation, null, sides));
    const { paid, received } = promised(preview);
    const lamports = () => accountIn(localChain, keeper.address).lamports;
    const before = { lamports: lamports(), usdc: await keeper.tokens(usdc.mint) };
    const { after } = await world.send('RPC', transactions[0]?.base64 ?? '', keeper.signer);
    expect((await keeper.tokens(usdc.mint)) - before.usdc).toBe(received);
    // Besides the debt, the fee of one signature and the rent of the account for collateral tokens.
    expect(before.lamports - lamports()).toBe(paid + 5_000n + rentExemptLamports(TOKEN_ACCOUNT_BYTES));
    expect(await keeper.tokens(sol.mint)).toBe(0n);
    expect(preview.liquidation?.debt.after).toBe(whole(debtUnits(after, obligation, sol.address), 9));
  });
});

describe('a liquidation in a plan', () => {
  it('leaves the tokens and the obligation to the steps after it, as the program does', async () => {
    const { obligation } = await borrower();
    await setSol(0.8);
    const first = { liquidate: input(obligation, '500') };
    const supply = keeper.lending('Deposit', collateral.address, null);
    const second = { liquidate: input(obligation, null) };
    const plan = await keeper.build([first, supply, second]);
    if (!isBuilt(plan)) return expect.fail(`${plan.code} at ${plan.step}: ${plan.message}`);
    // One slot, so that no interest comes between the steps.
    expect(plan.transactions).toHaveLength(1);
    const [one, deposit, two] = plan.steps.map(({ preview }) => preview);
    if (!one || !deposit || !two) return expect.fail('three steps');
    expect(two.liquidation?.debt.before).toBe(one.liquidation?.debt.after);
    // The deposit between them has rounded the price of collateral by a trifle.
    expect(Number(two.liquidation?.collateral.before)).toBeCloseTo(
      Number(one.liquidation?.collateral.after),
      9,
    );
    const moved = await movements(() => keeper.send(plan));
    const [a, b] = [promised(one), promised(two)];
    expect({ paid: moved.paid, fee: moved.fee }).toEqual({ paid: a.paid + b.paid, fee: a.fee + b.fee });
    // The first collateral was deposited, but for what the reserve leaves to rounding.
    expect(moved.received - b.received).toBeGreaterThanOrEqual(0n);
    expect(moved.received - b.received).toBeLessThanOrEqual(2n);
    const deposited = a.received - (moved.received - b.received);
    expect(deposit.tokens?.before).toBe('0');
    expect(Number(deposit.tokens?.after)).toBeCloseTo(Number(deposited) / 1e9, 7);
  });

  it('changes what the liquidated deposit has earned in its farm', async () => {
    const { obligation, owner } = await borrower();
    await owner.wait(30 * 86_400);
    await setSol(0.8);
    const { farmCollateral } = reserveLayout.decode(
      accountIn(world.localnet.chain, collateral.address),
      klend,
    );
    const before = await owner.tokens(debt.mint);
    // Owners may liquidate themselves, and the farm pays in the token that they owe.
    const own = { ...input(obligation, '300'), wallet: owner.address };
    const { steps } = await owner.act({ liquidate: own }, owner.claim(farmCollateral));
    const [liquidated, claimed] = steps.map(({ preview }) => preview);
    const rewards = claimed?.rewards.map(({ amount }) => BigInt(amount.baseUnits)) ?? [];
    expect(rewards).toHaveLength(1);
    const repaid = BigInt(liquidated?.liquidation?.repaid.baseUnits ?? 0);
    expect((await owner.tokens(debt.mint)) - before).toBe((rewards[0] ?? 0n) - repaid);
  });

  it('that cannot work is refused at its step', async () => {
    const { obligation } = await borrower();
    // Healthy at this price.
    const healthy = await keeper.refused([
      keeper.lending('Deposit', debt.address, '1'),
      { liquidate: input(obligation, null) },
    ]);
    expect(healthy).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
    expect(healthy.message).toContain('NOT_LIQUIDATABLE');
    await setSol(0.8);
    // The step before has spent what it would repay.
    const spent = await keeper.refused([
      {
        vaultDeposit: {
          wallet: keeper.address,
          vault: world.localnet.addresses.vault,
          amount: { tokens: '100000' },
        },
      },
      { liquidate: input(obligation, '10') },
    ]);
    expect(spent).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
    expect(spent.message).toContain('BALANCE_TOO_LOW');
  });
});
