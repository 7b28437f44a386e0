import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { type Acted, WalletActor } from '../support/apps/wallet-actor.ts';
import { type Site, serveSite } from '../support/http/browser.ts';
import { EventStream } from '../support/http/event-stream.ts';

/** Transactions of a wallet show in the next View, in subscriptions, in lists of transactions, in PnL and in history. */

let world: ActingApp;
let site: Site;
let actor: WalletActor;
let addresses: ActingApp['localnet']['addresses'];

beforeAll(async () => {
  world = await startActingApp({ recorder: true });
  site = await serveSite(world.gateway.app.fetch);
  ({ addresses } = world.localnet);
  const signer = await world.newWallet({ [addresses.tokenMint]: 10_000_000_000n });
  actor = new WalletActor(world, signer, 'GraphQL', 'REST');
  await actor.act('VaultDeposit', '900');
  await actor.act('LendingDeposit', '500', addresses.reserve);
});
afterAll(async () => {
  await site?.close();
  await world?.stop();
});

const vaultOf = (fields: string) => `{ vault(address: "${addresses.vault}") { ${fields} } }`;
const position = (fields: string) => vaultOf(`position(wallet: "${actor.address}") { ${fields} }`);

/** Acts while a stream is open; resolves once the stream has reported the change of the account. */
async function expectNoticed(field: string, act: () => Promise<Acted>): Promise<void> {
  const stream = await EventStream.open<{ event: { reason: string; slot: string } }>(
    site.origin,
    `subscription { event: ${field} { reason slot } }`,
  );
  try {
    expect((await stream.nextData()).data?.event.reason).toBe('INITIAL');
    const { slot } = await act();
    // Reads the View that has it.
    await actor.query('{ chain { slot } }');
    const { data } = await stream.until(({ data: found }) => found?.event.reason === 'ACCOUNT');
    expect(BigInt(data?.event.slot ?? 0n)).toBeGreaterThanOrEqual(slot);
  } finally {
    stream.close();
  }
}

it('subscriptions report a change of the account', async () => {
  const { vault, depositReserve } = addresses;
  await expectNoticed(`vaults(addresses: ["${vault}"])`, () => actor.act('VaultWithdraw', '50'));
  await expectNoticed(`obligations(addresses: ["${actor.obligation}"])`, () =>
    actor.act('LendingBorrow', '0.25', depositReserve),
  );
  await expectNoticed(`wallet(address: "${actor.address}")`, () =>
    actor.act('LendingRepay', '0.05', depositReserve),
  );
});

it('the next View has the positions, over GraphQL and REST', async () => {
  const { vault, market, reserve, depositReserve } = addresses;
  const { shares } = actor.preview('VaultWithdraw');
  const graph = await actor.query<{
    wallet: { vaultPosition: { totalShares: string } };
    obligation: Record<'deposits' | 'borrows', { reserveAddress: Address }[]>;
  }>(`{
    wallet(address: "${actor.address}") { vaultPosition(vault: "${vault}") { totalShares } }
    obligation(address: "${actor.obligation}") { deposits { reserveAddress } borrows { reserveAddress } }
  }`);
  expect(graph).toEqual({
    wallet: { vaultPosition: { totalShares: shares?.after } },
    obligation: {
      deposits: [{ reserveAddress: reserve }],
      borrows: [{ reserveAddress: depositReserve }],
    },
  });
  const held = await actor.get<{ totalShares: string }>(`/kvaults/users/${actor.address}/positions/${vault}`);
  expect(held.totalShares).toBe(shares?.after);
  const loans = await actor.get<
    {
      obligationAddress: Address;
      state: { borrows: { borrowReserve: Address; borrowedAmountSf: string }[] };
    }[]
  >(`/svc-market/${market}/users/${actor.address}/obligations`);
  expect(loans.map(({ obligationAddress }) => obligationAddress)).toEqual([actor.obligation]);
  expect(loans[0]?.state.borrows[0]?.borrowReserve).toBe(depositReserve);
});

interface Listed {
  readonly nodes: { readonly signature: string; readonly kind: string }[];
}

