import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ActingApp, type Landed, startActingApp } from '../support/apps/acting-app.ts';
import { debtUnits, depositUnits, ratiosOf } from '../support/lending/position-units.ts';

/**
 * Plans on the localnet: built, simulated, signed, sent and read back. The chain is frozen, so the first transaction
 * runs in the slot of its preview, and its effect is compared to the last digit.
 */

const USDC = 1_000_000n;
const CHANGE = '{ before after }';
const FIGURES = `healthFactor ${CHANGE} loanToValue ${CHANGE} tokens ${CHANGE} shares ${CHANGE} warnings { code level }`;
const BUILD = `mutation ($actions: [BuildAction!]!, $options: BuildOptions) { plan: buildPlan(actions: $actions, options: $options) {
  __typename
  ... on BuildError { code message step }
  ... on TransactionPlan {
    transactions { base64 sizeBytes steps setupOnly splitReason }
    bundle { instructions { summary } }
    steps { kind summary transaction preview { ${FIGURES} } warnings { code } }
    preview { ${FIGURES} }
    warnings { code level }
    simulation { success unitsConsumed stepUnits { step unitsConsumed } logs error { name } }
  }
} }`;

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

interface Figures {
  readonly healthFactor: Change | null;
  readonly loanToValue: Change | null;
  readonly tokens: Change | null;
  readonly shares: Change | null;
  readonly warnings: readonly { readonly code: string; readonly level: string }[];
}

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly step?: number | null;
  readonly transactions: readonly {
    readonly base64: string;
    readonly sizeBytes: number;
    readonly steps: readonly number[];
    readonly setupOnly: boolean;
    readonly splitReason: string | null;
  }[];
  readonly bundle: { readonly instructions: readonly { readonly summary: string }[] };
  readonly steps: readonly {
    readonly kind: string;
    readonly summary: string;
    readonly transaction: number;
    readonly preview: Figures;
    readonly warnings: readonly { readonly code: string }[];
  }[];
  readonly preview: Figures;
  readonly warnings: readonly { readonly code: string; readonly level: string }[];
  readonly simulation: {
    readonly success: boolean;
    readonly unitsConsumed: number;
    readonly stepUnits: readonly { readonly step: number; readonly unitsConsumed: number }[];
    readonly logs: readonly string[];
    readonly error: { readonly name: string } | null;
  };
}

let world: ActingApp;
let addresses: ActingApp['localnet']['addresses'];
let signer: KeyPairSigner;
let headers: Readonly<Record<string, string>>;
/** Of the market: the gateway does not know it, because no catalogue is configured. */
let lookupTables: readonly Address[];

beforeAll(async () => {
  world = await startActingApp();
  addresses = world.localnet.addresses;
  const { markets } = world.localnet.catalogue as {
    markets: readonly { readonly lendingMarket: Address; readonly lookupTable: Address }[];
  };
  lookupTables = markets
    .filter(({ lendingMarket }) => lendingMarket === addresses.market)
    .map(({ lookupTable }) => lookupTable);
});
afterAll(() => world?.stop());
beforeEach(async () => {
  signer = await world.newWallet({ [addresses.tokenMint]: 10_000n * USDC });
  headers = {};
});

const lending = (
  kind: 'Deposit' | 'Borrow' | 'Repay' | 'Withdraw',
  reserve: Address,
  tokens: string | null,
) => ({
  [`lending${kind}`]: {
    wallet: signer.address,
    market: addresses.market,
    reserve,
    amount: tokens === null ? { all: 'ALL' } : { tokens },
  },
});
const vault = (kind: 'Deposit' | 'Withdraw', amount: object) => ({
  [`vault${kind}`]: { wallet: signer.address, vault: addresses.vault, amount },
});
const supply = (tokens: string | null = '500.000003') => lending('Deposit', addresses.reserve, tokens);
const borrow = (tokens: string | null = '0.5') => lending('Borrow', addresses.depositReserve, tokens);
const repay = (tokens: string | null) => lending('Repay', addresses.depositReserve, tokens);
const withdraw = (tokens: string | null) => lending('Withdraw', addresses.reserve, tokens);

async function build(actions: readonly object[], options?: object): Promise<Plan> {
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(BUILD, {
    variables: { actions, options: { lookupTables, ...options } },
    headers,
  });
  expect(errors).toEqual([]);
  return data.plan;
}

/** A plan that works, whose transactions are sent in order. */
async function act(actions: readonly object[], options?: object): Promise<{ plan: Plan; landed: Landed[] }> {
  const plan = await build(actions, options);
  expect(plan.__typename, plan.message).toBe('TransactionPlan');
  expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
  const landed: Landed[] = [];
  for (const { base64 } of plan.transactions) landed.push(await world.send('RPC', base64, signer));
  headers = landed.at(-1)?.headers ?? {};
  return { plan, landed };
}

const obligation = () =>
  obligationAddress(MAINNET_PROGRAMS.klend, signer.address, addresses.market, VANILLA_OBLIGATION).address;
