import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
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

interface Three {
  readonly usd: string;
  readonly sol: string;
  readonly token: string;
}
interface Row {
  readonly timestamp: string;
  readonly type: string;
  readonly position: string;
  readonly quantity: string;
  readonly tokenPrice: Three;
  readonly sharePrice: Three;
  readonly costBasis: Three;
  readonly realizedPnl: Three;
  readonly pnl: Three;
  readonly positionValue: Three;
  readonly investment: Three;
}
interface Pnl {
  readonly totalPnl: Three;
  readonly totalCostBasis: Three;
}
interface PnlHistory extends Pnl {
  readonly history: readonly Row[];
}

const three = (usd: string, sol: string, token: string): Three => ({ usd, sol, token });
const NOTHING = three('0', '0', '0');
const url = (what: string, wallet: string = SOMEONE) =>
  `/kvaults/users/${wallet}/vaults/${world.vault}/${what}`;

async function get<T>(path: string): Promise<T> {
  const { status, body } = await world.get(path);
  expect([status, body]).toEqual([200, body]);
  return body as T;
}

/** Two buys and a sale, at noon of the last three days, with prices that change every day. */
async function threeDays(): Promise<void> {
  const noon = (days: number) => world.ago(days * DAY - 12 * HOUR);
  const before = (instant: Date) => new Date(instant.getTime() - 60_000);
  await world.record(HOUR, [
    { at: before(noon(3)), tokenUsd: '1', solUsd: '100', tokensPerShare: '1' },
    { at: before(noon(2)), tokenUsd: '1.1', solUsd: '110', tokensPerShare: '1.1' },
    { at: before(noon(1)), tokenUsd: '1', solUsd: '100', tokensPerShare: '1.2' },
  ]);
  await world.record(DAY, [
    { at: world.ago(2 * DAY + 60), tokenUsd: '0.9', solUsd: '90', tokensPerShare: '1.05' },
    { at: world.ago(DAY + 60), tokenUsd: '1.2', solUsd: '120', tokensPerShare: '1.15' },
  ]);
  await world.happened([
    { kind: 'deposit', at: noon(3), tokens: 100, shares: 100 },
    { kind: 'stake', at: noon(3), tokens: null, shares: 100 },
    { kind: 'deposit', at: noon(2), tokens: 110, shares: 100 },
    { kind: 'withdraw', at: noon(1), tokens: 60, shares: 50 },
  ]);
  await world.read(SOMEONE, true);
}

