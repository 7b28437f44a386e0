import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accountIn,
  serveChain,
  TestChain,
  withFields,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { type Answer, failures, STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';

const NUMBERS = `{
  reserves(first: 100) { nodes { address supplied { baseUnits usd } borrowed { baseUnits } supplyApy { total } } }
  vaults(first: 100) { nodes { address totalValue { baseUnits usd } tokensPerShare } }
  chain { slot blockTime view }
}`;
const SHARES = 'query ($address: Address!) { vault(address: $address) { state { sharesIssued } } }';

let localChain: TestChain;
let rpc: LocalnetRpc;
let gateway: TestApp;

beforeAll(async () => {
  localChain = new TestChain();
  rpc = await serveChain(localChain);
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { VIEWS_KEPT: '6' } });
});

afterAll(async () => {
  await gateway?.stop();
  await rpc?.close();
});

const viewOfAnswer = ({ extensions }: Answer<unknown>) => extensions.chain?.view ?? '';

/** Moves the chain and waits for a View of that. */
async function move(slots: number): Promise<void> {
  localChain.advance(slots);
  const { slot } = localChain;
  await gateway.view((view) => view.moment.slot >= slot);
}

describe('a View requested by its id', () => {
  it('returns the same answer, to the last digit, while the chain moves', async () => {
    const first = await gateway.query(NUMBERS);
    await move(50);
    const moved = await gateway.query(NUMBERS);
    const again = await gateway.query(NUMBERS, { headers: { 'x-view': viewOfAnswer(first) } });
    const byExtension = await gateway.query(NUMBERS, {
      extensions: { chain: { view: first.extensions.chain?.view } },
    });
    expect(first.errors).toEqual([]);
    expect(moved.data).not.toEqual(first.data);
    expect(again.data).toEqual(first.data);
    expect(byExtension.data).toEqual(first.data);
  });

  it('fails with VIEW_GONE once it has expired', async () => {
    const first = await gateway.query<{ chain: { view: string } }>('{ chain { view } }');
    const view = viewOfAnswer(first);
    expect(first.data.chain.view).toBe(view);
    const { number } = gateway.app.chain.views.current().moment;
    await gateway.view((each) => each.moment.number > number + 6);
    const answer = await gateway.query(NUMBERS, { headers: { 'x-view': view } });
    expect(failures(answer)).toEqual([': VIEW_GONE']);
  });

  it('fails with VIEW_GONE on another gateway, in both APIs', async () => {
    const [one, other] = await Promise.all([
      startReadyApp({ rpcUrls: [rpc.url], env: STILL }),
      startReadyApp({ rpcUrls: [rpc.url], env: STILL }),
    ]);
    try {
      expect([one, other].map(({ app }) => app.chain.views.current().moment.number)).toEqual([1, 1]);
      const headers = { 'x-view': viewOfAnswer(await one.query(NUMBERS)) };
      expect(failures(await one.query(NUMBERS, { headers }))).toEqual([]);
      expect(failures(await other.query(NUMBERS, { headers }))).toEqual([': VIEW_GONE']);
      const rest = await other.get('/kvaults/vaults', headers);
      expect([rest.status, rest.headers.get('x-error-code')]).toEqual([400, 'VIEW_GONE']);
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });

  it.each(['31', 'latest', '-1', '', '00000000-1'])(
    'fails with VIEW_GONE for any other text: "%s"',
    async (view) => {
      const named = [{ headers: { 'x-view': view } }, { extensions: { chain: { view } } }];
      for (const options of named) {
        expect(failures(await gateway.query(NUMBERS, options))).toEqual([': VIEW_GONE']);
      }
    },
  );
});

describe('a View', () => {
  it('has a rising number, never goes back in slot, and follows the chain', async () => {
    const before = await gateway.view();
    localChain.advance(3);
    const after = await gateway.view((view) => view.moment.slot >= localChain.slot);
    expect(after.moment.number).toBeGreaterThan(before.moment.number);
    expect(after.moment.slot).toBeGreaterThanOrEqual(before.moment.slot + 3n);
    expect(after.moment.timestamp).toBe(BigInt(localChain.blockTime(after.moment.slot) ?? 0));
  });

  it('reuses the decoded form of unchanged accounts, and only of those', async () => {
    const { vault: changed } = localChain.addresses;
    const before = await gateway.view((view) => view.moment.slotWhole >= localChain.slot);
    const minDepositAmount = 4_242n;
    localChain.place(changed, withFields(vaultState, accountIn(localChain, changed), { minDepositAmount }));
    const after = await gateway.view(
      (view) => view.get('vault', changed)?.value.minDepositAmount === minDepositAmount,
    );
    localChain.restore();
    const kinds = ['market', 'reserve', 'vault', 'farm', 'mint', 'table'] as const;
    const other = kinds.flatMap((kind) =>
      [...after.all(kind)].filter(([address, held]) => held !== before.get(kind, address)),
    );
    expect(other.map(([address]) => address)).toEqual([changed]);
    expect(after.all('reserve').size).toBeGreaterThan(50);
  });
});

describe('minSlot', () => {
  it('shows changes up to that slot, including vaults, which are refreshed rarely', async () => {
    const rare = await startReadyApp({
      rpcUrls: [rpc.url],
      env: { VIEW_REFRESH_MS: '100', VAULT_REFRESH_MS: '3600000' },
    });
    try {
      const { vault: address } = localChain.addresses;
      const before = accountIn(localChain, address);
      const sharesIssued = vaultState.decode(before, MAINNET_PROGRAMS.kvault).sharesIssued + 12_345n;
      localChain.place(address, withFields(vaultState, before, { sharesIssued }));
      localChain.advance(1);
      const { slot } = localChain;
      await rare.view((view) => view.moment.slot >= slot);
      const answer = await rare.query<{ vault: { state: { sharesIssued: string } } }>(SHARES, {
        variables: { address },
        headers: { 'x-min-slot': String(slot) },
      });
      expect(answer.errors).toEqual([]);
      expect(BigInt(answer.extensions.chain?.slot ?? 0)).toBeGreaterThanOrEqual(slot);
      expect(answer.data.vault.state.sharesIssued).toBe(String(sharesIssued));
    } finally {
      localChain.restore();
      await rare.stop();
    }
  });

  it('does not wait for the refresh timer of the View', async () => {
    const slow = await startReadyApp({ rpcUrls: [rpc.url], env: { VIEW_REFRESH_MS: '600000' } });
    try {
      localChain.advance(4);
      const answer = await slow.query<{ chain: { slot: string } }>('{ chain { slot } }', {
        extensions: { chain: { minSlot: String(localChain.slot) } },
      });
      expect(answer.data.chain.slot).toBe(String(localChain.slot));
    } finally {
      await slow.stop();
    }
  });

  it('that the chain does not reach in time is a coded error', async () => {
    const hasty = await startReadyApp({ rpcUrls: [rpc.url], env: { REQUEST_TIMEOUT_MS: '300' } });
    try {
      const answer = await hasty.query('{ chain { slot } }', {
        headers: { 'x-min-slot': String(localChain.slot + 1_000_000n) },
      });
      expect(failures(answer)).toEqual([': MIN_SLOT_NOT_REACHED']);
      expect(answer.errors[0]?.extensions?.retryable).toBe(true);
    } finally {
      await hasty.stop();
    }
  });

  it('beyond the requested View is a coded error at once', async () => {
    const { extensions } = await gateway.query('{ chain { slot } }');
    localChain.advance(1);
    const answer = await gateway.query('{ chain { slot } }', {
      headers: { 'x-view': extensions.chain?.view ?? '', 'x-min-slot': String(localChain.slot) },
    });
    expect(failures(answer)).toEqual([': MIN_SLOT_NOT_REACHED']);
  });
});

describe('a malformed View or slot', () => {
  it.each([{ 'x-min-slot': '1e9' }, { 'x-min-slot': '99999999999999999999' }])(
    'is a coded error: %j',
    async (headers) => {
      expect(failures(await gateway.query('{ chain { slot } }', { headers }))).toEqual([
        ': NUMBER_OUT_OF_RANGE',
      ]);
    },
  );

  it.each([
    [{ view: true }, 'BAD_REQUEST'],
    [{ view: [1] }, 'BAD_REQUEST'],
    [{ view: { toString: 1 } }, 'BAD_REQUEST'],
    [{ view: 31 }, 'VIEW_GONE'],
    [{ minSlot: 1.5 }, 'NUMBER_OUT_OF_RANGE'],
  ])('is a coded error in extensions as well: %j', async (chain, code) => {
    const answer = await gateway.query('{ chain { slot } }', { extensions: { chain } });
    expect(failures(answer)).toEqual([`: ${code}`]);
  });
});
