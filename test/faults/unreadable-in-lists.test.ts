import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, serveChain, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type Answer, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { serveSite } from '../support/http/browser.ts';
import { EventStream } from '../support/http/event-stream.ts';
import { type SocketSite, serveOnSocket } from '../support/http/socket-site.ts';

/** One gateway per executor, on a world in which a vault, a reserve and an obligation are cut short. */
const EXECUTORS = ['planned', 'graphql-js'] as const;

const localChain = new TestChain();
const { vault, reserve, obligation, wallet, market, tokenMint } = localChain.addresses;
const gateways = new Map<string, TestApp>();
let rpc: LocalnetRpc;
let site: SocketSite | undefined;

const cut = (address: Address) => {
  const good = accountIn(localChain, address);
  localChain.place(address, { ...good, data: good.data.slice(0, 500) });
};

beforeAll(async () => {
  for (const address of [vault, reserve, obligation]) cut(address);
  rpc = await serveChain(localChain);
  for (const executor of EXECUTORS) {
    const env = { ...STILL, GRAPHQL_EXECUTOR: executor };
    gateways.set(executor, await startReadyApp({ rpcUrls: [rpc.url], env }));
  }
});
afterEach(async () => {
  await site?.close();
  site = undefined;
});
afterAll(async () => {
  for (const gateway of gateways.values()) await gateway.stop();
  await rpc?.close();
});

const gatewayWith = (executor: string): TestApp => {
  const gateway = gateways.get(executor);
  if (gateway === undefined) throw new Error(`no gateway with ${executor}`);
  return gateway;
};

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly account: string;
  readonly path: readonly (string | number)[];
}
const warningsIn = ({ extensions }: Pick<Answer<unknown>, 'extensions'>) =>
  (extensions as { readonly warnings?: readonly Warning[] }).warnings;
const tooShort = (account: string, ...path: (string | number)[]) =>
  expect.objectContaining({ code: 'ACCOUNT_TOO_SHORT', account, path });

interface Listed {
  readonly totalCount: number;
  readonly nodes: readonly { readonly address: string }[];
  readonly edges: readonly { readonly node: { readonly address: string } }[];
}