it('lists of transactions have them, over GraphQL and REST', async () => {
  const { wallet, obligation, vault } = await actor.query<{
    wallet: { vaultTransactions: Listed; lendingTransactions: Listed };
    obligation: { transactions: Listed };
    vault: { transactions: Listed };
  }>(`{
    wallet(address: "${actor.address}") {
      vaultTransactions { nodes { signature kind } }
      lendingTransactions { nodes { signature kind } }
    }
    obligation(address: "${actor.obligation}") { transactions { nodes { signature kind } } }
    vault(address: "${addresses.vault}") { transactions(first: 2) { nodes { signature kind } } }
  }`);
  const [withdrawal, deposit] = actor.signatures('VaultDeposit', 'VaultWithdraw');
  const inVault = [
    { signature: withdrawal, kind: 'WITHDRAW' },
    { signature: deposit, kind: 'DEPOSIT' },
  ];
  expect(wallet.vaultTransactions.nodes).toEqual(inVault);
  expect(vault.transactions.nodes).toEqual(inVault);
  const rows = await actor.get<{ transaction: string; instruction: string }[]>(
    `/kvaults/users/${actor.address}/transactions`,
  );
  expect(rows.map(({ transaction, instruction }) => [transaction, instruction])).toEqual([
    [withdrawal, 'withdraw'],
    [deposit, 'deposit'],
  ]);
  const lent = actor.signatures('LendingDeposit', 'LendingBorrow', 'LendingRepay');
  const inMarket = ['REPAY', 'BORROW', 'DEPOSIT'].map((kind, i) => ({ signature: lent[i], kind }));
  expect(wallet.lendingTransactions.nodes).toEqual(inMarket);
  expect(obligation.transactions.nodes).toEqual(inMarket);
});

it('PnL counts them, over GraphQL and REST', async () => {
  const { vault } = await actor.query<{
    vault: {
      position: {
        costBasis: object;
        pnl: object;
        pnlHistory: { points: { kind: string; quantity: string }[] };
      };
    };
  }>(position('costBasis { usd sol token } pnl { usd sol token } pnlHistory { points { kind quantity } }'));
  const { costBasis, pnl, pnlHistory } = vault.position;
  const bought = actor.preview('VaultDeposit').shares?.after;
  expect(pnlHistory.points.slice(0, 2)).toEqual([
    { kind: 'BUY', quantity: bought },
    { kind: 'SELL', quantity: '50' },
  ]);
  const path = `/kvaults/users/${actor.address}/vaults/${addresses.vault}/pnl`;
  expect(await actor.get(path)).toEqual({ totalPnl: pnl, totalCostBasis: costBasis });

  const { obligation } = await actor.query<{ obligation: { pnl: { invested: { usd: string } } } }>(
    `{ obligation(address: "${actor.obligation}") { pnl { usd sol invested { usd sol } } } }`,
  );
  // 500 USDC less 0.2 SOL.
  expect(Number(obligation.pnl.invested.usd)).toBeGreaterThan(400);
  expect(Number(obligation.pnl.invested.usd)).toBeLessThan(499);
  const loan = `/v2/svc-market/${addresses.market}/obligations/${actor.obligation}/pnl`;
  expect(await actor.get(loan)).toEqual(obligation.pnl);
});

it('the recorder writes them into the history of the vault, which both APIs serve', async () => {
  const { vault } = await actor.query<{ vault: { sharesIssued: string } }>(vaultOf('sharesIssued'));
  // The first View of a minute is recorded.
  const slot = String(await world.call('localnet_advanceTime', [60]));
  const headers = { 'x-min-slot': slot };
  const shares = async () => {
    const { data } = await world.gateway.query<{
      vault: { metricsHistory: { points: { sharesIssued: string; totalValueUsd: string }[] } };
    }>(vaultOf('metricsHistory(interval: HOUR) { points { sharesIssued totalValueUsd } }'), { headers });
    return data.vault.metricsHistory.points.at(-1);
  };
  await expect
    .poll(async () => (await shares())?.sharesIssued, { timeout: 120_000, interval: 200 })
    .toBe(vault.sharesIssued);
  const points = await world.get<{ tvl: string }[]>(
    `/kvaults/vaults/${addresses.vault}/metrics/history`,
    headers,
  );
  expect(points.at(-1)).toMatchObject({ tvl: (await shares())?.totalValueUsd });
});