const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));
const count = (plan: Plan, summary: string) =>
  plan.bundle.instructions.filter((each) => each.summary.startsWith(summary)).length;
const lastOf = (landed: readonly Landed[]) => landed.at(-1) ?? expect.fail('nothing was sent');

/** The chain computes ratios from prices with 60 bits, the preview exactly. */
function expectRatio(text: string | null | undefined, ratio: Rational | null): void {
  if (ratio === null) {
    expect(text).toBeNull();
    return;
  }
  const found = parseDecimal(text ?? expect.fail('no ratio'));
  expect(
    found
      .sub(ratio)
      .abs()
      .compare(Rational.of(1n, 10n ** 14n)),
  ).toBe(-1);
}

describe('a plan in one transaction', () => {
  it('deposits into a new obligation and borrows against it', async () => {
    const { plan, landed } = await act([supply(), borrow()]);
    const { after } = lastOf(landed);
    expect(plan.transactions).toMatchObject([{ steps: [0, 1], setupOnly: false, splitReason: null }]);
    expect(plan.steps.map(({ kind, transaction }) => [kind, transaction])).toEqual([
      ['LENDING_DEPOSIT', 0],
      ['LENDING_BORROW', 0],
    ]);
    expect(plan.steps[1]?.summary).toBe('Borrow 0.5 SOL');
    const [deposited, borrowed] = plan.steps;
    expect(deposited?.preview.tokens?.after).toBe(
      published(depositUnits(after, obligation(), addresses.reserve), 6),
    );
    expect(borrowed?.preview.tokens).toEqual({
      before: '0',
      after: published(debtUnits(after, obligation(), addresses.depositReserve), 9),
    });
    const { loanToValue, healthFactor } = ratiosOf(after, obligation());
    expectRatio(plan.preview.loanToValue?.after, loanToValue);
    expectRatio(plan.preview.healthFactor?.after, healthFactor);
    expect(plan.preview.healthFactor).toEqual({
      before: deposited?.preview.healthFactor?.before,
      after: borrowed?.preview.healthFactor?.after,
    });
    // The steps act on two positions, so the whole has no figure for them.
    expect(plan.preview.tokens).toBeNull();
    expect(world.localnet.chain.account(obligation())?.data).toEqual(after.get(obligation())?.data);
  });

  it('creates accounts once and refreshes a reserve again only after it has changed', async () => {
    const plan = await build([supply(), supply('1'), borrow()]);
    expect(plan.transactions).toHaveLength(1);
    expect(count(plan, 'Create the obligation')).toBe(1);
    expect(count(plan, 'Register the wallet')).toBe(1);
    // One for the deposits, one for the borrow.
    expect(count(plan, "Create the wallet's account")).toBe(2);
    // USDC before each deposit and, stale after the second, before the borrow; SOL once.
    expect(count(plan, 'Refresh interest')).toBe(4);
    expect(count(plan, 'Refresh values')).toBe(3);
    const untouched = await build([supply(), borrow('0.1'), borrow('0.1')]);
    // USDC is fresh in the third step.
    expect(count(untouched, 'Refresh interest')).toBe(4);
  });

  it('repays and withdraws everything, which closes the obligation', async () => {
    await act([supply(), borrow()]);
    const { plan } = await act([repay(null), withdraw(null)]);
    expect(plan.transactions).toHaveLength(1);
    expect(plan.steps.map(({ preview }) => preview.tokens?.after)).toEqual(['0', '0']);
    expect(world.localnet.chain.account(obligation())).toBeUndefined();
    // One base unit is lost to the rounding of the collateral.
    expect(await world.tokens(signer.address, addresses.tokenMint)).toBeGreaterThanOrEqual(
      10_000n * USDC - 2n,
    );
  });

  it('closes an obligation and opens it again', async () => {
    await act([supply()]);
    const { plan, landed } = await act([withdraw(null), supply('7')]);
    expect(count(plan, 'Create the obligation')).toBe(1);
    expect(plan.preview.tokens?.after).toBe(
      published(depositUnits(lastOf(landed).after, obligation(), addresses.reserve), 6),
    );
  });

  it('deposits the tokens that a vault pays out', async () => {
    await act([vault('Deposit', { tokens: '9999' })]);
    // The wallet has 1 USDC besides, so the deposit depends on the withdrawal before it.
    const { plan, landed } = await act([vault('Withdraw', { tokens: '600' }), supply()]);
    const { after } = lastOf(landed);
    expect(plan.steps[1]?.preview.tokens?.after).toBe(
      published(depositUnits(after, obligation(), addresses.reserve), 6),
    );
    const { data } = await world.gateway.query<{ vault: { position: { totalShares: string } } }>(
      `{ vault(address: "${addresses.vault}") { position(wallet: "${signer.address}") { totalShares } } }`,
      { headers },
    );
    expect(data.vault.position.totalShares).toBe(plan.preview.shares?.after);
  });

  it('stakes and unstakes the shares of the same plan', async () => {
    const { plan, landed } = await act([
      vault('Deposit', { tokens: '100' }),
      vault('Withdraw', { all: 'ALL' }),
    ]);
    expect(landed).toHaveLength(1);
    expect(plan.preview.shares).toEqual({ before: '0', after: '0' });
  });

  it('divides the units of the simulation among the steps', async () => {
    const { simulation } = await build([supply(), borrow()]);
    expect(simulation.stepUnits.map(({ step }) => step)).toEqual([0, 1]);
    const [first, second] = simulation.stepUnits.map(({ unitsConsumed }) => unitsConsumed);
    expect(first).toBeGreaterThan(20_000);
    expect(second).toBeGreaterThan(20_000);
    const sum = (first ?? 0) + (second ?? 0);
    expect(sum).toBeLessThanOrEqual(simulation.unitsConsumed);
    expect(sum).toBeGreaterThan(simulation.unitsConsumed - 2_000);
  });
});

