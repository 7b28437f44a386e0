import { VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, type Landed, startActingApp } from '../support/apps/acting-app.ts';
import { createNonceAccount } from '../support/apps/system-transactions.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';
import { flashPositions, instructionData } from '../support/leverage/flash-positions.ts';
import { sendSigned } from '../support/leverage/leverage-actor.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';

/** Actions around a flash loan as steps of plans, and the positions that repayments name, on the localnet. */

const PAIR = { collateral: 'mSOL', debt: 'USDC' } as const;

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly step?: number | null;
  readonly transactions: readonly {
    readonly base64: string;
    readonly signers: readonly Address[];
    readonly steps: readonly number[];
    readonly splitReason: string | null;
  }[];
  readonly bundle: { readonly instructions: readonly { readonly data: string }[] };
  readonly steps: readonly {
    readonly kind: string;
    readonly transaction: number;
    readonly preview: { readonly tokens: Change | null; readonly debtTokens: Change | null };
  }[];
  readonly simulation: { readonly success: boolean; readonly logs: readonly string[] };
}

const RESULT = `
  __typename
  ... on BuildError { code message step }
  ... on TransactionPlan {
    transactions { base64 signers steps splitReason }
    bundle { instructions { data } }
    steps { kind transaction preview { tokens { before after } debtTokens { before after } } }
    simulation { success logs }
  }`;
const BUILD = `mutation ($actions: [BuildAction!]!, $options: BuildOptions) {
  plan: buildPlan(actions: $actions, options: $options) { ${RESULT} } }`;

let world: ActingApp;
let desk: LeverageDesk;
let obligation: Address;
let vanilla: Address;

beforeAll(async () => {
  world = await startActingApp();
  desk = await LeverageDesk.open(world, [['mSOL', 9_000_000_000n]], ['mSOL', 'USDC']);
  const seeds = { seed1: desk.of('mSOL').mint, seed2: desk.of('USDC').mint };
  obligation = desk.obligation({ tag: 1, id: 0, ...seeds });
  vanilla = desk.obligation(VANILLA_OBLIGATION);
});
afterAll(() => world?.stop());

async function build(actions: readonly object[], options: object = desk.options): Promise<Plan> {
  const variables = { actions, options };
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(BUILD, {
    variables,
    headers: desk.headers,
  });
  expect(errors).toEqual([]);
  return data.plan;
}

/** Sends all transactions in order. */
async function send({ transactions }: Plan): Promise<Landed> {
  let landed: Landed | undefined;
  for (const { base64, signers } of transactions) {
    const makers = signers.includes(desk.maker.address) ? [desk.maker] : [];
    landed = await sendSigned(world, base64, desk.wallet, ...makers);
  }
  const last = landed ?? expect.fail('nothing was sent');
  desk.headers = last.headers;
  return last;
}

async function act(actions: readonly object[], options?: object) {
  const plan = await build(actions, options);
  expect(plan.__typename, plan.message).toBe('TransactionPlan');
  expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
  return { plan, landed: await send(plan) };
}

const open = (more: object = {}) => ({
  multiply: {
    ...desk.target(PAIR),
    deposit: { tokens: '1' },
    borrow: { tokens: '100' },
    swap: desk.swap(['USDC', 99_990_000n], ['mSOL', 400_000_000n]),
    ...more,
  },
});
const raise = (bought = 40_000_000n) => ({
  multiply: {
    ...desk.target(PAIR),
    borrow: { tokens: '10' },
    swap: desk.swap(['USDC', 9_990_000n], ['mSOL', bought]),
  },
});
const lower = (choice: object = {}) => ({
  ...desk.target(PAIR),
  ...choice,
  amount: { tokens: '30' },
  swap: desk.swap(['mSOL', 160_000_000n], ['USDC', 30_000_300n]),
});
const lending = (kind: 'Deposit' | 'Borrow' | 'Withdraw', symbol: string, tokens: string, where = {}) => ({
  [`lending${kind}`]: {
    wallet: desk.wallet.address,
    market: world.localnet.addresses.market,
    reserve: desk.of(symbol).address,
    amount: { tokens },
    ...where,
  },
});

const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));
const holding = ({ after }: Landed, address: Address) => ({
  tokens: published(depositUnits(after, address, desk.of('mSOL').address), 9),
  debtTokens: published(debtUnits(after, address, desk.of('USDC').address), 6),
});

