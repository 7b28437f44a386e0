import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { PlanActor } from '../support/apps/plan-actor.ts';

/** Rollovers by somebody else, from the settings of the owner to the new term, on the localnet. */

const { klend } = MAINNET_PROGRAMS;
const DAY = 86_400;

let world: ActingApp;
let owner: PlanActor;
let keeper: PlanActor;
let market: Address;
/** Reserves by their label. */
const reserves = new Map<string, Address>();

beforeAll(async () => {
  world = await startActingApp();
  const found = world.localnet.chain.world.markets.find(({ name }) => name === 'Term Market');
  market = found?.address ?? expect.fail('no market with terms');
  for (const { address, spec } of found?.reserves ?? []) reserves.set(spec.label ?? spec.token, address);
  const btc = found?.reserves.find(({ spec }) => spec.token === 'wBTC') ?? expect.fail('no collateral');
  owner = new PlanActor(world, await world.newWallet({ [btc.token.mint.address]: 200_000_000n }));
  keeper = new PlanActor(world, await world.newWallet({}));
});
afterAll(() => world?.stop());

const reserve = (label: string) => reserves.get(label) ?? expect.fail(label);
const obligation = () => obligationAddress(klend, owner.address, market, VANILLA_OBLIGATION).address;
const lending = (kind: string, label: string, tokens: string) => ({
  [`lending${kind}`]: { wallet: owner.address, market, reserve: reserve(label), amount: { tokens } },
});
const rollOver = (from: string, to: string) => ({
  rollOverBorrow: {
    wallet: keeper.address,
    obligation: obligation(),
    reserve: reserve(from),
    targetReserve: reserve(to),
  },
});

interface Shown {
  readonly healthFactor: string;
  readonly borrows: readonly {
    readonly amount: { readonly baseUnits: string };
    readonly reserve: { readonly address: Address };
    readonly termEndsAt: string;
    readonly rollover: { readonly enabled: boolean; readonly maxBorrowRateBps: string };
  }[];
}

async function shown(): Promise<Shown['borrows']> {
  const { data, errors } = await world.gateway.query<{ obligation: Shown }>(
    `{ obligation(address: "${obligation()}") {
      healthFactor
      borrows { amount { baseUnits } reserve { address } termEndsAt rollover { enabled maxBorrowRateBps } } } }`,
    { headers: keeper.headers },
  );
  expect(errors).toEqual([]);
  return data.obligation.borrows;
}

interface Preview {
  readonly positions: readonly {
    readonly reserve: Address;
    readonly side: string;
    readonly tokens: { readonly before: string; readonly after: string };
  }[];
  readonly debtTerm: Readonly<Record<string, unknown>> & { readonly endsAt: string };
  readonly rollover: object;
  readonly fees: readonly unknown[];
  readonly warnings: readonly { readonly level: string; readonly code: string; readonly message: string }[];
}

async function preview(from: string, to: string): Promise<Preview> {
  const { data, errors } = await world.gateway.query<{ build: { preview: Preview } }>(
    `mutation ($input: RollOverBorrowInput!) { build: buildRollOverBorrow(input: $input) {
      ... on BuildError { code message }
      ... on TransactionPlan { preview { fees { kind } warnings { level code message }
        positions { reserve side tokens { before after } }
        debtTerm { reserveAddress rate cause endedAt endsAt rolloverFrom earlyRepayPenalty { baseUnits } }
        rollover { reserveAddress before { enabled } after { enabled maxBorrowRateBps } } } } } }`,
    { variables: { input: rollOver(from, to).rollOverBorrow }, headers: keeper.headers },
  );
  expect(errors).toEqual([]);
  return data.build.preview;
}

const errorsOf = ({ warnings }: Preview) =>
  warnings.filter(({ level }) => level === 'ERROR').map(({ message }) => message);
const catchUp = () => {
  keeper.headers = owner.headers;
};
/** The transaction lands a slot after the build: a second at most. */
const near = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b)) <= 2_000;

interface Target {
  readonly reserveAddress: Address;
  readonly obstacle: string | null;
  readonly amount: { readonly baseUnits: string };
  readonly description: string | null;
}

/** The list of reserves that a debt could move to says what builds say. */
async function expectTargets(from: string): Promise<void> {
  const { data, errors } = await world.gateway.query<{
    obligation: {
      borrows: { amount: { baseUnits: string }; rolloverInto: readonly Target[] }[];
    };
  }>(
    `{ obligation(address: "${obligation()}") { borrows { amount { baseUnits }
      rolloverInto { reserveAddress obstacle amount { baseUnits } description } } } }`,
    { headers: keeper.headers },
  );
  expect(errors).toEqual([]);
  const [debt] = data.obligation.borrows;
  const labels = [...reserves].filter(([label]) => label.startsWith('USDC'));
  expect(debt?.rolloverInto.map(({ reserveAddress }) => reserveAddress)).toEqual(
    labels.map(([, address]) => address).sort(),
  );
  const possible: string[] = [];
  for (const [label, address] of labels) {
    const target = debt?.rolloverInto.find(({ reserveAddress }) => reserveAddress === address);
    const [refusal] = errorsOf(await preview(from, label));
    expect(target?.obstacle === null, label).toBe(refusal === undefined);
    if (refusal === undefined) {
      expect(target?.amount).toEqual(debt?.amount);
      possible.push(label);
    } else expect(refusal.startsWith(target?.description ?? 'none'), label).toBe(true);
  }
  // Between the term that the owner wants at least and the rate that it may have at most.
  expect(possible).toEqual(['USDC 14d', 'USDC 21d', 'USDC 30d', 'USDC 45d', 'USDC 60d']);
}

