import type { Rational } from '@sluice/protocol/numeric/rational';
import { integer, sum } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { exact, expectExact, expectNear } from '../../packages/protocol/test/support/numbers.ts';
import { hangUp } from '../../packages/rpc-pool/test/support/scripted-rpc.ts';
import { STILL, startReadyApp } from '../support/apps/test-app.ts';
import {
  type ChangingContractWorld,
  post,
  startChangingContractWorld,
} from '../support/contract/contract-app.ts';
import { startFaultyRpc } from '../support/contract/failing-rpc.ts';
import { PORTFOLIO_QUERY } from '../support/operations/portfolio.ts';
import { addStandaloneFarm, cutShort, type Standalone } from '../support/portfolio/standalone-farms.ts';

type Row = Readonly<Record<string, string>>;

interface Obligation {
  readonly obligation: string;
  readonly netValue: string;
  readonly totalDepositValue: string;
  readonly totalBorrowValue: string;
  readonly deposits: readonly Row[];
  readonly borrows: readonly Row[];
}

interface Section {
  readonly indexed: boolean;
  readonly positionsRefreshedOn: string | null;
  readonly pricesRefreshedOn: string | null;
  readonly errors: readonly { readonly code: string }[];
}

interface Portfolio {
  readonly sections: Readonly<Record<string, Section>>;
  readonly lending: readonly Obligation[];
  readonly multiply: readonly Obligation[];
  readonly leverage: readonly Obligation[];
  readonly liquidity: readonly unknown[];
  readonly earn: readonly Row[];
  readonly privateCredit: readonly Row[];
  readonly staking: readonly Row[];
}

interface Farm {
  readonly farm: string;
  readonly userState: string;
  readonly delegatee: string;
  readonly vault?: string;
  readonly positionType: string;
  readonly activeStakeAmount: string;
  readonly tokenMints: readonly string[];
  readonly rewards: readonly { readonly mint: string; readonly amount: string; readonly type: number }[];
}

const SECTIONS = ['lending', 'multiply', 'leverage', 'liquidity', 'earn', 'privateCredit', 'staking'];
const UNPRICED = testAddress(7_001);
const STRATEGY = testAddress(7_003);

let world: ChangingContractWorld;
/** 25 whole tokens of the example vault's token. */
let priced: Standalone;
/** 3 whole tokens that nobody has a price for. */
let unpriced: Standalone;
beforeAll(async () => {
  world = await startChangingContractWorld({}, (localChain) => {
    const { tokenMint: mint } = localChain.addresses;
    const decimals =
      localChain.worldChain.world.tokens.find((each) => each.mint.address === mint)?.mint.decimals ?? 0;
    priced = addStandaloneFarm(localChain, 7_000, { mint, decimals }, 25n * 10n ** BigInt(decimals));
    unpriced = addStandaloneFarm(localChain, 7_002, { mint: UNPRICED, decimals: 2 }, 300n, STRATEGY);
  });
});
beforeEach(() => world.proxy.reset());
afterAll(() => world?.stop());

const read = async <T = Portfolio>(wallet: string, suffix = '') =>
  (await world.get(`/portfolio/${wallet}${suffix}`)).body as T;
const wallet = () => world.localChain.addresses.wallet;

async function graph<T>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const { data, errors } = await world.gateway.query<T>(query, { variables });
  expect(errors).toEqual([]);
  return data;
}

const totalOf = (rows: readonly Row[]): Rational => sum(rows.map(({ value }) => exact(value)));