describe('the profit and loss of a position', () => {
  it('equals hand-computed rows: buys, sells, a valuation at each midnight and one now', async () => {
    await threeDays();
    const { history } = await get<PnlHistory>(url('pnl/history'));
    const now = world.now.getTime();
    expect(history.map(({ timestamp, type }) => [(now - Date.parse(timestamp)) / 3_600_000, type])).toEqual([
      [60, 'buy'],
      [48, 'mark-to-market'],
      [36, 'buy'],
      [24, 'mark-to-market'],
      [12, 'sell'],
      [0, 'mark-to-market'],
    ]);
    const [first, mark, second, , sale] = history;
    expect(first).toEqual({
      timestamp: new Date(now - 60 * 3_600_000).toISOString(),
      type: 'buy',
      position: '100',
      quantity: '100',
      tokenPrice: three('1', '100', '1'),
      sharePrice: three('1', '0.01', '1'),
      costBasis: three('100', '1', '100'),
      realizedPnl: NOTHING,
      pnl: NOTHING,
      positionValue: three('100', '1', '100'),
      investment: three('100', '1', '100'),
    });
    expect(mark?.tokenPrice).toEqual(three('1', '90', '0.9'));
    expect([mark?.position, mark?.quantity]).toEqual(['100', '100']);
    expect(mark?.costBasis).toEqual(three('100', '1', '100'));
    expect(second).toMatchObject({
      position: '200',
      quantity: '100',
      costBasis: three('221', '2.1', '210'),
      sharePrice: three('1.21', '0.011', '1.1'),
      positionValue: three('242', '2.2', '220'),
      pnl: three('21', '0.1', '10'),
      investment: three('221', '2.1', '210'),
    });
    // A quarter of the shares goes, and a quarter of what they cost.
    expect(sale).toMatchObject({
      position: '150',
      quantity: '50',
      costBasis: three('165.75', '1.575', '157.5'),
      realizedPnl: three('4.75', '0.075', '7.5'),
      sharePrice: three('1.2', '0.012', '1.2'),
      positionValue: three('180', '1.8', '180'),
      pnl: three('19', '0.3', '30'),
      investment: three('161', '1.5', '150'),
    });
  });

  it('uses the share price and prices of the View for the last row', async () => {
    await threeDays();
    const { data } = await world.query<{
      vault: { tokensPerShare: string; sharePriceUsd: string; sharePriceSol: string };
    }>('query ($vault: Address!) { vault(address: $vault) { tokensPerShare sharePriceUsd sharePriceSol } }', {
      vault: world.vault,
    });
    const { history, ...totals } = await get<PnlHistory>(url('pnl/history'));
    const last = history.at(-1);
    const { sharePriceUsd, sharePriceSol, tokensPerShare } = data.vault;
    expect(last?.sharePrice).toEqual(three(sharePriceUsd, sharePriceSol, tokensPerShare));
    expect(last).toMatchObject({
      position: '150',
      quantity: '150',
      costBasis: three('165.75', '1.575', '157.5'),
    });
    const value = toDecimalString(parseDecimal(tokensPerShare).mul(parseDecimal('150')));
    expect(Math.abs(Number(last?.positionValue.token) / Number(value) - 1)).toBeLessThan(1e-15);
    expect(totals).toEqual({ totalPnl: last?.pnl, totalCostBasis: last?.costBasis });
    expect(await get<Pnl>(url('pnl'))).toEqual(totals);
  });

  it('satisfies the relations of the contract in every row', async () => {
    const { wallet, vault } = world.localChain.addresses;
    const events = await world.ingest([wallet]);
    await threeDays();
    const { history, totalPnl } = await get<PnlHistory>(url('pnl/history', wallet));
    const mine = events.filter((each) => each.wallet === wallet && each.vault === vault);
    const trades = mine.filter(({ kind }) => kind !== 'stake' && kind !== 'unstake');
    expect(history.filter(({ type }) => type !== 'mark-to-market')).toHaveLength(trades.length);
    const number = (value: string) => Number(value);
    for (const row of history) {
      const close = (a: number, b: number) =>
        expect(Math.abs(a - b), JSON.stringify(row)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a)));
      close(number(row.positionValue.token), number(row.position) * number(row.sharePrice.token));
      close(
        number(row.pnl.token),
        number(row.positionValue.token) - number(row.costBasis.token) + number(row.realizedPnl.token),
      );
      close(number(row.investment.token), number(row.costBasis.token) - number(row.realizedPnl.token));
    }
    expect(history.at(-1)?.pnl).toEqual(totalPnl);
    const { data } = await world.query<{
      wallet: { vaultPosition: { totalShares: string; value: { amount: string } } };
    }>(
      'query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) { vaultPosition(vault: $vault) { totalShares value { amount } } } }',
      { wallet, vault },
    );
    const { totalShares, value } = data.wallet.vaultPosition;
    expect(history.at(-1)?.position).toBe(totalShares);
    expect(number(history.at(-1)?.positionValue.token ?? '')).toBeCloseTo(number(value.amount), 5);
  });

  it('counts transactions before the range, and ends with a valuation at its end', async () => {
    await threeDays();
    const end = world.ago(30 * HOUR).toISOString();
    const start = world.ago(40 * HOUR).toISOString();
    const part = await get<PnlHistory>(`${url('pnl/history')}?start=${start}&end=${end}`);
    expect(part.history.map(({ type, position }) => [type, position])).toEqual([
      ['buy', '200'],
      ['mark-to-market', '200'],
    ]);
    expect(part.history.at(-1)?.timestamp).toBe(end);
    expect(part.totalCostBasis).toEqual(three('221', '2.1', '210'));
    expect(part.totalPnl).toEqual(part.history.at(-1)?.pnl);
    const before = await get<PnlHistory>(`${url('pnl/history')}?end=${world.ago(5 * DAY).toISOString()}`);
    expect(before).toEqual({ history: [], totalPnl: NOTHING, totalCostBasis: NOTHING });
  });

  it('is zero, with an empty history, for a wallet that never had a position', async () => {
    expect(await get<PnlHistory>(url('pnl/history'))).toEqual({
      history: [],
      totalPnl: NOTHING,
      totalCostBasis: NOTHING,
    });
    expect(await get<Pnl>(url('pnl'))).toEqual({ totalPnl: NOTHING, totalCostBasis: NOTHING });
  });

  it('values transferred shares at the share price at that time', async () => {
    await world.record(DAY, [
      { at: world.ago(3 * DAY + 60), tokenUsd: '2', solUsd: '100', tokensPerShare: '1' },
      { at: world.ago(2 * DAY + 60), tokenUsd: '2', solUsd: '100', tokensPerShare: '1.2' },
    ]);
    // Half-way between the two samples.
    await world.happened([{ kind: 'transferIn', at: world.ago(2.5 * DAY + 60), tokens: null, shares: 10 }]);
    const { history } = await get<PnlHistory>(url('pnl/history'));
    expect(history[0]).toMatchObject({
      type: 'buy',
      quantity: '10',
      sharePrice: three('2.2', '0.022', '1.1'),
      costBasis: three('22', '0.22', '11'),
    });
  });
});

