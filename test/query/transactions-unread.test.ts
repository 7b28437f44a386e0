import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type CodedError, isCodedError, SluiceError } from '../../src/errors/sluice-error.ts';
import type { EnsureRequest, IngestStatus } from '../../src/services/platform/transaction-source.ts';
import { CLIENT, type HistoryWorld, startHistoryWorld } from '../support/apps/history-app.ts';
import { named } from '../support/history/samples.ts';

type Outcome = IngestStatus | CodedError;

const COMPLETE: Outcome = { complete: true, unread: false, failure: null };
const PARTIAL: Outcome = { complete: false, unread: false, failure: null };
const UNREAD: Outcome = { complete: false, unread: true, failure: 'RPC_UNAVAILABLE' };
const BUSY = new SluiceError('TRANSACTIONS_BUSY', { whose: 'caller', ceiling: 100 });

let world: HistoryWorld;
let outcome: Outcome = COMPLETE;
const asked: EnsureRequest[] = [];

beforeAll(async () => {
  world = await startHistoryWorld(unchangedChain(), () => ({
    ensure: (_address, _kind, request) => {
      asked.push(request);
      return isCodedError(outcome) ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
  }));
});
afterAll(() => world?.stop());
beforeEach(() => {
  asked.length = 0;
});

/** Every REST operation whose answer depends on transactions. */
function paths(): string[] {
  const { wallet, vault, market, obligation } = world.localChain.addresses;
  const loan = `/v2/svc-market/${market}/obligations/${obligation}`;
  return [
    `/kvaults/users/${wallet}/transactions`,
    `/kvaults/users/${wallet}/metrics/history`,
    `/kvaults/users/${wallet}/vaults/${vault}/metrics/history`,
    `/kvaults/users/${wallet}/vaults/${vault}/pnl`,
    `/kvaults/users/${wallet}/vaults/${vault}/pnl/history`,
    `/kvaults/vaults/${vault}/allocation-volume/history`,
    `${loan}/metrics/history`,
    `${loan}/pnl`,
    `/klend/users/${wallet}/rewards?source=Season1`,
  ];
}

const QUERY = `query ($wallet: Address!, $vault: Address!, $obligation: Address!) {
  wallet(address: $wallet) {
    vaultTransactions { complete nodes { id } }
    lendingTransactions { complete nodes { id } }
    metricsHistory { complete points { timestamp } }
    vaultPosition(vault: $vault) { pnl { usd } costBasis { usd } pnlHistory { complete } }
  }
  vault(address: $vault) { transactions { complete } allocationVolume { complete } }
  obligation(address: $obligation) { transactions { complete } metricsHistory { transactionsComplete } pnl { complete } }
}`;

const query = () => {
  const { wallet, vault, obligation } = world.localChain.addresses;
  return world.query(QUERY, { wallet, vault, obligation });
};

describe('transactions that could not be read', () => {
  it.each([
    ['is unread', UNREAD, 500, 'TRANSACTIONS_UNREAD'],
    ['was turned away', BUSY, 429, 'TRANSACTIONS_BUSY'],
  ])('are an error on REST, never an empty answer, when the address %s', async (_, given, status, code) => {
    outcome = given;
    for (const url of paths()) {
      const { headers, ...reply } = await world.get(url);
      expect([url, reply.status, headers.get('x-error-code'), headers.get('retry-after')]).toEqual([
        url,
        status,
        code,
        '2',
      ]);
      expect(reply.body).not.toEqual([]);
    }
  });

  it.each([
    [UNREAD, 'TRANSACTIONS_UNREAD'],
    [BUSY, 'TRANSACTIONS_BUSY'],
  ])('are an error at each GraphQL field', async (given, code) => {
    outcome = given;
    const { errors } = await query();
    const [found, all] = [
      errors.map(({ path = [] }) => path.slice(0, 3).join('.')).sort(),
      new Set(errors.map(({ extensions }) => extensions?.code)),
    ];
    expect(all).toEqual(new Set([code]));
    expect(new Set(found)).toEqual(
      new Set([
        'wallet.vaultTransactions',
        'wallet.lendingTransactions',
        'wallet.metricsHistory',
        'wallet.vaultPosition.pnl',
        'wallet.vaultPosition.costBasis',
        'wallet.vaultPosition.pnlHistory',
        'vault.transactions',
        'vault.allocationVolume',
        'obligation.transactions',
        'obligation.metricsHistory',
        'obligation.pnl',
      ]),
    );
    expect(errors.every(({ extensions }) => extensions?.retryable === true)).toBe(true);
  });
});

describe('transactions that are read in part', () => {
  it('are marked by X-Complete on REST', async () => {
    outcome = PARTIAL;
    for (const url of paths()) {
      const { status, headers } = await world.get(url);
      expect([url, status, headers.get('x-complete')]).toEqual([url, 200, 'false']);
    }
    outcome = COMPLETE;
    for (const url of paths())
      expect([url, (await world.get(url)).headers.get('x-complete')]).toEqual([url, null]);
  });

  it('are marked by `complete` in GraphQL', async () => {
    outcome = PARTIAL;
    const { data, errors } = await query();
    expect(errors).toEqual([]);
    const text = JSON.stringify(data);
    expect(text.match(/omplete":false/g)?.length).toBe(9);
    expect(text).not.toMatch(/omplete":true/);
  });
});

it('does not deny an obligation whose transactions are unread', async () => {
  const url = `/v2/svc-market/${world.localChain.addresses.market}/obligations/${named('closed')}/pnl`;
  outcome = UNREAD;
  expect((await world.get(url)).headers.get('x-error-code')).toBe('TRANSACTIONS_UNREAD');
  outcome = COMPLETE;
  expect((await world.get(url)).headers.get('x-error-code')).toBe('KLEND_OBLIGATION_NOT_FOUND');
});

it('reads transactions at the expense of the caller', async () => {
  outcome = COMPLETE;
  for (const url of paths()) await world.get(url);
  const viaRest = asked.length;
  await query();
  expect(viaRest).toBeGreaterThanOrEqual(paths().length);
  expect(asked.length).toBeGreaterThan(viaRest);
  expect(new Set(asked.map(({ caller }) => caller))).toEqual(new Set([CLIENT]));
});