describe('/portfolio', () => {
  it('has all seven sections, of which one is not indexed', async () => {
    const { sections, liquidity } = await read(wallet());
    expect(Object.keys(sections).sort()).toEqual([...SECTIONS].sort());
    const none = { indexed: false, positionsRefreshedOn: null, pricesRefreshedOn: null, errors: [] };
    expect([sections.liquidity, liquidity]).toEqual([none, []]);
    const { extensions } = await world.gateway.query('{ chain { slot } }');
    const at = extensions.chain?.builtAt;
    for (const name of SECTIONS.filter((each) => each !== 'liquidity'))
      expect(sections[name]).toEqual({
        indexed: true,
        positionsRefreshedOn: at,
        pricesRefreshedOn: at,
        errors: [],
      });
  });

  it('is empty for a wallet without anything', async () => {
    const empty = await read(world.localChain.addresses.emptyWallet);
    for (const name of SECTIONS) expect(empty[name as keyof Portfolio]).toEqual([]);
  });

  it('puts obligations into sections by their tag, and names the pair of a leveraged one', async () => {
    const { markets } = world.localChain.worldChain.world;
    const mintOf = (symbol: string) =>
      markets[0]?.reserves.find(({ token }) => token.symbol === symbol)?.token.mint.address;
    expect(await read(wallet())).toMatchObject({
      lending: [{ obligation: world.localChain.addresses.obligation, tag: 'Vanilla' }],
      multiply: [{ tag: 'Multiply', depositMint: mintOf('jitoSOL'), borrowMint: mintOf('SOL') }],
      leverage: [],
    });
  });

  it('separates the vaults that the catalogue lists as private credit', async () => {
    const { vaults } = world.localChain.worldChain.world;
    const credit = vaults.at(-1);
    const holder = credit?.holders.find(
      ({ holdings }) => (holdings.get(credit.sharesMint.address)?.amount ?? 0n) > 0n,
    );
    if (credit === undefined || holder === undefined)
      throw new Error('nobody holds shares of the last vault');
    const { earn, privateCredit } = await read(holder.address);
    expect(privateCredit.map(({ vault }) => vault)).toEqual([credit.address]);
    expect(earn.map(({ vault }) => vault)).not.toContain(credit.address);
    expect((await read(wallet())).privateCredit).toEqual([]);
  });

  it('lists tokens in farms of no vault or reserve, without a value where no price is known', async () => {
    const { tokenMint } = world.localChain.addresses;
    const { token } = await graph<{ token: { symbol: string; price: { usd: string } } }>(
      'query ($mint: Address!) { token(mint: $mint) { symbol price { usd } } }',
      { mint: tokenMint },
    );
    const { staking } = await read(wallet());
    const [first, second, ...others] = [priced, unpriced].map(({ farm }) =>
      staking.find((each) => each.farm === farm),
    );
    expect([staking.length, others]).toEqual([2, []]);
    const { usd: price } = token.price;
    expect(first).toMatchObject({ mint: tokenMint, symbol: token.symbol, amount: '25', price });
    expectNear(exact(first?.value), exact(price).mul(integer(25n)), 'value of the stake');
    const symbol = `${UNPRICED.slice(0, 4)}…${UNPRICED.slice(-4)}`;
    expect(second).toEqual({ mint: UNPRICED, symbol, farm: unpriced.farm, amount: '3' });
  });

  it('sums up: rows to the net value in the graph, and positions to their row', async () => {
    let positions = 0;
    for (const each of world.subjects.wallets) {
      const { lending, multiply, leverage, earn, privateCredit } = await read(each);
      const obligations = [...lending, ...multiply, ...leverage];
      for (const row of obligations) {
        const [deposited, borrowed] = [totalOf(row.deposits), totalOf(row.borrows)];
        expectExact(exact(row.totalDepositValue), deposited, `deposits of ${row.obligation}`);
        expectExact(exact(row.totalBorrowValue), borrowed, `debts of ${row.obligation}`);
        expectExact(exact(row.netValue), deposited.sub(borrowed), `net value of ${row.obligation}`);
      }
      const rows = [...obligations, ...earn, ...privateCredit];
      const { wallet: shown } = await graph<{ wallet: { netValue: { usd: string } } }>(
        'query ($each: Address!) { wallet(address: $each) { netValue { usd } } }',
        { each },
      );
      expectNear(sum(rows.map(({ netValue }) => exact(netValue))), exact(shown.netValue.usd), each);
      positions += rows.length;
    }
    expect(positions).toBeGreaterThan(world.subjects.wallets.length);
  });

  it('takes the RPC rounds that the graph takes for the same data', async () => {
    const { proxy } = world;
    /** Calls of each round: a round ends when nothing more is asked until its answers arrive. */
    async function roundsOf(ask: () => Promise<unknown>, sizes: readonly number[]): Promise<string[][]> {
      const rounds: string[][] = [];
      let letGo = proxy.hold(() => true);
      const answer = ask();
      for (const size of sizes) {
        await vi.waitFor(() => expect(proxy.held()).toBe(size), { timeout: 60_000 });
        rounds.push(proxy.calls.map(({ method }) => method).sort());
        proxy.reset();
        letGo();
        letGo = proxy.hold(() => true);
      }
      letGo();
      await answer;
      expect(proxy.calls).toEqual([]);
      return rounds;
    }
    const first = [
      'getMultipleAccounts',
      'getProgramAccounts',
      'getProgramAccounts',
      'getProgramAccounts',
      'getTokenAccountsByOwner',
      'getTokenAccountsByOwner',
    ];
    // The farms that no vault or reserve names, then the mint that only one of them names.
    const wanted = [first, ['getMultipleAccounts'], ['getMultipleAccounts']];
    const sizes = wanted.map(({ length }) => length);
    expect(await roundsOf(() => read(wallet()), sizes)).toEqual(wanted);
    expect(await roundsOf(() => graph(PORTFOLIO_QUERY, { wallet: wallet() }), sizes)).toEqual(wanted);
  });
});