describe('a vault that a wallet has left', () => {
  it('is reported by both APIs, with no shares and its realised profit', async () => {
    const at = (days: number) => world.ago(days * DAY);
    await world.record(HOUR, [
      { at: at(3), tokenUsd: '1', solUsd: '100', tokensPerShare: '1' },
      { at: at(2), tokenUsd: '1.1', solUsd: '110', tokensPerShare: '1.2' },
    ]);
    await world.happened([
      { kind: 'deposit', at: at(3), tokens: 100, shares: 100 },
      { kind: 'withdraw', at: at(2), tokens: 120, shares: 100 },
    ]);
    await world.read(SOMEONE, true);
    // 100 USD, 1 SOL, 100 tokens went in; 120 tokens came out: 132 USD, 1.2 SOL.
    const brought = three('32', '0.2', '20');
    const THREE = '{ usd sol token }';
    const fields = `totalShares stakedShares value { amount } pnl ${THREE} realizedPnl ${THREE} costBasis ${THREE}
      pnlHistory { complete priced totalPnl ${THREE} totalCostBasis ${THREE} points { timestamp position pnl ${THREE} } }
      metricsHistory { points { timestamp shares interest { token } } }`;
    const answer = await world.query<{
      wallet: { vaultPosition: Record<string, unknown>; vaultPositions: { nodes: readonly unknown[] } };
      vault: { position: Record<string, unknown> };
    }>(
      `query ($wallet: Address!, $vault: Address!) {
        wallet(address: $wallet) { vaultPosition(vault: $vault) { id ${fields} } vaultPositions { nodes { id } } }
        vault(address: $vault) { position(wallet: $wallet) { id ${fields} } } }`,
      { wallet: SOMEONE, vault: world.vault },
    );
    expect(answer.errors).toEqual([]);
    const { vaultPosition, vaultPositions } = answer.data.wallet;
    expect(vaultPosition).toMatchObject({
      totalShares: '0',
      stakedShares: '0',
      value: { amount: '0' },
      pnl: brought,
      realizedPnl: brought,
      costBasis: NOTHING,
      pnlHistory: { complete: true, priced: true, totalPnl: brought, totalCostBasis: NOTHING },
    });
    expect(answer.data.vault.position).toEqual(vaultPosition);
    expect(vaultPositions.nodes).toEqual([]);
    const node = await world.query<{ node: Record<string, unknown> }>(
      `query ($id: ID!) { node(id: $id) { ... on VaultPosition { pnl ${THREE} } } }`,
      { id: vaultPosition.id },
    );
    expect(node.data.node).toEqual({ pnl: brought });
    const rest = await get<PnlHistory>(url('pnl/history'));
    expect(await get<Pnl>(url('pnl'))).toEqual({ totalPnl: brought, totalCostBasis: NOTHING });
    expect([rest.totalPnl, rest.totalCostBasis]).toEqual([brought, NOTHING]);
    const { points } = vaultPosition.pnlHistory as { points: readonly Row[] };
    expect(rest.history.map((row) => [row.timestamp, row.position, row.pnl])).toEqual(
      points.map((row) => [row.timestamp, row.position, row.pnl]),
    );
    const gone = await world.get(`/kvaults/users/${SOMEONE}/positions/${world.vault}`);
    expect(gone.status).toBe(404);
  });
});

