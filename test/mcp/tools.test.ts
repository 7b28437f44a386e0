import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { connectMcp, type Era, type McpSession } from '../support/mcp/mcp-client.ts';

let acting: ActingApp;
let modern: McpSession;
let legacy: McpSession;

beforeAll(async () => {
  acting = await startActingApp({ recorder: true });
  modern = await connectMcp(acting.gateway.app, 'modern');
  legacy = await connectMcp(acting.gateway.app, 'legacy');
});
afterAll(async () => {
  await modern?.close();
  await legacy?.close();
  await acting?.stop();
});

const sessions: readonly (readonly [Era, () => McpSession])[] = [
  ['modern', () => modern],
  ['legacy', () => legacy],
];

/** The same field of the GraphQL API in the same View. */
async function graph<T>(view: string, document: string): Promise<T> {
  const { data, errors } = await acting.gateway.query<T>(document, { headers: { 'x-view': view } });
  expect(errors).toEqual([]);
  return data;
}

describe('the server', () => {
  it('speaks the revision of 2026 without a handshake, and those of 2025', () => {
    expect(modern.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect(legacy.client.getNegotiatedProtocolVersion()).toBe('2025-11-25');
    expect(legacy.client.getInstructions()).toContain('{"untrusted": "..."}');
  });

  it('lists seven tools that read only, each with schemas of its input and answer', () => {
    const names = ['discover', 'inspect', 'history', 'simulate', 'prepare', 'explain_transaction', 'graphql'];
    for (const [, session] of sessions) {
      const { tools } = session();
      expect(tools.map(({ name }) => name)).toEqual(names);
      for (const { name, annotations, inputSchema, outputSchema } of tools) {
        expect(annotations, name).toMatchObject({
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: name !== 'prepare',
          openWorldHint: true,
        });
        expect([inputSchema.type, outputSchema?.type], name).toEqual(['object', 'object']);
        expect(outputSchema?.required, name).toEqual(['data', 'chain']);
      }
    }
  });

  it('takes the actions that the builders take, each with exactly one', () => {
    const defs = modern.tools.find(({ name }) => name === 'prepare')?.inputSchema.$defs;
    const { BuildAction, AmountInput } = (defs ?? {}) as Record<string, Record<string, object>>;
    expect(Object.keys(BuildAction?.properties ?? {})).toContain('vaultDeposit');
    expect(BuildAction).toMatchObject({ minProperties: 1, maxProperties: 1 });
    expect(AmountInput).toMatchObject({ minProperties: 1, maxProperties: 1 });
  });

  it('has the GraphQL schema as a resource', async () => {
    for (const [, session] of sessions) {
      const { resources } = await session().client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(['sluice://schema.graphql']);
      const { contents } = await session().client.readResource({ uri: 'sluice://schema.graphql' });
      expect(contents[0]).toMatchObject({ mimeType: 'application/graphql' });
      expect(JSON.stringify(contents)).toContain('type Vault implements Node');
      await expect(session().client.readResource({ uri: 'sluice://secrets' })).rejects.toThrow(
        /no such resource/,
      );
    }
  });
});

describe.each(sessions)('over HTTP with the %s revision', (_era, session) => {
  it('discovers vaults by filter, with the figures of the graph', async () => {
    const { chain, data } = await session().call<{
      vaults: {
        totalCount: number;
        pageInfo: { endCursor: string };
        edges: { node: { address: string; totalValue: object } }[];
      };
    }>('discover', {
      find: { vaults: { filter: { tokenSymbol: 'USDC' }, orderBy: { field: 'CURRENT_APY' } } },
      first: 2,
    });
    const document = (after: string) => `{
      vaults(filter: { tokenSymbol: "USDC" }, orderBy: { field: CURRENT_APY }, first: 2${after}) {
        totalCount nodes { address totalValue { amount usd } }
      }
    }`;
    type Vaults = { vaults: { totalCount: number; nodes: object[] } };
    const { vaults } = await graph<Vaults>(chain.view, document(''));
    expect(data.vaults.totalCount).toBe(vaults.totalCount);
    expect(data.vaults.edges.map(({ node }) => node)).toMatchObject(vaults.nodes);
    expect(chain.slot).toMatch(/^\d+$/);

    const { endCursor: after } = data.vaults.pageInfo;
    const next = await session().call<typeof data>('discover', {
      find: { vaults: { filter: { tokenSymbol: 'USDC' }, orderBy: { field: 'CURRENT_APY' } } },
      first: 2,
      after,
    });
    const page = await graph<Vaults>(chain.view, document(`, after: "${after}"`));
    expect(next.data.vaults.edges.map(({ node }) => node)).toMatchObject(page.vaults.nodes);
  });

  it('discovers reserves, markets and loans', async () => {
    const { wallet, obligation, market } = acting.localnet.addresses;
    const found = async (find: object) =>
      JSON.stringify(await session().call('discover', { find, first: 50 }));
    expect(await found({ reserves: { filter: { market } } })).toContain(acting.localnet.addresses.reserve);
    expect(await found({ markets: {} })).toContain(market);
    expect(await found({ obligations: { scope: { owner: wallet } } })).toContain(obligation);
  });

  it('inspects an address of any kind without the kind', async () => {
    const {
      vault,
      reserve,
      market,
      obligation,
      tokenMint,
      wallet,
      emptyWallet,
      queuedReserve,
      queuedWallet,
    } = acting.localnet.addresses;
    const figures: readonly (readonly [Address, string, string])[] = [
      [
        vault,
        `vault(address: "${vault}")`,
        'currentApy { total } nameVerified curator { address verified checkedAt }',
      ],
      [reserve, `reserve(address: "${reserve}")`, 'borrowApy { total } utilization'],
      [market, `market(address: "${market}")`, 'totals { suppliedUsd }'],
      [obligation, `obligation(address: "${obligation}")`, 'healthFactor stats { loanToValue }'],
      [tokenMint, `token(mint: "${tokenMint}")`, 'price { usd }'],
      [wallet, `wallet(address: "${wallet}")`, 'netValue { usd }'],
      [emptyWallet, `wallet(address: "${emptyWallet}")`, 'netValue { usd }'],
      [
        queuedReserve,
        `reserve(address: "${queuedReserve}")`,
        'withdrawQueue { tickets payable { amount } missing { amount } paymentBlock }',
      ],
      [
        queuedWallet,
        `wallet(address: "${queuedWallet}")`,
        'withdrawTickets { nodes { ticketsAhead amountAhead { amount } payable { amount } estimate { state } } }',
      ],
    ];
    for (const [address, field, selection] of figures) {
      const { chain, data } = await session().call<Record<string, unknown>>('inspect', { address });
      expect(data).toMatchObject(await graph<object>(chain.view, `{ ${field} { ${selection} } }`));
    }
  });

  it('shows the recorded history', async () => {
    const { vault, reserve } = acting.localnet.addresses;
    type Series = { metricsHistory: { points: { totalValueUsd: string }[] } };
    const ask = () =>
      session().call<{ vault: Series }>('history', { address: vault, last: 'D7', interval: 'HOUR' });
    await vi.waitUntil(async () => (await ask()).data.vault.metricsHistory.points.length > 0, {
      timeout: 120_000,
      interval: 500,
    });
    const { chain, data } = await ask();
    const field = `{ vault(address: "${vault}") { metricsHistory(last: D7, interval: HOUR) { points { timestamp } } } }`;
    expect(data).toMatchObject(await graph<object>(chain.view, field));
    const rates = await session().call<object>('history', {
      address: reserve,
      kind: 'reserve',
      maxPoints: 5,
    });
    expect(JSON.stringify(rates.data)).toContain('borrowInterestApy');
  });

  it('shows transactions, page by page', async () => {
    const { vault, tokenMint, market } = acting.localnet.addresses;
    const signer = await acting.newWallet({ [tokenMint]: 100_000_000n });
    const deposit = { vaultDeposit: { wallet: signer.address, vault, amount: { tokens: '7' } } };
    const { data: prepared } = await session().call<Prepared>('prepare', { actions: [deposit] });
    const { signature, headers } = await acting.send(
      'RPC',
      prepared.buildPlan.transactions[0]?.base64 ?? '',
      signer,
    );
    const ask = () =>
      session().call<{ wallet: { vaultTransactions: { edges: { node: object }[] } } }>('history', {
        address: signer.address,
        kind: 'wallet',
        show: 'vault-transactions',
        minSlot: headers['x-min-slot'],
      });
    await vi.waitUntil(async () => (await ask()).data.wallet.vaultTransactions.edges.length > 0, {
      timeout: 120_000,
      interval: 500,
    });
    expect((await ask()).data.wallet.vaultTransactions.edges).toMatchObject([
      { node: { signature, kind: 'DEPOSIT', vault: { address: vault } } },
    ]);
    const none = await session().failure('history', { address: market, show: 'lending-transactions' });
    expect(none).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('obligation, wallet'),
    });
  });

  it('simulates actions, prices and a target', async () => {
    const { wallet, vault, obligation, borrowReserve, depositReserve, market, tokenMint } =
      acting.localnet.addresses;
    const actions = [{ vaultDeposit: { wallet, vault, amount: { tokens: '10' } } }];
    const preview = await session().call<{ preview: object }>('simulate', { suppose: { actions } });
    expect(preview.data).toMatchObject(
      await graph<object>(
        preview.chain.view,
        `{ preview(action: { vaultDeposit: { wallet: "${wallet}", vault: "${vault}", amount: { tokens: "10" } } }) {
          ... on Preview { shares { before after } } } }`,
      ),
    );

    const shock = { mint: tokenMint, changePct: -20 };
    const supposed = await session().call<object>('simulate', {
      suppose: { whatIf: { subject: { obligation }, prices: [shock], days: 30 } },
    });
    expect(supposed.data).toMatchObject(
      await graph<object>(
        supposed.chain.view,
        `{ obligation(address: "${obligation}") { whatIf(prices: [{ mint: "${tokenMint}", changePct: -20 }], days: 30) {
          healthFactor netValueUsd } } }`,
      ),
    );
    for (const subject of [{ wallet }, { market }]) {
      const { data } = await session().call<object>('simulate', {
        suppose: { whatIf: { subject, prices: [shock] } },
      });
      expect(JSON.stringify(data)).toContain('badDebtUsd');
    }

    const byCollateral = await session().call<object>('simulate', {
      suppose: {
        toReachWithCollateral: {
          obligation,
          healthFactor: 20,
          repayReserve: borrowReserve,
          withdrawReserve: depositReserve,
          swapLossBps: 50,
        },
      },
    });
    expect(byCollateral.data).toMatchObject(
      await graph<object>(
        byCollateral.chain.view,
        `{ obligation(address: "${obligation}") { toReachWithCollateral(healthFactor: 20, swapLossBps: 50,
          repayReserve: "${borrowReserve}", withdrawReserve: "${depositReserve}") {
          limit repay { baseUnits } withdraw { baseUnits } } } }`,
      ),
    );
    const target = await session().call<object>('simulate', {
      suppose: { toReach: { obligation, healthFactor: 2, by: 'REPAY', reserve: borrowReserve } },
    });
    expect(target.data).toMatchObject(
      await graph<object>(
        target.chain.view,
        `{ obligation(address: "${obligation}") { toReach(healthFactor: 2, by: REPAY, reserve: "${borrowReserve}") {
          amount { baseUnits } } } }`,
      ),
    );
  });

  it('executes a query of the caller in the View that it names', async () => {
    const { chain, data } = await session().call<object>('graphql', {
      query: 'query Largest($n: Int!) { vaults(first: $n) { nodes { address totalValue { usd } } } }',
      variables: { n: 3 },
    });
    const field = '{ vaults(first: 3) { nodes { address totalValue { usd } } } }';
    expect(data).toEqual(await graph<object>(chain.view, field));
    const again = await session().call<object>('graphql', { query: field, view: chain.view });
    expect([again.chain.view, again.data]).toEqual([chain.view, data]);
  });
});

