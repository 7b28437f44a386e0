import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import { askApp, type TestApp } from '../support/apps/test-app.ts';

const RATE_BASIS = 4865;
const { klend, kvault } = MAINNET_PROGRAMS;

let localChain: TestChain;
let gateway: TestApp;

/** Changes one byte of an account between the chain and the gateway, and waits for a View of it. */
async function patch(address: Address, offset: number, byte: number): Promise<void> {
  const account = accountIn(localChain, address);
  const data = account.data.slice();
  data[offset] = byte;
  localChain.place(address, { ...account, data });
  await readWhole();
}

async function readWhole(): Promise<void> {
  localChain.advance();
  await gateway.app.chain.reach(localChain.slot, AbortSignal.timeout(60_000));
}

interface Shown {
  readonly borrowApr: string;
  readonly supplyApr: string;
  readonly utilization: string;
  readonly interestRateBasis: string;
  readonly interestRateBasisText: string;
  readonly lastUpdatedAt: string | null;
  readonly borrowed: { readonly baseUnits: string };
  readonly borrowApy: { readonly base: string };
}

async function shown(address: Address): Promise<Shown> {
  const { data } = await askApp<{ reserve: Shown }>(
    gateway.app,
    `{ reserve(address: "${address}") { borrowApr supplyApr utilization interestRateBasis interestRateBasisText
       lastUpdatedAt borrowed { baseUnits } borrowApy { base } } }`,
  );
  return data.reserve;
}

/** The rates that the account states at a utilization, without any scaling. */
function stated(address: Address, utilization: number) {
  const { config } = reserve.decode(accountIn(localChain, address), klend);
  const { points } = config.borrowRateCurve;
  const end = points.findIndex((point) => utilization * 10_000 <= point.utilizationRateBps);
  const [from, to] = [points[Math.max(0, end - 1)], points[end]];
  if (from === undefined || to === undefined) throw new Error('the curve ends early');
  const width = to.utilizationRateBps - from.utilizationRateBps;
  const along = width === 0 ? 1 : (utilization * 10_000 - from.utilizationRateBps) / width;
  const curve = (from.borrowRateBps + along * (to.borrowRateBps - from.borrowRateBps)) / 10_000;
  return {
    borrow: curve + config.hostFixedInterestRateBps / 10_000,
    supply: utilization * curve * (1 - config.protocolTakeRatePct / 100),
  };
}

/** A vault with tokens in a reserve, and that reserve. */
function brokenVault() {
  for (const vault of localChain.worldChain.world.vaults) {
    const held = vaultState
      .decode(accountIn(localChain, vault.address), kvault)
      .vaultAllocationStrategy.find(({ ctokenAllocation }) => ctokenAllocation > 0n);
    const found = localChain.worldChain.world.reserves.find(({ address }) => address === held?.reserve);
    if (found) return { vault: vault.address, reserve: found.address, market: found.market.address };
  }
  throw new Error('no vault has invested');
}