describe('prices that were not recorded', () => {
  interface Answered {
    readonly complete: boolean;
    readonly priced: boolean;
    readonly totalPnl: { readonly usd: string | null; readonly sol: string | null; readonly token: string };
    readonly points: readonly {
      readonly costBasis: { readonly usd: string | null; readonly token: string };
    }[];
  }
  const readHistory = async (wallet: string) => {
    const answer = await world.query<{ wallet: { vaultPosition: { pnlHistory: Answered } } }>(
      `query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) { vaultPosition(vault: $vault) {
        pnlHistory { complete priced totalPnl { usd sol token } points { costBasis { usd token } } }
      } } }`,
      { wallet, vault: world.vault },
    );
    expect(answer.errors).toEqual([]);
    return answer.data.wallet.vaultPosition.pnlHistory;
  };

  it('are null in GraphQL and "0" on REST, from the first trade without one', async () => {
    const { wallet } = world.localChain.addresses;
    await world.ingest([wallet]);
    const history = await readHistory(wallet);
    expect([history.complete, history.priced]).toEqual([false, false]);
    expect([history.totalPnl.usd, history.totalPnl.sol]).toEqual([null, null]);
    expect(history.points[0]?.costBasis.usd).toBeNull();
    expect(Number(history.points[0]?.costBasis.token)).toBeGreaterThan(0);
    const rest = await get<PnlHistory>(url('pnl/history', wallet));
    expect([rest.totalPnl.usd, rest.totalPnl.sol]).toEqual(['0', '0']);
    expect(rest.totalPnl.token).toBe(history.totalPnl.token);
  });

  it('leave a history complete once every transaction is read', async () => {
    const { wallet } = world.localChain.addresses;
    await world.ingest([wallet]);
    await world.read(wallet, true);
    expect(await readHistory(wallet)).toMatchObject({ complete: true, priced: false });
  });
});

describe('the positions of a list', () => {
  it('take a fixed number of statements', async () => {
    const { wallets } = world.localChain.worldChain.world;
    const holders = wallets.slice(0, 12).map(({ address }) => address);
    await world.ingest(holders);
    const ask = (wallet: string, fields: string) =>
      world.query<{ wallet: { vaultPositions: { nodes: readonly { pnl: unknown }[] } } }>(
        `query ($wallet: Address!) { wallet(address: $wallet) { vaultPositions(first: 50) { nodes {
          ${fields}
        } } } }`,
        { wallet },
      );
    const counted = async (fields: string) => {
      const counts = new Set<number>();
      const lengths = new Set<number>();
      for (const holder of holders) {
        world.statements.length = 0;
        const answer = await ask(holder, fields);
        expect(answer.errors).toEqual([]);
        const { nodes } = answer.data.wallet.vaultPositions;
        if (nodes.length === 0) continue;
        lengths.add(nodes.length);
        counts.add(world.statements.length);
      }
      expect(lengths.size).toBeGreaterThan(1);
      return [...counts];
    };
    // Its cursor, its events, daily points, early deposits, prices; for series the buckets, too.
    expect(await counted('pnl { usd sol token } costBasis { token } realizedPnl { token }')).toEqual([5]);
    expect(await counted('pnlHistory { complete points { pnl { usd } } }')).toEqual([5]);
    expect(await counted('metricsHistory { points { value { usd } } }')).toEqual([6]);
  });

  it('fail with HISTORY_DISABLED without history', async () => {
    const { wallet } = world.localChain.addresses;
    world.mode = 'off';
    try {
      const answer = await world.query(
        `query ($wallet: Address!, $vault: Address!) { wallet(address: $wallet) { vaultPosition(vault: $vault) {
          totalShares pnl { usd } pnlHistory { complete }
        } } }`,
        { wallet, vault: world.vault },
      );
      expect(answer.errors.map(({ extensions }) => extensions?.code)).toEqual([
        'HISTORY_DISABLED',
        'HISTORY_DISABLED',
      ]);
      expect(answer.data).toMatchObject({ wallet: { vaultPosition: { pnl: null, pnlHistory: null } } });
      const rest = await world.get(url('pnl'));
      expect([rest.status, rest.headers.get('x-error-code')]).toEqual([409, 'HISTORY_DISABLED']);
    } finally {
      world.mode = 'ready';
    }
  });
});