interface Prepared {
  readonly buildPlan: {
    readonly transactions: readonly { readonly base64: string; readonly signers: readonly string[] }[];
    readonly steps: readonly { readonly summary: { readonly untrusted: string } }[];
    readonly bundle: {
      readonly instructions: readonly { readonly summary: { readonly untrusted: string } }[];
    };
    readonly preview: { readonly shares: { readonly before: string; readonly after: string } };
    readonly simulation: {
      readonly success: boolean;
      readonly balanceChanges: readonly {
        readonly change: { readonly amount: string; readonly token: { readonly mint: string } };
      }[];
    };
    readonly warnings: readonly unknown[];
  };
}

describe('prepare', () => {
  it('returns a transaction that the chain accepts once the wallet has signed it', async () => {
    const { vault, tokenMint } = acting.localnet.addresses;
    for (const [, session] of sessions) {
      const wallet = await acting.newWallet({ [tokenMint]: 100_000_000n });
      // The faucets moved time: in an older View the shares can differ by the interest of those slots.
      const headers = { 'x-min-slot': String(acting.localnet.chain.slot) };
      expect((await acting.gateway.query('{ chain { slot } }', { headers })).errors).toEqual([]);
      const actions = [{ vaultDeposit: { wallet: wallet.address, vault, amount: { tokens: '25' } } }];
      const { data } = await session().call<Prepared>('prepare', { actions });
      const { transactions, steps, bundle, preview, simulation, warnings } = data.buildPlan;
      expect([transactions.length, simulation.success, warnings]).toEqual([1, true, []]);
      expect(transactions[0]?.signers).toEqual([wallet.address]);
      expect(steps[0]?.summary.untrusted).toContain('25');
      expect(bundle.instructions.map(({ summary }) => summary.untrusted).join('\n')).toMatch(/deposit/i);

      const explained = await session().result('explain_transaction', {
        transaction: transactions[0]?.base64 ?? '',
      });
      expect(explained.content[0]).toMatchObject({
        text: expect.stringMatching(/0 unknown programs. Simulation: succeeds. Warnings: none/),
      });

      const effects = await session().call<object>('explain_transaction', {
        transaction: transactions[0]?.base64 ?? '',
      });
      expect(effects.data).toMatchObject({
        explainTransaction: {
          effects: {
            vaultPositions: [{ vaultAddress: vault, totalShares: { after: preview.shares.after } }],
          },
        },
      });

      const landed = await acting.send('RPC', transactions[0]?.base64 ?? '', wallet);
      // The program takes what the shares cost, rounded up: the amount, or a base unit less by the price of that slot.
      const paid = 100_000_000n - (await acting.tokens(wallet.address, tokenMint));
      expect([24_999_999n, 25_000_000n]).toContain(paid);
      const ofToken = simulation.balanceChanges.filter(({ change }) => change.token.mint === tokenMint);
      expect(
        ofToken.map(({ change }) => parseDecimal(change.amount).mul(integer(1_000_000)).floor()),
      ).toEqual([-paid]);
      const minSlot = landed.headers['x-min-slot'];
      type Portfolio = { wallet: { vaultPositions: { nodes: { totalShares: string }[] } } };
      const after = await session().call<Portfolio>('inspect', {
        address: wallet.address,
        kind: 'wallet',
        minSlot,
      });
      expect(after.data.wallet.vaultPositions.nodes[0]?.totalShares).toBe(preview.shares.after);
    }
  });

  it('refuses a plan that cannot work with its code and step, and builds nothing', async () => {
    const { wallet, vault, market, borrowReserve } = acting.localnet.addresses;
    const deposit = { vaultDeposit: { wallet, vault, amount: { tokens: '1' } } };
    const borrow = {
      lendingBorrow: { wallet, market, reserve: borrowReserve, amount: { tokens: '999999999' } },
    };
    expect(await modern.failure('prepare', { actions: [deposit, borrow] })).toMatchObject({
      code: 'BUILD_REFUSED',
      retryable: false,
      context: { step: 1 },
    });
    expect(await modern.failure('prepare', { actions: [{ ...deposit, ...borrow }] })).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('actions.0: Give exactly one of'),
    });
  });
});

