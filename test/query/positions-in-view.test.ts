import { obligation } from '@sluice/protocol/klend/obligation';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POSITION_KEYS, POSITION_KINDS } from '../../src/chain/positions/position-kinds.ts';
import type { Positions } from '../../src/chain/positions/positions.ts';
import type { TestApp } from '../support/apps/test-app.ts';
import { startTwinApps, type TwinApps } from '../support/positions/twin-apps.ts';

/** Wallets compared one by one. */
const WALLETS = 40;

const WALLET_PAGE = `query ($wallet: Address!) { wallet(address: $wallet) {
  netValue { usd sol } referrer claimableRewards { token { mint } amount usd }
  vaultPositions { nodes { vault { address } stakedShares unstakedShares totalShares value { amount usd } } }
  stakes { address activeStake position positionMints rewards { amount { token { mint } amount } } obligation { address } }
  referralFees { address unclaimed { amount } claimable { amount } }
  withdrawTickets { nodes { address state collateral ticketsAhead amount { amount } amountAhead { amount } } }
  obligations { nodes {
    address accountData healthFactor loanToValue netValue { usd } liquidatable lastUpdateSlot
    deposits { reserveAddress amount { amount usd } } borrows { reserveAddress amount { amount usd } }
    borrowOrders { index remainingAmount }
  } }
} }`;
const ONE = `query ($address: Address!) { obligation(address: $address) { address healthFactor owner { address } } }`;
const RISK = `query ($market: Address!) { market(address: $market) { risk(shocks: [{ label: "half", prices: [] }]) {
  index { loans unreadable } borrowers largestBorrowers(first: 50) { owner loans debtUsd share }
  collateral { reserveAddress loans valueUsd share } debtEnds { fromDays toDays debts debtUsd }
  now { loans debtUsd liquidatable { loans debtUsd } badDebtUsd health { from to loans }
    liquidatableLoans(first: 100) { obligation debtUsd } }
} } }`;
const LIQUIDATABLE = `query ($market: Address!) {
  obligations(scope: { market: $market }, filter: { liquidatable: true }, orderBy: { field: HEALTH, direction: ASC }, first: 100) {
    totalCount nodes { address healthFactor } } }`;
const LISTED = `query ($market: Address!, $filter: ObligationFilter, $field: ObligationOrderField!, $direction: Direction!, $after: String) {
  obligations(scope: { market: $market }, filter: $filter, orderBy: { field: $field, direction: $direction }, first: 7, after: $after) {
    totalCount indexedAt pageInfo { hasNextPage endCursor }
    nodes { address tag healthFactor stats { userTotalDepositUsd userTotalBorrowUsd netAccountValueUsd }
      deposits { reserveAddress } borrows { reserveAddress } } } }`;

let twins: TwinApps;
beforeAll(async () => {
  twins = await startTwinApps();
}, 240_000);
afterAll(() => twins?.stop());

const positionsOf = (): Positions => {
  const { positions } = twins.resident.app.chain.views.current();
  if (positions === null) throw new Error('the View has no positions');
  return positions;
};

/** Wallets of every kind of account, some of each, and those that examples name. */
function wallets(): Address[] {
  const positions = positionsOf();
  const owners = POSITION_KINDS.flatMap((kind) => {
    const of = [...positions.all([kind])].map(({ account: { data } }) => {
      const at = POSITION_KEYS[kind].wallet;
      return addressFromBytes(data.slice(at, at + 32));
    });
    return [...new Set(of)].sort().slice(0, WALLETS / POSITION_KINDS.length);
  });
  const { wallet, emptyWallet, queuedWallet, referrer, orderingWallet, termWallet } = twins.chain.addresses;
  return [...new Set([...owners, wallet, emptyWallet, queuedWallet, referrer, orderingWallet, termWallet])];
}

