import { createHash } from 'node:crypto';
import type { ChainTransaction } from '@sluice/localnet/chain';
import { userState } from '@sluice/protocol/farms/user-state';
import { WAD } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { FarmEvent } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { type LendingWorld, startLendingWorld } from '../support/apps/lending-history-app.ts';
import { writeFarmEvents } from '../support/history/lending-events.ts';
import { named } from '../support/history/samples.ts';
import { eventsOf } from '../support/ingest/world-events.ts';
import { allTransactions, confirmed } from '../support/localnet/confirmed-transactions.ts';

interface Row {
  readonly createdOn: string;
  readonly transactionSignature: string;
  readonly instruction: string;
  readonly tokenAmount: string;
  readonly usdAmount: string;
  readonly farm: string;
  readonly token: string;
}
interface Page {
  readonly result: readonly Row[];
  readonly paginationToken?: string;
}

let world: LendingWorld;
let events: readonly FarmEvent[];
let wallets: Address[];
let chain: ReadonlyMap<string, ChainTransaction>;

beforeAll(async () => {
  world = await startLendingWorld();
  events = eventsOf(world.localChain.worldChain).farmEvents;
  await writeFarmEvents(world.history.db, events);
  const counts = new Map<Address, number>();
  for (const { wallet } of events) counts.set(wallet, (counts.get(wallet) ?? 0) + 1);
  wallets = [...counts].sort(([, a], [, b]) => b - a).map(([wallet]) => wallet);
  await world.read([...wallets, ...new Set(events.map(({ farm }) => farm))]);
  chain = new Map(allTransactions(world.localChain.worldChain).map((each) => [each.signature, each]));
});
afterAll(() => world?.stop());

async function get(url: string): Promise<Page> {
  const { status, body } = await world.get(url);
  expect([url, status, status === 200 ? null : body]).toEqual([url, 200, null]);
  return body as Page;
}

const ofUser = (wallet: string, query = '') => get(`/farms/users/${wallet}/transactions${query}`);
const ofFarm = (farm: string, query = '') => get(`/farms/${farm}/transactions${query}`);

async function everyPage(read: (query: string) => Promise<Page>, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let token: string | undefined = '', first = true; first || token !== undefined; first = false) {
    const page: Page = await read(`?limit=${limit}${token ? `&paginationToken=${token}` : ''}`);
    expect(page.result.length).toBeLessThanOrEqual(limit);
    rows.push(...page.result);
    token = page.paginationToken;
  }
  return rows;
}

/** The eight bytes that Anchor puts before the arguments. */
const discriminator = (name: string) =>
  createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);

const CALLS: Readonly<Record<string, string>> = {
  deposit: discriminator('stake'),
  'pending-withdraw': discriminator('unstake'),
  withdraw: discriminator('withdraw_unstaked_deposits'),
  claim: discriminator('harvest_reward'),
};

const baseUnits = (amount: string, decimals: number) => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};

const decimalsOf = (mint: string) => world.view.get('mint', mint as Address)?.value.decimals ?? 0;