describe('a debt that its owner lets roll over', () => {
  it('stays where it is without the settings, and before its window', async () => {
    await owner.act(lending('Deposit', 'wBTC', '1'), lending('Borrow', 'USDC 30d', '1000'));
    catchUp();
    expect(errorsOf(await preview('USDC 30d', 'USDC 60d'))).toEqual([expect.stringContaining('6162')]);
    const place = { wallet: owner.address, market, reserve: reserve('USDC 30d') };
    const settings = {
      enabled: true,
      maxBorrowRateBps: 650,
      minTermSeconds: String(14 * DAY),
      windowDays: 5,
    };
    await owner.act({ setRolloverSettings: { ...place, ...settings } });
    await owner.wait(24 * DAY);
    catchUp();
    expect(errorsOf(await preview('USDC 30d', 'USDC 60d'))).toEqual([expect.stringContaining('6161')]);
    await owner.wait(2 * DAY);
    catchUp();
    expect(errorsOf(await preview('USDC 30d', 'USDC 7d'))).toEqual([expect.stringContaining('6163')]);
    expect(errorsOf(await preview('USDC 30d', 'USDC 180d'))).toEqual([expect.stringContaining('6163')]);
    const strict = { rollOverBorrow: { ...rollOver('USDC 30d', 'wBTC').rollOverBorrow } };
    expect(await keeper.refused([strict])).toMatchObject({
      code: 'BUILD_REFUSED',
      message: expect.stringContaining('6159'),
    });
  });

  it('is moved by anyone to a longer term, whole, without a fee or a penalty', async () => {
    const [before] = await shown();
    const said = await preview('USDC 30d', 'USDC 60d');
    expect(errorsOf(said)).toEqual([]);
    expect(said.fees).toEqual([]);
    await expectTargets('USDC 30d');
    const [from, to] = said.positions;
    expect(from).toMatchObject({ reserve: reserve('USDC 30d'), side: 'DEBT', tokens: { after: '0' } });
    expect(to).toMatchObject({ reserve: reserve('USDC 60d'), side: 'DEBT', tokens: { before: '0' } });
    expect(said.debtTerm).toMatchObject({
      reserveAddress: reserve('USDC 60d'),
      rate: 'FIXED',
      cause: 'TERM',
      endedAt: before?.termEndsAt,
    });
    expect(said.rollover).toMatchObject({
      reserveAddress: reserve('USDC 60d'),
      before: { enabled: true },
      after: { enabled: true, maxBorrowRateBps: '650' },
    });
    await keeper.act(rollOver('USDC 30d', 'USDC 60d'));
    const [after, ...others] = await shown();
    expect(others).toEqual([]);
    expect(after?.reserve.address).toBe(reserve('USDC 60d'));
    expect(near(after?.termEndsAt ?? '', said.debtTerm.endsAt)).toBe(true);
    expect(after?.rollover).toEqual({ enabled: true, maxBorrowRateBps: '650' });
    // Interest of a slot at most, and the fraction that is rounded up.
    const [owed, shows] = [before, after].map((each) => Number(each?.amount.baseUnits));
    expect((shows ?? 0) - (owed ?? 0)).toBeGreaterThanOrEqual(0);
    expect((shows ?? 0) - (owed ?? 0)).toBeLessThan(10);
  });

  it('starts its term anew in its own reserve', async () => {
    await keeper.wait(56 * DAY);
    const [before] = await shown();
    const said = await preview('USDC 60d', 'USDC 60d');
    expect(errorsOf(said)).toEqual([]);
    expect(said.positions).toMatchObject([{ reserve: reserve('USDC 60d') }]);
    expect(said.debtTerm.endedAt).toBe(before?.termEndsAt);
    await keeper.act(rollOver('USDC 60d', 'USDC 60d'));
    const [after] = await shown();
    expect(near(after?.termEndsAt ?? '', said.debtTerm.endsAt)).toBe(true);
    const gained = Date.parse(after?.termEndsAt ?? '') - Date.parse(before?.termEndsAt ?? '');
    expect(Math.round(gained / 1000 / DAY)).toBe(56);
  });

  it('can be let roll over and rolled over in one plan', async () => {
    const place = { wallet: owner.address, market, reserve: reserve('USDC 60d') };
    await keeper.wait(58 * DAY);
    owner.headers = keeper.headers;
    const own = { ...rollOver('USDC 60d', 'USDC 90d').rollOverBorrow, wallet: owner.address };
    const { steps } = await owner.act(
      { setRolloverSettings: { ...place, maxBorrowRateBps: 700 } },
      { rollOverBorrow: own },
    );
    expect(steps.map(({ kind }) => kind)).toEqual(['SET_ROLLOVER_SETTINGS', 'ROLL_OVER_BORROW']);
    catchUp();
    const [after] = await shown();
    expect(after?.reserve.address).toBe(reserve('USDC 90d'));
    expect(after?.rollover.maxBorrowRateBps).toBe('700');
  });
});