async function post(path: string, body: object) {
  const response = await gateway.app.fetch(
    new Request(`http://sluice.test${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, body: (await response.json()) as object };
}

beforeAll(async () => {
  localChain = new TestChain();
  gateway = await testApp({ chain: localChain, env: { DRIFT_INTERVAL_MS: '0' } });
});

afterEach(() => localChain.restore());

afterAll(async () => {
  await gateway?.stop();
});

const addressOf = (symbol: string) => {
  const found = localChain.worldChain.world.reserves.find(({ token }) => token.symbol === symbol);
  if (found === undefined) throw new Error(`no reserve of ${symbol}`);
  return { address: found.address, market: found.market.address };
};

describe('a reserve whose rates are per second', () => {
  it('shows the rates that its account states, through GraphQL and REST, whatever the length of slots', async () => {
    const { address, market } = addressOf('USDC');
    const now = await shown(address);
    expect(now.interestRateBasis).toBe('PER_SECOND');
    expect(now.interestRateBasisText).toBe('True yearly rates, accrued every second.');
    expect(now.lastUpdatedAt).not.toBeNull();
    const wanted = stated(address, Number(now.utilization));
    expect(Number(now.borrowApr)).toBeCloseTo(wanted.borrow, 12);
    expect(Number(now.supplyApr)).toBeCloseTo(wanted.supply, 12);
    const rest = await gateway.get(`/svc-market/${market}/reserves/metrics`);
    const rows = (await rest.json()) as { reserve: string; borrowApy: string }[];
    expect(rows.find((row) => row.reserve === address)?.borrowApy).toBe(now.borrowApy.base);
    expect(Number(now.borrowApy.base)).toBeCloseTo(Math.expm1(wanted.borrow), 6);
  });

  it('becomes one in flight, and its rates fall by the factor of the slots', async () => {
    const { address } = addressOf('hbSOL');
    const before = await shown(address);
    expect(before.interestRateBasis).toBe('PER_SLOT');
    expect(before.interestRateBasisText).toContain('slots of 500 ms');
    const perSlot = stated(address, Number(before.utilization));
    expect(Number(before.borrowApr)).toBeCloseTo(perSlot.borrow * (500 / 400), 12);
    await patch(address, RATE_BASIS, 1);
    const after = await shown(address);
    expect(after.interestRateBasis).toBe('PER_SECOND');
    const wanted = stated(address, Number(after.utilization));
    expect(Number(after.borrowApr)).toBeCloseTo(wanted.borrow, 12);
    expect(Number(after.supplyApr)).toBeCloseTo(wanted.supply, 12);
  });

  it('accrues nothing since a refresh that left no time', async () => {
    const { address } = addressOf('USDT');
    for (const at of [28, 29, 30, 31]) {
      const account = accountIn(localChain, address);
      const data = account.data.slice();
      data[at] = 0;
      localChain.place(address, { ...account, data });
    }
    await readWhole();
    const { liquidity } = reserve.decode(accountIn(localChain, address), klend);
    const { borrowed, lastUpdatedAt } = await shown(address);
    expect(lastUpdatedAt).toBeNull();
    expect(BigInt(borrowed.baseUnits)).toBe((liquidity.borrowedAmountSf + (1n << 60n) - 1n) >> 60n);
  });
});

describe('a reserve whose basis no release knows', () => {
  it('is an error at that reserve and is left out of lists with a warning', async () => {
    const { address, market } = addressOf('wETH');
    await patch(address, RATE_BASIS, 7);
    const { data, errors } = await askApp<{ reserve: null; market: { reserves: { address: string }[] } }>(
      gateway.app,
      `{ reserve(address: "${address}") { borrowApr } market(address: "${market}") { reserves { address } } }`,
    );
    expect(data.reserve).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'ACCOUNT_MALFORMED' } }]);
    expect(JSON.stringify(errors)).toContain('interest rate basis 7 is unknown');
    expect(data.market.reserves.map((each) => each.address)).not.toContain(address);
  });

  it('is the error of a build, over GraphQL and REST, and not an address to check', async () => {
    const { reserve: broken, market, vault } = brokenVault();
    await patch(broken, RATE_BASIS, 2);
    const { wallet } = localChain.addresses;
    const reason = `The account at ${broken} is not a valid Reserve: its interest rate basis 2 is unknown.`;
    const amount = '1';
    for (const [path, body] of [
      ['/ktx/klend/deposit-instructions', { wallet, market, reserve: broken, amount }],
      ['/ktx/kvault/deposit-instructions', { wallet, kvault: vault, amount }],
    ] as const) {
      const { status, body: answer } = await post(path, body);
      expect([path, status, answer]).toEqual([
        path,
        400,
        expect.objectContaining({ code: 'ACCOUNT_MALFORMED', message: reason }),
      ]);
    }
    for (const build of [
      `buildLendingDeposit(input: { wallet: "${wallet}", market: "${market}", reserve: "${broken}", amount: { tokens: "1" } })`,
      `buildMultiply(input: { wallet: "${wallet}", market: "${market}", collateralReserve: "${broken}", debtReserve: "${broken}", borrow: { tokens: "1" }, swap: { instructions: [], minOut: "1" } })`,
      `buildVaultDeposit(input: { wallet: "${wallet}", vault: "${vault}", amount: { tokens: "1" } })`,
    ]) {
      const { errors } = await askApp(gateway.app, `mutation { built: ${build} { __typename } }`);
      expect(errors).toMatchObject([{ message: reason, extensions: { code: 'ACCOUNT_MALFORMED' } }]);
    }
  });

  it('is the error of the numbers of a vault that holds it, and unknown in lists', async () => {
    const { reserve: broken, vault } = brokenVault();
    await patch(broken, RATE_BASIS, 2);
    for (const part of ['metrics', 'allocations']) {
      const answer = await gateway.get(`/kvaults/vaults/${vault}/${part}`);
      expect([part, answer.status, answer.headers.get('x-error-code')]).toEqual([
        part,
        400,
        'ACCOUNT_MALFORMED',
      ]);
      expect(await answer.text()).toContain(`${broken} is not a valid Reserve`);
    }
    const listed = await gateway.get('/kvaults/vaults/metrics');
    expect(listed.status).toBe(200);
    expect(listed.headers.get('x-unknown')).toContain('result.apyActual');
    const { result } = (await listed.json()) as { result: { kvault: string }[] };
    expect(result.map(({ kvault }) => kvault)).toContain(vault);
  });
});
