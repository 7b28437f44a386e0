import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  type PositionWorld,
  SOMEONE,
  startPositionWorld,
} from '../support/apps/position-history-app.ts';

let world: PositionWorld;
beforeAll(async () => {
  world = await startPositionWorld();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  await world.forget();
  await world.forgetEvents();
});

interface Node {
  readonly id: string;
  readonly kind: string;
  readonly createdAt: string;
  readonly signature: string;
  readonly shares: string;
  readonly latestPosition: boolean;
  readonly tokens: { readonly amount: string; readonly usd: string | null; readonly sol: string | null };
  readonly sharePriceUsd: string | null;
  readonly tokenPriceUsd: string | null;
  readonly solPriceUsd: string | null;
  readonly valueUsd: string | null;
}
interface Connection {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly cursor: string }[];
  readonly totalCount: number | null;
  readonly complete: boolean;
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly endCursor: string | null;
    readonly startCursor: string | null;
  };
}

const FIELDS = `totalCount complete pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor }
  nodes { id kind createdAt signature shares latestPosition tokens { amount usd sol } sharePriceUsd tokenPriceUsd solPriceUsd valueUsd }`;

async function ofWallet(args = '', wallet: string = SOMEONE): Promise<Connection> {
  const answer = await world.query<{ wallet: { vaultTransactions: Connection } }>(
    `query ($wallet: Address!) { wallet(address: $wallet) { vaultTransactions${args} { ${FIELDS} } } }`,
    { wallet },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.wallet.vaultTransactions;
}

async function ofVault(args = ''): Promise<Connection> {
  const answer = await world.query<{ vault: { transactions: Connection } }>(
    `query ($vault: Address!) { vault(address: $vault) { transactions${args} { ${FIELDS} } } }`,
    { vault: world.vault },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.vault.transactions;
}

const kinds = ({ nodes }: Connection) => nodes.map(({ kind }) => kind);

/** In, out of everything, in again; beside it an investment. */
async function twoLives(): Promise<void> {
  await world.record(DAY, [
    { at: world.ago(4 * DAY + 60), tokenUsd: '2', solUsd: '100', tokensPerShare: '1' },
    { at: world.ago(3 * DAY + 60), tokenUsd: '3', solUsd: '150', tokensPerShare: '1.5' },
  ]);
  await world.happened([
    // Long before anything was recorded.
    { kind: 'deposit', at: world.ago(90 * DAY), tokens: 5, shares: 10 },
    { kind: 'withdraw', at: world.ago(80 * DAY), tokens: 6, shares: 10 },
    { kind: 'deposit', at: world.ago(3 * DAY), tokens: 12, shares: 8 },
    { kind: 'stake', at: world.ago(3 * DAY), tokens: null, shares: 8 },
    { kind: 'transferIn', at: world.ago(2.5 * DAY), tokens: null, shares: 2 },
    { kind: 'invest', at: world.ago(2 * DAY), tokens: 7, shares: 0, reserveTokens: 7 },
  ]);
}

describe('the vault transactions of a wallet', () => {
  it('are listed newest first, valued at the prices at their time', async () => {
    await twoLives();
    const page = await ofWallet();
    expect(kinds(page)).toEqual(['INVEST', 'TRANSFER_IN', 'DEPOSIT', 'WITHDRAW', 'DEPOSIT']);
    expect([page.totalCount, page.complete]).toEqual([5, false]);
    const [invest, transfer, deposit, withdrawal, first] = page.nodes;
    expect(deposit).toMatchObject({
      createdAt: world.ago(3 * DAY).toISOString(),
      shares: '8',
      tokens: { amount: '12', usd: '36', sol: '0.24' },
      sharePriceUsd: '4.5',
      tokenPriceUsd: '3',
      solPriceUsd: '150',
      valueUsd: '36',
    });
    expect(transfer).toMatchObject({ shares: '2', tokenPriceUsd: '3' });
    // Valued by the share price: between the last sample and the View's own.
    expect(Number(transfer?.tokens.amount)).toBeGreaterThan(2);
    expect(transfer?.valueUsd).toBe(transfer?.tokens.usd);
    expect(invest).toMatchObject({ shares: '0', tokens: { amount: '7', usd: '21' }, sharePriceUsd: null });
    for (const unknown of [withdrawal, first]) {
      expect(unknown).toMatchObject({
        tokenPriceUsd: null,
        solPriceUsd: null,
        sharePriceUsd: null,
        valueUsd: null,
        tokens: { usd: null, sol: null },
      });
    }
    expect([withdrawal?.tokens.amount, first?.shares]).toEqual(['6', '10']);
  });

  it('mark those of the current position', async () => {
    await twoLives();
    expect((await ofWallet()).nodes.map(({ latestPosition }) => latestPosition)).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
    await world.happened([{ kind: 'withdraw', at: world.ago(HOUR), tokens: 15, shares: 10 }]);
    expect((await ofWallet()).nodes.some(({ latestPosition }) => latestPosition)).toBe(false);
  });

  it('are paged without gaps in both directions, even when new ones arrive', async () => {
    await twoLives();
    const whole = await ofWallet();
    const forwards: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page = await ofWallet(`(first: 2${after === null ? '' : `, after: "${after}"`})`);
      forwards.push(...page.nodes.map(({ id }) => id));
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      if (after === null) {
        await world.happened([{ kind: 'deposit', at: world.ago(60), tokens: 1, shares: 1 }]);
      }
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(forwards).toEqual(whole.nodes.map(({ id }) => id));
    const last = await ofWallet('(last: 2)');
    expect(last.nodes).toEqual(whole.nodes.slice(-2));
    expect([last.pageInfo.hasPreviousPage, last.pageInfo.hasNextPage]).toEqual([true, false]);
    const earlier = await ofWallet(`(last: 2, before: "${last.pageInfo.startCursor}")`);
    expect(earlier.nodes).toEqual(whole.nodes.slice(1, 3));
    expect((await ofWallet('(first: 0)')).nodes).toEqual([]);
  });

  it('reject a cursor of another list, and a malformed one', async () => {
    await twoLives();
    const { edges } = await ofWallet();
    const cursor = edges[0]?.cursor ?? '';
    for (const args of [
      `(after: "${cursor}", filter: { kinds: [DEPOSIT] })`,
      '(after: "nonsense")',
      `(after: "${Buffer.from('1.1.1.1.1').toString('base64url')}")`,
    ]) {
      const answer = await world.query(
        `query ($wallet: Address!) { wallet(address: $wallet) { vaultTransactions${args} { complete } } }`,
        { wallet: SOMEONE },
      );
      expect(answer.errors.map(({ extensions }) => extensions?.code)).toEqual(['CURSOR_INVALID']);
    }
  });

  it('are filtered by kind, time and vault', async () => {
    await twoLives();
    expect(kinds(await ofWallet('(filter: { kinds: [WITHDRAW, INVEST] })'))).toEqual(['INVEST', 'WITHDRAW']);
    const range = `start: "${world.ago(80 * DAY).toISOString()}", end: "${world.ago(3 * DAY).toISOString()}"`;
    const part = await ofWallet(`(filter: { range: { ${range} } })`);
    expect([kinds(part), part.totalCount]).toEqual([['WITHDRAW'], 1]);
    expect(kinds(await ofWallet(`(filter: { vault: "${world.vault}" })`))).toHaveLength(5);
    const other = await ofWallet(`(filter: { vault: "${world.localChain.addresses.market}" })`);
    expect([other.nodes, other.totalCount]).toEqual([[], 0]);
  });

  it('are complete once the chain\u2019s list is read to its end', async () => {
    await twoLives();
    await world.read(SOMEONE, true);
    expect((await ofWallet()).complete).toBe(true);
  });

  it('are found by their global IDs', async () => {
    await twoLives();
    const { nodes } = await ofWallet();
    const answer = await world.query<{ nodes: readonly { id: string; signature: string }[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on VaultTransaction { signature } } }',
      { ids: nodes.map(({ id }) => id) },
    );
    expect(answer.errors).toEqual([]);
    expect(answer.data.nodes).toEqual(nodes.map(({ id, signature }) => ({ id, signature })));
  });

  it('take few statements, whatever the size of the page', async () => {
    const { wallets } = world.localChain.worldChain.world;
    const holders = wallets.slice(0, 8).map(({ address }) => address);
    await world.ingest(holders);
    for (const holder of holders) {
      world.statements.length = 0;
      await ofWallet('(first: 100)', holder);
      expect(world.statements.length).toBeLessThanOrEqual(8);
    }
    await world.happened(
      holders.flatMap((wallet, i) => [
        { kind: 'deposit' as const, at: world.ago(i * HOUR + 60), tokens: 2, shares: 1, wallet },
        { kind: 'transferOut' as const, at: world.ago(i * HOUR), tokens: null, shares: 1, wallet },
      ]),
    );
    world.statements.length = 0;
    const { nodes } = await ofVault('(first: 100)');
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
    expect(nodes.length).toBeGreaterThanOrEqual(16);
    expect(world.statements.length).toBeLessThanOrEqual(8);
  });
});

describe('the transactions of a vault', () => {
  it('are those of all wallets, and are not counted', async () => {
    await twoLives();
    const page = await ofVault();
    expect([kinds(page).length, page.totalCount]).toEqual([5, null]);
    expect((await ofVault(`(filter: { vault: "${world.localChain.addresses.market}" })`)).nodes).toEqual([]);
  });
});

describe('REST', () => {
  it('lists deposits and withdrawals, newest first, with "0" for unrecorded prices', async () => {
    await twoLives();
    const { status, body } = await world.get(`/kvaults/users/${SOMEONE}/transactions`);
    expect(status).toBe(200);
    const list = body as readonly Readonly<Record<string, unknown>>[];
    expect(list.map(({ instruction, latestPosition }) => [instruction, latestPosition])).toEqual([
      ['deposit', true],
      ['withdraw', false],
      ['deposit', false],
    ]);
    expect(list[0]).toEqual({
      createdOn: world.ago(3 * DAY).toISOString(),
      instruction: 'deposit',
      tokenMint: world.tokenMint,
      tokenAmount: '12',
      tokenPrice: '3',
      solPrice: '150',
      sharePrice: '4.5',
      numberOfShares: '8',
      usdValue: '36',
      transaction: expect.stringMatching(/^made/),
      kvault: world.vault,
      latestPosition: true,
    });
    expect(list[2]).toMatchObject({ tokenPrice: '0', solPrice: '0', sharePrice: '0', usdValue: '0' });
  });

  it('returns an empty list for a wallet without transactions', async () => {
    expect((await world.get(`/kvaults/users/${SOMEONE}/transactions`)).body).toEqual([]);
  });
});