describe('farm transactions of a wallet', () => {
  it('are those of the chain: the instruction, the farm, and the tokens that moved', async () => {
    const kinds = new Set<string>();
    for (const wallet of wallets.slice(0, 8)) {
      for (const row of (await ofUser(wallet)).result) {
        const transaction = chain.get(row.transactionSignature);
        if (transaction === undefined) throw new Error(`${row.transactionSignature} is not on the chain`);
        expect(Date.parse(row.createdOn)).toBe(transaction.blockTime * 1_000);
        const { instructions, innerInstructions, ...balances } = confirmed(transaction);
        const calls = [...instructions, ...innerInstructions.flatMap((inner) => inner.instructions)].filter(
          ({ programAddress, data }) =>
            programAddress === MAINNET_PROGRAMS.farms &&
            Buffer.from(data.subarray(0, 8)).toString('hex') === CALLS[row.instruction],
        );
        expect(calls.some(({ accounts }) => accounts.includes(row.farm as Address))).toBe(true);
        kinds.add(row.instruction);
        if (row.instruction === 'pending-withdraw') continue;
        const before = new Map(
          balances.preTokenBalances.map((each) => [each.accountIndex, each.amount] as const),
        );
        const changes = balances.postTokenBalances
          .filter(({ mint }) => mint === row.token)
          .map(({ accountIndex, amount }) => amount - (before.get(accountIndex) ?? 0n));
        const moved = baseUnits(row.tokenAmount, decimalsOf(row.token));
        expect(changes.some((change) => change === moved || change === -moved)).toBe(true);
      }
    }
    expect(kinds.size).toBeGreaterThanOrEqual(3);
  });

  it('add up to the stake that the farm has of it', async () => {
    const { world: model } = world.localChain.worldChain;
    let compared = 0;
    for (const wallet of model.wallets.filter(({ stakes }) => stakes.size > 0).slice(0, 10)) {
      const rows = await everyPage((query) => ofUser(wallet.address, query), 1_000);
      for (const [farm, state] of wallet.stakes) {
        const { farm: _, ...vault } = model.vaults.find((each) => each.farm?.address === farm) ?? {};
        if (!('sharesMint' in vault)) continue;
        const sumOf = (instruction: string) =>
          rows
            .filter((row) => row.farm === farm && row.instruction === instruction)
            .reduce((sum, row) => sum + baseUnits(row.tokenAmount, decimalsOf(row.token)), 0n);
        const { activeStakeScaled } = userState.decode(
          accountIn(world.localChain, state.address),
          MAINNET_PROGRAMS.farms,
        );
        expect([farm, sumOf('deposit') - sumOf('withdraw')]).toEqual([farm, activeStakeScaled / WAD]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(5);
  });

  it('have the same rows in pages of any size, and in reverse', async () => {
    const [wallet = ''] = wallets;
    const all = (await ofUser(wallet)).result;
    expect(all.length).toBeGreaterThan(5);
    expect(await everyPage((query) => ofUser(wallet, query), 2)).toEqual(all);
    expect((await ofUser(wallet, '?sort=asc')).result).toEqual(all.toReversed());
    expect(await everyPage((query) => ofUser(wallet, `${query}&sort=asc`), 3)).toEqual(all.toReversed());
  });

  it('are empty for one without any', async () => {
    const { emptyWallet } = world.localChain.addresses;
    await world.read([emptyWallet]);
    expect(await ofUser(emptyWallet)).toEqual({ result: [] });
  });

  it('are valued at the recorded price, and unknown without one', async () => {
    const claim = events.find(({ kind }) => kind === 'harvest');
    if (claim?.mint === undefined || claim.mint === null) throw new Error('nothing was harvested');
    const rowOf = async () =>
      (await ofUser(claim.wallet, '?limit=1000')).result.find(
        (row) => row.transactionSignature === claim.signature && row.token === claim.mint,
      );
    expect((await rowOf())?.usdAmount).toBe('0');
    const headers = (await world.get(`/farms/users/${claim.wallet}/transactions`)).headers;
    expect(headers.get('x-unknown')).toContain('result.usdAmount');
    const at = new Date(claim.time * 1_000);
    await world.record(HOUR, [{ at, solUsd: '20', reserves: {}, stakeRates: { [claim.mint]: '1' } }]);
    const row = await rowOf();
    expect(row?.usdAmount).toBe(row?.tokenAmount);
    await world.forget();
  });
});

describe('transactions of a farm', () => {
  it('are those of all wallets with it', async () => {
    const { farm } = world.localChain.addresses;
    const rows = await everyPage((query) => ofFarm(farm, query), 1_000);
    const wanted = events.filter((each) => each.farm === farm);
    expect(rows.map((row) => row.transactionSignature).sort()).toEqual(
      wanted.map(({ signature }) => signature).sort(),
    );
    expect(rows[0]).not.toHaveProperty('farm');
    expect(rows[0]).not.toHaveProperty('token');
  });

  it('are reported as incomplete in a header until all are read', async () => {
    const { farm } = world.localChain.addresses;
    const url = `/farms/${farm}/transactions`;
    expect((await world.get(url)).headers.get('x-complete')).toBeNull();
    await world.read([farm], false);
    expect((await world.get(url)).headers.get('x-complete')).toBe('false');
    await world.read([farm]);
  });
});

describe('the management history of a farm', () => {
  it('has what its administration did, which is no transaction of a staker', async () => {
    const { farm, vault, tokenMint } = world.localChain.addresses;
    const before = await ofFarm(farm, '?limit=1');
    const admin = named('admin of the farm');
    const shared = { kind: 'manage', farm: farm as Address, wallet: admin, slot: 9_000n } as const;
    const setting = {
      instruction: 'updateFarmConfig',
      rewardIndex: 0,
      configMode: 'UpdateRewardRps',
      details: { mode: 0, rewardIndex: 0, value: '5000' },
    };
    const added = {
      instruction: 'addRewards',
      rewardIndex: 0,
      configMode: null,
      details: { amount: '2500000', rewardIndex: 0 },
    };
    const time = 1_780_000_000;
    await writeFarmEvents(world.history.db, [
      { ...shared, signature: 'first', time, index: 0, mint: null, amount: null, management: setting },
      {
        ...shared,
        slot: 9_001n,
        signature: 'second',
        time: time + 60,
        index: 0,
        mint: tokenMint as Address,
        amount: 2_500_000n,
        management: added,
      },
    ]);
    const url = `/farms/${farm}/management-history`;
    const { body } = await world.get(url);
    const common = { farm, signer: admin, usdAmount: null };
    const [reward] = world.view.get('farm', farm as Address)?.value.rewardInfos ?? [];
    const rows = [
      {
        ...common,
        ...added,
        createdOn: new Date((time + 60) * 1_000).toISOString(),
        transactionSignature: 'second',
        tokenAmount: '2.5',
        token: tokenMint,
      },
      {
        ...common,
        ...setting,
        createdOn: new Date(time * 1_000).toISOString(),
        transactionSignature: 'first',
        tokenAmount: null,
        token: reward?.token.mint,
      },
    ];
    expect(body).toEqual({ result: rows });
    const { body: first } = await world.get(`${url}?sort=asc&limit=1`);
    expect(first).toEqual({ result: [rows[1]], paginationToken: expect.any(String) });
    const { paginationToken } = first as Page;
    const { body: second } = await world.get(`${url}?sort=asc&limit=1&paginationToken=${paginationToken}`);
    expect(second).toEqual({ result: [rows[0]] });
    expect(await ofFarm(farm, '?limit=1')).toEqual(before);

    const { data, errors } = await world.query<{ vault: { farm: { managementHistory: object } } }>(
      `{ vault(address: "${vault}") { farm { managementHistory(first: 1) { complete
        nodes { instruction signer { address } rewardIndex configMode details tokenMint amount { amount } } } } } }`,
    );
    expect(errors).toEqual([]);
    expect(data.vault.farm.managementHistory).toEqual({
      complete: true,
      nodes: [{ ...added, signer: { address: admin }, tokenMint, amount: { amount: '2.5' } }],
    });
  });
});

describe('a pagination token', () => {
  it('is refused by any other query', async () => {
    const [one = '', other = ''] = wallets;
    const { paginationToken } = await ofUser(one, '?limit=1');
    for (const url of [
      `/farms/users/${other}/transactions?paginationToken=${paginationToken}`,
      `/farms/users/${one}/transactions?sort=asc&paginationToken=${paginationToken}`,
      `/farms/${world.localChain.addresses.farm}/transactions?paginationToken=${paginationToken}`,
    ]) {
      const { status, body } = await world.get(url);
      expect([status, body]).toMatchObject([400, { details: [{ path: ['paginationToken'] }] }]);
    }
  });
});