describe.each(EXECUTORS)('lists with an unreadable account, executed by %s', (executor) => {
  const ask = async <T>(query: string, variables: object = {}) => {
    const answer = await gatewayWith(executor).query<T>(query, { variables: { ...variables } });
    expect(answer.errors).toEqual([]);
    return answer;
  };

  it('leave it out, do not count it, and name it once with the path of the list', async () => {
    const page = '(first: 100) { totalCount nodes { address } edges { node { address } } }';
    const answer = await ask<{ all: Listed; reserves: Listed }>(
      `{ all: vaults${page} reserves${page} markets(first: 100) { nodes { address } } }`,
    );
    const { all, reserves } = answer.data;
    expect(all.nodes.map(({ address }) => address)).not.toContain(vault);
    expect(all.edges.map(({ node }) => node)).toEqual(all.nodes);
    expect([all.totalCount, reserves.totalCount]).toEqual([all.nodes.length, reserves.nodes.length]);
    expect(warningsIn(answer)).toEqual([tooShort(vault, 'all'), tooShort(reserve, 'reserves')]);
    expect(warningsIn(answer)?.[0]?.message).toContain(vault);
  });

  it('name it in a list inside other lists once, by the first path', async () => {
    const answer = await ask<{ markets: { nodes: { reserves: { address: string }[] }[] } }>(
      '{ markets(first: 100) { nodes { reserves { address } elevationGroups { collateralReserves { address } } } } }',
    );
    const listed = answer.data.markets.nodes.flatMap(({ reserves }) =>
      reserves.map(({ address }) => address),
    );
    expect(listed.length).toBeGreaterThan(10);
    expect(listed).not.toContain(reserve);
    const paths = warningsIn(answer)?.map(({ account, path }) => [account, path.slice(0, 3), path.at(-1)]);
    expect(paths).toEqual([
      [reserve, ['markets', 'nodes', 0], 'reserves'],
      [reserve, ['markets', 'nodes', expect.any(Number)], 'collateralReserves'],
    ]);
  });

  it('name only accounts that a filter by address asks for', async () => {
    const query = 'query ($of: [Address!]!) { vaults(filter: { addresses: $of }) { nodes { address } } }';
    expect(warningsIn(await ask(query, { of: [vault, market] }))).toEqual([tooShort(vault, 'vaults')]);
    expect(warningsIn(await ask(query, { of: [market] }))).toBeUndefined();
  });

  it('have no warnings where every account can be read', async () => {
    expect(warningsIn(await ask('{ markets { nodes { address } } }'))).toBeUndefined();
  });

  it('name an obligation of a wallet, and one that was asked for by address', async () => {
    const query = `query ($owner: Address!, $of: [Address!]!) {
      wallet(address: $owner) { obligations(first: 100) { totalCount nodes { address } } }
      byOwner: obligations(scope: { owner: $owner }) { nodes { address } }
      byAddress: obligations(scope: { addresses: $of }) { totalCount nodes { address } }
    }`;
    const answer = await ask<{ wallet: { obligations: Listed }; byOwner: Listed; byAddress: Listed }>(query, {
      owner: wallet,
      of: [obligation, market],
    });
    for (const { nodes } of [answer.data.wallet.obligations, answer.data.byOwner, answer.data.byAddress]) {
      expect(nodes.map(({ address }) => address)).not.toContain(obligation);
    }
    expect(answer.data.byAddress).toEqual({ totalCount: 0, nodes: [] });
    const named = [...(warningsIn(answer) ?? [])].sort((a, b) => (a.path.join() < b.path.join() ? -1 : 1));
    expect(named.map(({ account, code, path }) => [account, code, path.join('.')])).toEqual([
      ...[
        [obligation, 'ACCOUNT_TOO_SHORT', 'byAddress'],
        [market, 'ACCOUNT_WRONG_DISCRIMINATOR', 'byAddress'],
      ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
      [obligation, 'ACCOUNT_TOO_SHORT', 'byOwner'],
      [obligation, 'ACCOUNT_TOO_SHORT', 'wallet.obligations'],
    ]);
  });

  it('keep their warnings when the objects around them are shared between requests', async () => {
    const query = 'query ($mint: Address!) { token(mint: $mint) { vaults { nodes { address } } } }';
    for (let time = 0; time < 4; time += 1) {
      // A comment makes it another request for the answer cache; the selection stays the same.
      const answer = await ask(`${query} # ${time}`, { mint: tokenMint });
      expect(warningsIn(answer)).toEqual([tooShort(vault, 'token', 'vaults')]);
    }
  });

  it('keep their warnings in a cached answer', async () => {
    site = await serveOnSocket(gatewayWith(executor).app);
    const body = JSON.stringify({ query: `{ vaults(first: 3) { nodes { name } } } # ${executor}` });
    const first = await site.post(body);
    const again = await site.post(body);
    expect([first.cached, again.cached, again.text]).toEqual([false, true, first.text]);
    expect(warningsIn(JSON.parse(again.text) as Answer<unknown>)).toEqual([tooShort(vault, 'vaults')]);
  });

  it('keep their warnings in the events of a subscription', async () => {
    const live = await serveSite(gatewayWith(executor).app.fetch);
    const stream = await EventStream.open(
      live.origin,
      `subscription ($wallet: Address!) { wallet(address: $wallet) { wallet { obligations { nodes { address } } } } }`,
      { variables: { wallet } },
    );
    const { data } = (await stream.next()) ?? {};
    stream.close();
    await live.close();
    expect(warningsIn({ extensions: data?.extensions ?? {} })).toEqual([
      tooShort(obligation, 'wallet', 'wallet', 'obligations'),
    ]);
  });
});