describe('/portfolio/{wallet}/rewards', () => {
  const rewards = async (query = '') =>
    (await read<{ farms: readonly Farm[] }>(wallet(), `/rewards${query}`)).farms;

  it('names the position of each stake', async () => {
    const farms = await rewards();
    const { vault, obligation, tokenMint } = world.localChain.addresses;
    expect(farms.find((each) => each.vault === vault)).toMatchObject({
      positionType: 'Lend',
      delegatee: wallet(),
      tokenMints: [tokenMint],
    });
    const { lending, multiply } = await read(wallet());
    const typesOf = (delegatee: string | undefined) =>
      new Set(farms.filter((each) => each.delegatee === delegatee).map(({ positionType }) => positionType));
    expect(lending.map((each) => [...typesOf(each.obligation)])).toEqual([['Borrow Markets']]);
    expect(lending[0]?.obligation).toBe(obligation);
    const [leveraged] = multiply as readonly (Obligation & Row)[];
    for (const each of farms.filter(({ delegatee }) => delegatee === leveraged?.obligation)) {
      expect(each.positionType).toBe('Multiply');
      expect(each.tokenMints).toEqual([leveraged?.depositMint, leveraged?.borrowMint]);
    }
    expect(farms.find((each) => each.farm === unpriced.farm)).toMatchObject({
      userState: unpriced.stake,
      positionType: 'Liquidity',
      activeStakeAmount: '3',
      strategy: STRATEGY,
      tokenMints: [UNPRICED],
    });
    expect(farms.find((each) => each.farm === priced.farm)).not.toHaveProperty('strategy');
    const { partialErrors } = await read<{ partialErrors: object }>(wallet(), '/rewards');
    expect(partialErrors).toEqual({ positionTokenMints: [STRATEGY], seasonFarms: [], rewardMetadata: [] });
  });

  it('sums up to the claimable rewards of the graph', async () => {
    const totals = new Map<string, Rational>();
    for (const { mint, amount } of (await rewards()).flatMap((farm) => farm.rewards))
      totals.set(mint, (totals.get(mint) ?? integer(0n)).add(exact(amount)));
    const { wallet: shown } = await graph<{
      wallet: { claimableRewards: readonly { amount: string; token: { mint: string } }[] };
    }>(
      'query ($wallet: Address!) { wallet(address: $wallet) { claimableRewards { amount token { mint } } } }',
      { wallet: wallet() },
    );
    expect(shown.claimableRewards.map(({ token }) => token.mint).sort()).toEqual([...totals.keys()].sort());
    expect(totals.size).toBeGreaterThan(0);
    for (const { amount, token } of shown.claimableRewards)
      expectExact(exact(amount), totals.get(token.mint) ?? integer(0n), token.mint);
  });

  it('has the requested types only', async () => {
    const [all, shared, constant] = await Promise.all(
      ['', '?rewardTypes=0', '?rewardTypes=1'].map((query) => rewards(query)),
    );
    const count = (farms: readonly Farm[] | undefined, type: number) =>
      (farms ?? []).flatMap((farm) => farm.rewards).filter((reward) => reward.type === type).length;
    expect(count(all, 1)).toBe(2);
    expect(count(all, 0)).toBeGreaterThan(0);
    expect([count(shared, 0), count(shared, 1)]).toEqual([count(all, 0), 0]);
    expect([count(constant, 0), count(constant, 1)]).toEqual([0, 2]);
  });
});