/** Both answers, after checks that the second one took no RPC request. */
async function expectSame(document: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> {
  const [live, resident] = await Promise.all(
    [twins.polling, twins.resident].map((app) => app.query(document, { variables })),
  );
  expect(resident?.extensions.chain?.slot).toBe(live?.extensions.chain?.slot);
  expect(resident?.errors).toEqual(live?.errors);
  expect(live?.data).toBeTruthy();
  expect(resident?.data).toEqual(live?.data);
  expect(resident?.extensions.chain?.rpcRequests).toBe(0);
  return resident?.data;
}

async function listOf(app: TestApp, variables: Readonly<Record<string, unknown>>) {
  const nodes: Listed[] = [];
  let after: string | null = null;
  for (;;) {
    const answer: { readonly data: Page; readonly errors: readonly unknown[] } = await app.query<Page>(
      LISTED,
      {
        variables: { ...variables, after },
      },
    );
    expect(answer.errors).toEqual([]);
    const { nodes: page, pageInfo, totalCount } = answer.data.obligations;
    nodes.push(...page);
    if (!pageInfo.hasNextPage) return { nodes, totalCount };
    after = pageInfo.endCursor;
  }
}

interface Listed {
  readonly address: Address;
  readonly tag: string;
  readonly healthFactor: string | null;
  readonly stats: { readonly userTotalDepositUsd: string; readonly userTotalBorrowUsd: string } | null;
  readonly deposits: readonly { readonly reserveAddress: Address }[];
  readonly borrows: readonly { readonly reserveAddress: Address }[];
}
interface Page {
  readonly obligations: {
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    readonly nodes: readonly Listed[];
  };
}

/** Leaves out when each gateway built its View. */
const withoutBuildTimes = (key: string, value: unknown) => (key.endsWith('RefreshedOn') ? null : value);

describe('a gateway whose Views have positions', () => {
  it('has accounts of every kind', () => {
    const positions = positionsOf();
    for (const kind of POSITION_KINDS) expect(positions.count(kind), kind).toBeGreaterThan(0);
  });

  it('answers wallet pages like one that reads the chain, at every slot', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (const wallet of wallets()) await expectSame(WALLET_PAGE, { wallet });
      await twins.advance();
    }
  }, 240_000);

  it('answers obligations, loans, queues and borrow orders of markets like one that reads the chain', async () => {
    const { market, queuedMarket, termMarket, obligation: address, queuedReserve } = twins.chain.addresses;
    for (const each of new Set([market, queuedMarket, termMarket])) {
      await expectSame(RISK, { market: each });
      await expectSame(LIQUIDATABLE, { market: each });
      await expectSame(
        `query ($market: Address!) { market(address: $market) {
          borrowOrders(first: 100) { nodes { index remainingAmount obligation { address } } } } }`,
        { market: each },
      );
    }
    await expectSame(ONE, { address });
    await expectSame(ONE, { address: twins.chain.addresses.emptyWallet });
    await expectSame(
      `query ($address: Address!) { reserve(address: $address) { withdrawQueue { tickets amount { amount } } } }`,
      { address: queuedReserve },
    );
  }, 240_000);

  it('answers the REST paths of wallets like one that reads the chain, and lets them be cached', async () => {
    const { market, wallet, queuedWallet, vault } = twins.chain.addresses;
    const paths = [wallet, queuedWallet].flatMap((each) => [
      `/portfolio/${each}`,
      `/svc-market/${market}/users/${each}/obligations`,
      `/kvaults/users/${each}/positions`,
      `/kvaults/users/${each}/vaults/${vault}`,
    ]);
    for (const path of paths) {
      const [live, resident] = await Promise.all(
        [twins.polling, twins.resident].map(async (app) => {
          const response = await app.get(path);
          return {
            status: response.status,
            cache: response.headers.get('cache-control'),
            body: JSON.parse(await response.text(), withoutBuildTimes),
          };
        }),
      );
      expect(resident?.status, path).toBe(live?.status);
      expect(resident?.body, path).toEqual(live?.body);
    }
    const cached = await twins.resident.get(`/svc-market/${market}/users/${wallet}/obligations`);
    expect(cached.headers.get('cache-control')).not.toContain('no-cache');
  });

  it('lists the obligations of a market with any filter and order, without recorded history', async () => {
    const { market } = twins.chain.addresses;
    const positions = positionsOf();
    const expected = [...positions.within('obligation', market)]
      .map((account) => ({ account, value: obligation.decode(account, account.owner) }))
      .filter(({ value: { deposits, borrows } }) =>
        [...deposits, ...borrows].some(
          (each) => ('depositedAmount' in each ? each.depositedAmount : each.borrowedAmountSf) > 0n,
        ),
      )
      .map(({ account }) => account.address)
      .sort();
    const byAddress = await listOf(twins.resident, { market, field: 'ADDRESS', direction: 'ASC' });
    expect(byAddress.nodes.map(({ address }) => address)).toEqual(expected);
    expect(byAddress.totalCount).toBe(expected.length);
    expect(byAddress.nodes.some(({ borrows }) => borrows.length === 0)).toBe(true);
    for (const [field, keyOf] of [
      ['HEALTH', ({ healthFactor }: Listed) => healthFactor],
      ['DEPOSITED', ({ stats }: Listed) => stats?.userTotalDepositUsd ?? null],
      ['BORROWED', ({ stats }: Listed) => stats?.userTotalBorrowUsd ?? null],
    ] as const) {
      const { nodes } = await listOf(twins.resident, { market, field, direction: 'DESC' });
      expect(nodes.map(({ address }) => address).sort()).toEqual(expected);
      const keys = nodes
        .map((node) => keyOf(node))
        .filter((key) => key !== null)
        .map(Number);
      expect(keys).toEqual(keys.toSorted((a, b) => b - a));
    }
    const [some] = byAddress.nodes.flatMap(({ borrows }) => borrows);
    const filter = { borrowReserve: some?.reserveAddress, healthBelow: '2' };
    const filtered = await listOf(twins.resident, { market, filter, field: 'ADDRESS', direction: 'ASC' });
    const wanted = byAddress.nodes.filter(
      ({ borrows, healthFactor }) =>
        borrows.some(({ reserveAddress }) => reserveAddress === some?.reserveAddress) &&
        healthFactor !== null &&
        Number(healthFactor) < 2,
    );
    expect(filtered.nodes).toEqual(wanted);
    const answer = await twins.resident.query(LISTED, {
      variables: { market, field: 'NET_VALUE', direction: 'ASC' },
    });
    expect(answer.extensions.chain?.rpcRequests).toBe(0);
  }, 120_000);

  it('counts the holders of vaults without recorded history, like a scan of the chain', async () => {
    const { chain } = twins.polling.app;
    const view = twins.polling.app.chain.views.current();
    const vaults = [...view.all('vault').values()];
    for (const { address, value } of vaults) {
      const mint = view.get('mint', value.sharesMint);
      if (mint === undefined) continue;
      const farm = view.get('farm', value.vaultFarm);
      const pooled = new Set(farm === undefined ? [] : [farm.value.farmVault]);
      const shares = {
        mint: value.sharesMint,
        tokenProgram: mint.owner,
        farm: farm?.address ?? null,
        pooled,
      };
      const counted = await chain.countHolders(shares, AbortSignal.timeout(60_000));
      const answer = await twins.resident.query<{ readonly vault: { readonly holders: number | null } }>(
        'query ($address: Address!) { vault(address: $address) { holders } }',
        { variables: { address } },
      );
      expect(answer.data.vault.holders).toBe(counted);
      expect(answer.extensions.chain?.rpcRequests).toBe(0);
    }
  }, 120_000);

  it('shows an account that cannot be read as the chain does, and a closed one as gone', async () => {
    const { obligation: address, wallet } = twins.chain.addresses;
    const known = twins.chain.account(address);
    if (known === undefined) throw new Error('the world has no such obligation');
    const document = `query ($wallet: Address!) { wallet(address: $wallet) { obligations { nodes { address } } } }`;
    twins.chain.place(address, { ...known, data: known.data.slice(0, 2_000) });
    await twins.advance();
    const [live, resident] = await Promise.all(
      [twins.polling, twins.resident].map((app) => app.query(document, { variables: { wallet } })),
    );
    expect(JSON.parse(resident?.text ?? '').extensions.warnings).toEqual(
      JSON.parse(live?.text ?? '').extensions.warnings,
    );
    expect(resident?.data).toEqual(live?.data);
    expect(positionsOf().unreadable('obligation')).toBe(1);
    twins.chain.place(address, null);
    await twins.advance();
    await expectSame(document, { wallet });
    await expectSame(ONE, { address });
    twins.chain.restore();
    await twins.advance();
    expect(positionsOf().unreadable('obligation')).toBe(0);
    await expectSame(WALLET_PAGE, { wallet });
  }, 120_000);

  it('still reads what it builds a transaction from', async () => {
    const { wallet, vault } = twins.chain.addresses;
    for (const [action, input] of [
      ['VaultDeposit', { wallet, vault, amount: { tokens: '1' } }],
      ['ClaimRewards', { wallet }],
    ] as const) {
      const type = action === 'VaultDeposit' ? 'VaultDepositInput' : 'ClaimRewardsInput';
      const answer = await twins.resident.query(
        `mutation ($input: ${type}!) { build${action}(input: $input) { __typename } }`,
        { variables: { input } },
      );
      expect(answer.errors).toEqual([]);
      expect(answer.extensions.chain?.rpcRequests, action).toBeGreaterThan(action === 'ClaimRewards' ? 1 : 0);
    }
  });

  it('answers an older View with the positions of that View', async () => {
    const { wallet, obligation: address } = twins.chain.addresses;
    const before = await twins.resident.query(WALLET_PAGE, { variables: { wallet } });
    twins.chain.place(address, null);
    await twins.advance();
    const after = await twins.resident.query(WALLET_PAGE, { variables: { wallet } });
    const again = await twins.resident.query(WALLET_PAGE, {
      variables: { wallet },
      headers: { 'x-view': before.extensions.chain?.view ?? '' },
    });
    expect(again.data).toEqual(before.data);
    expect(after.data).not.toEqual(before.data);
    twins.chain.restore();
    await twins.advance();
  });

  it('reads the chain again once the source has lost them', async () => {
    const { wallet } = twins.chain.addresses;
    twins.source.lose();
    await twins.advance();
    const answer = await twins.resident.query(WALLET_PAGE, { variables: { wallet } });
    expect(answer.extensions.chain?.rpcRequests).toBeGreaterThan(0);
    await twins.source.load(twins.resident.app.chain.views.current());
    await twins.advance();
    await expectSame(WALLET_PAGE, { wallet });
  });
});