describe('in one transaction with other steps', () => {
  it('a position opens, and then gets more collateral', async () => {
    const tagged = { obligation: { address: obligation } };
    const { plan, landed } = await act([open(), lending('Deposit', 'mSOL', '0.5', tagged)]);
    expect(plan.transactions.map(({ steps }) => steps)).toEqual([[0, 1]]);
    const [opened, deposited] = plan.steps;
    const { tokens, debtTokens } = holding(landed, obligation);
    expect(opened?.preview.debtTokens).toEqual({ before: '0', after: debtTokens });
    // The second step begins where the first one ends.
    expect(deposited?.preview.tokens).toEqual({ before: opened?.preview.tokens?.after, after: tokens });
  });

  it('a position is lowered, and then collateral is withdrawn', async () => {
    const tagged = { obligation: { address: obligation } };
    const { plan, landed } = await act([{ deleverage: lower() }, lending('Withdraw', 'mSOL', '0.1', tagged)]);
    expect(plan.transactions.map(({ steps }) => steps)).toEqual([[0, 1]]);
    const [lowered, withdrawn] = plan.steps;
    const { tokens, debtTokens } = holding(landed, obligation);
    expect(lowered?.preview.debtTokens?.after).toBe(debtTokens);
    expect(withdrawn?.preview.tokens).toEqual({ before: lowered?.preview.tokens?.after, after: tokens });
  });

  it('a debt that an earlier step takes is repaid with collateral', async () => {
    await act([lending('Deposit', 'mSOL', '2')]);
    const { plan, landed } = await act([lending('Borrow', 'USDC', '50'), { repayWithCollateral: lower() }]);
    expect(plan.transactions.map(({ steps }) => steps)).toEqual([[0, 1]]);
    const [borrowed, repaid] = plan.steps;
    const { tokens, debtTokens } = holding(landed, vanilla);
    // 50 with 1/10,000 of origination fee, less 30.
    expect(borrowed?.preview.tokens?.after).toBe('50.005');
    expect(repaid?.preview.debtTokens).toEqual({ before: '50.005', after: '20.005' });
    expect([repaid?.preview.tokens?.after, debtTokens]).toEqual([tokens, '20.005']);
  });

  it('a step that cannot work is named, and nothing is built', async () => {
    const refused = await build([raise(), { deleverage: { ...lower(), amount: { tokens: '31' } } }]);
    expect(refused).toMatchObject({ code: 'SWAP_REFUSED', step: 1 });
    const tooMuch = await build([{ multiply: { ...raise().multiply, borrow: { tokens: '900' } } }]);
    expect(tooMuch).toMatchObject({ code: 'BUILD_REFUSED', step: 0 });
    expect(tooMuch.message).toMatch(/COLLATERAL_TOO_LOW/);
  });
});

it('two steps that make the same transaction are refused, because the chain would run it once', async () => {
  const refused = await build([raise(), raise()]);
  expect(refused).toMatchObject({ code: 'BUILD_REFUSED', step: 1 });
  expect(refused.message).toMatch(/same as that of an earlier step/);
});

/** The bundle is the transactions one after the other, since no compute budget is asked for. */
function expectBundle({ bundle, transactions }: Pick<Plan, 'bundle' | 'transactions'>): void {
  const inBundle = bundle.instructions.map(({ data }) => data);
  const inTransactions = transactions.flatMap(({ base64 }) =>
    instructionData(base64).map((data) => Buffer.from(data).toString('base64')),
  );
  expect(inBundle).toEqual(inTransactions);
}

describe('a repayment names the flash loan of its own transaction', () => {
  it('in each of two transactions, and in their bundle', async () => {
    const plan = await build([raise(), raise(40_000_001n)]);
    expect(plan.transactions.map(({ splitReason }) => splitReason)).toEqual([null, 'FLASH_LOANS']);
    for (const { base64 } of plan.transactions) {
      const { borrows, named } = flashPositions(instructionData(base64));
      expect(named).toEqual(borrows);
    }
    expectBundle(plan);
    await send(plan);
  });

  it('behind a step without one', async () => {
    const actions = [
      lending('Deposit', 'mSOL', '0.1', { obligation: { address: obligation } }),
      raise(),
      raise(),
    ];
    const plan = await build(actions);
    expectBundle(plan);
    expect(flashPositions(instructionData(plan.transactions[0]?.base64 ?? '')).named).not.toEqual([0]);
    await send(plan);
  });

  it('after set-up in a transaction of its own', async () => {
    const tagged = { tag: 'MULTIPLY', id: 1, seed1: desk.of('mSOL').mint, seed2: desk.of('USDC').mint };
    const plan = await build([open({ obligation: { tagged } })], {});
    expect(plan.transactions).toHaveLength(2);
    expectBundle(plan);
    await send(plan);
  });

  it('behind a nonce and a compute budget, in front of memo and tip', async () => {
    const account = await createNonceAccount(world, desk.wallet, desk.wallet.address);
    const options = {
      ...desk.options,
      durableNonce: { account, authority: desk.wallet.address },
      computeUnitLimit: 900_000,
      priorityFeeMicroLamports: '7',
      memo: 'leverage',
      tip: { account: desk.maker.address, lamports: '1000' },
    };
    const plan = await build([raise()], options);
    const [transaction] = plan.transactions;
    const compiled = instructionData(transaction?.base64 ?? '');
    const { borrows, named } = flashPositions(compiled);
    // The advance of the nonce and two instructions of the compute budget, which the bundle does not have.
    expect(named).toEqual(borrows);
    expect(named).toEqual([3]);
    const bundle = plan.bundle.instructions.map(({ data }) => Uint8Array.from(Buffer.from(data, 'base64')));
    expect(flashPositions(bundle)).toEqual({ borrows: [1], named: [1] });
    expect(bundle).toHaveLength(compiled.length - 2);
    await send(plan);
  });
});