describe('a part that cannot be read', () => {
  it('is named in its section, and the others are answered', async () => {
    const whole = await read(wallet());
    try {
      cutShort(world.localChain, unpriced.farm);
      cutShort(world.localChain, whole.multiply[0]?.obligation as Address);
      const { sections, ...rows } = await read(wallet());
      const errors = [{ code: 'ACCOUNT_TOO_SHORT' }];
      for (const name of ['lending', 'multiply', 'leverage', 'staking'])
        expect([name, sections[name]?.errors]).toEqual([name, errors]);
      for (const name of ['earn', 'privateCredit']) expect(sections[name]?.errors).toEqual([]);
      expect(rows).toMatchObject({ lending: whole.lending, multiply: [], earn: whole.earn });
      expect(rows.staking.map(({ farm }) => farm)).toEqual([priced.farm]);
      const { farms, partialErrors } = await read<{ farms: readonly Farm[]; partialErrors: object }>(
        wallet(),
        '/rewards',
      );
      expect(farms.map(({ farm }) => farm)).not.toContain(unpriced.farm);
      expect(partialErrors).toEqual({
        positionTokenMints: [],
        seasonFarms: [],
        rewardMetadata: [unpriced.farm],
      });
    } finally {
      world.localChain.restore();
    }
  });

  it('does not fail the answer when one search fails; all of them do', async () => {
    const faulty = await startFaultyRpc();
    const env = { ...STILL, RPC_MAX_ATTEMPTS: '1' };
    const gateway = await startReadyApp({ rpcUrls: [faulty.rpc.url], env });
    const ask = () =>
      post(gateway, `/portfolio/${faulty.localChain.addresses.wallet}`, '', { method: 'GET' });
    const through = faulty.rpc.script;
    try {
      const whole = (await ask()).body as Portfolio;
      faulty.rpc.script = (call) => (call.method === 'getProgramAccounts' ? hangUp : through)(call);
      const { status, body } = await ask();
      const { sections, ...rows } = body as Portfolio;
      expect([status, rows.earn, rows.lending]).toEqual([200, whole.earn, []]);
      for (const name of ['lending', 'multiply', 'leverage', 'staking']) {
        expect(sections[name]).toMatchObject({ indexed: true, positionsRefreshedOn: null });
        expect(sections[name]?.errors).toEqual([{ code: expect.stringMatching(/^RPC_/) }]);
      }
      expect(sections.earn).toEqual(whole.sections.earn);
      faulty.rpc.script = hangUp;
      expect((await ask()).status).toBe(500);
    } finally {
      await gateway.stop();
      await faulty.stop();
    }
  });
});