describe('a plan in several transactions', () => {
  it('is split between steps and works when it is sent in order', async () => {
    const sixActions = [
      vault('Deposit', { tokens: '1000' }),
      supply(),
      borrow(),
      vault('Withdraw', { all: 'ALL' }),
      repay(null),
      withdraw(null),
    ];
    const { plan, landed } = await act(sixActions, { lookupTables: [] });
    expect(landed.length).toBeGreaterThan(1);
    const [first, ...others] = plan.transactions;
    expect(first?.splitReason).toBeNull();
    for (const { splitReason, sizeBytes } of others) {
      expect(['SIZE', 'ACCOUNTS']).toContain(splitReason);
      expect(sizeBytes).toBeLessThanOrEqual(1232);
    }
    expect(plan.transactions.flatMap(({ steps }) => steps)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(plan.simulation.stepUnits.map(({ step }) => step)).toEqual(first?.steps);
    expect(world.localnet.chain.account(obligation())).toBeUndefined();
    expect(await world.tokens(signer.address, addresses.tokenMint)).toBeGreaterThan(9_999n * USDC);
  });
});

describe('a plan that cannot work', () => {
  const refused = async (actions: readonly object[], options?: object) => {
    const { __typename, code, message, step } = await build(actions, options);
    return { __typename, code, message, step };
  };

  it('names the step whose collateral is too low, and with strict off warns of what the program refuses', async () => {
    const actions = [supply('10'), borrow('0.01'), borrow('50')];
    const refusal = await refused(actions);
    expect(refusal).toMatchObject({ __typename: 'BuildRefused', code: 'BUILD_REFUSED', step: 2 });
    expect(refusal.message).toMatch(/^Step 2, counted from 0: .*COLLATERAL_TOO_LOW/);
    const forced = await build(actions, { strict: false });
    expect(forced.__typename).toBe('TransactionPlan');
    expect(forced.warnings.map(({ code }) => code)).toContain('COLLATERAL_TOO_LOW');
    expect(
      forced.steps.map(({ warnings }) => warnings.some(({ code }) => code === 'COLLATERAL_TOO_LOW')),
    ).toEqual([false, false, true]);
    expect(forced.simulation).toMatchObject({ success: false, error: { name: 'BorrowTooLarge' } });
  });

  it('names a step that spends what an earlier one has spent', async () => {
    const refusal = await refused([supply('9000'), supply('2000')]);
    expect(refusal).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
    // The reserve may take some base units less than offered.
    expect(refusal.message).toMatch(/BALANCE_TOO_LOW: The wallet has 1000(\.00000\d)? USDC/);
  });

  it('names a step without its position', async () => {
    expect(await refused([borrow(), supply()])).toMatchObject({ __typename: 'ObligationNotFound', step: 0 });
    expect(await refused([supply(), repay('1')])).toMatchObject({ __typename: 'PositionNotFound', step: 1 });
    expect(await refused([supply(), withdraw(null), withdraw('1')])).toMatchObject({
      __typename: 'ObligationNotFound',
      step: 2,
    });
  });

  it('has one to six actions of one wallet, and its options are its own', async () => {
    expect(await refused([])).toMatchObject({ code: 'BUILD_REFUSED', step: null });
    expect(await refused(Array.from({ length: 7 }, () => supply('1')))).toMatchObject({
      code: 'BUILD_REFUSED',
    });
    const other = { lendingDeposit: { ...supply().lendingDeposit, wallet: addresses.wallet } };
    expect(await refused([supply(), other])).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
    const optioned = { lendingDeposit: { ...supply().lendingDeposit, options: { computeUnitLimit: 1 } } };
    expect(await refused([supply(), optioned])).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
    expect(await refused([supply()], { unwrapSol: true })).toMatchObject({
      code: 'BUILD_REFUSED',
      step: null,
    });
  });

  it('has no step outside of plans', async () => {
    const { data } = await world.gateway.query<{ built: { step: number | null } }>(
      'mutation ($input: LendingActionInput!) { built: buildLendingRepay(input: $input) { ... on BuildError { step } } }',
      { variables: { input: repay('1').lendingRepay } },
    );
    expect(data.built.step).toBeNull();
  });
});