describe('a wrong call', () => {
  it('is answered with a code and what to do', async () => {
    const { vault, obligation } = acting.localnet.addresses;
    const wrong: readonly (readonly [string, object, string, string])[] = [
      ['inspect', { address: 'nonsense' }, 'ADDRESS_INVALID', 'base58'],
      ['inspect', { address: vault, kind: 'reserve' }, 'ACCOUNT_WRONG_OWNER', 'not a Reserve'],
      ['inspect', { address: vault, colour: 'red' }, 'BAD_REQUEST', 'arguments: address, kind'],
      ['inspect', {}, 'BAD_REQUEST', 'address'],
      ['inspect', { address: vault, view: 'gone-1' }, 'VIEW_GONE', 'gone-1'],
      ['inspect', { address: vault, cursor: 'x' }, 'CURSOR_INVALID', 'not a cursor'],
      ['discover', { find: { vaults: {}, markets: {} } }, 'BAD_REQUEST', 'exactly one of'],
      ['discover', { find: { vaults: { filter: { colour: 1 } } } }, 'BAD_REQUEST', 'colour'],
      ['simulate', { suppose: { actions: [{ fly: {} }] } }, 'GRAPHQL_VALIDATION_FAILED', 'fly'],
      [
        'simulate',
        { suppose: { whatIf: { subject: { market: acting.localnet.addresses.market }, days: 3 } } },
        'BAD_REQUEST',
        'prices only',
      ],
      ['explain_transaction', { transaction: 'AAAA' }, 'TRANSACTION_MALFORMED', ''],
      ['graphql', { query: '{ nothing }' }, 'GRAPHQL_VALIDATION_FAILED', 'nothing'],
      ['graphql', { query: '{' }, 'GRAPHQL_PARSE_FAILED', 'Syntax Error'],
    ];
    for (const [name, args, code, words] of wrong) {
      const error = await modern.failure(name, { ...args });
      expect([error.code, error.retryable], JSON.stringify(args)).toEqual([code, false]);
      expect(error.message).toContain(words);
    }
    await expect(modern.result('send', { transaction: obligation })).rejects.toThrow(
      /no such tool. Tools: discover/,
    );
  });

  it('cannot build, send or subscribe through the query tool', async () => {
    const { wallet, vault } = acting.localnet.addresses;
    const documents = [
      `mutation { buildVaultDeposit(input: { wallet: "${wallet}", vault: "${vault}", amount: { tokens: "1" } }) { __typename } }`,
      'mutation { sendTransaction(input: { transaction: "AAAA" }) { __typename } }',
      'subscription { chain { slot } }',
    ];
    for (const query of documents) {
      const error = await modern.failure('graphql', { query });
      expect(error).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining('queries only') });
    }
    const two = `query Read { chain { slot } } ${documents[1]?.replace('mutation', 'mutation Send')}`;
    expect((await modern.failure('graphql', { query: two, operationName: 'Send' })).code).toBe('BAD_REQUEST');
    const read = await modern.call<object>('graphql', { query: two, operationName: 'Read' });
    expect(read.data).toMatchObject({ chain: { slot: read.chain.slot } });
  });
});
