import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { connectMcp, type McpSession } from '../support/mcp/mcp-client.ts';

/** What the admin of a vault asks an assistant: target weights, and whether others would have earned more. */

let acting: ActingApp;
let session: McpSession;
let vault: string;
let admin: string;
let targets: readonly { readonly reserve: string; readonly weight: string }[];
beforeAll(async () => {
  acting = await startActingApp({ recorder: true });
  session = await connectMcp(acting.gateway.app, 'modern');
  const found = acting.localnet.chain.world.vaults.find(({ name }) => name === 'Jetty USDC');
  vault = found?.address ?? expect.fail('no such vault');
  targets = (found?.allocations ?? []).map(({ reserve }, index) => ({
    reserve: reserve.address,
    weight: index === 0 ? '900' : '100',
  }));
  const { data } = await acting.gateway.query<{ vault: { state: { vaultAdminAuthority: string } } }>(
    `{ vault(address: "${vault}") { state { vaultAdminAuthority } } }`,
  );
  admin = data.vault.state.vaultAdminAuthority;
});
afterAll(async () => {
  await session?.close();
  await acting?.stop();
});

async function graph(view: string, fields: string): Promise<object> {
  const { data, errors } = await acting.gateway.query<object>(
    `query ($targets: [VaultTargetInput!]!) { vault(address: "${vault}") { ${fields} } }`,
    { variables: { targets }, headers: { 'x-view': view } },
  );
  expect(errors).toEqual([]);
  return data;
}

it('shows the moves that reach target weights, as the graph does', async () => {
  const { chain, data } = await session.call<{ vault: { plan: { moves: readonly object[] } } }>('simulate', {
    suppose: { rebalance: { vault, targets } },
  });
  expect(data).toMatchObject(
    await graph(
      chain.view,
      `plan(targets: $targets) { ... on VaultRebalance {
        wallet moves { kind reserve } obstacles { code reserve } exposures { reserve }
      } }`,
    ),
  );
  expect(data.vault.plan.moves.length).toBeGreaterThan(1);
});

it('builds those moves for the wallet that runs the vault, and for no other', async () => {
  const { data } = await session.call<{ buildVaultRebalance: { steps: readonly { kind: string }[] } }>(
    'prepare',
    { rebalance: { wallet: admin, vault, targets } },
  );
  const kinds = data.buildVaultRebalance.steps.map(({ kind }) => kind);
  expect(kinds.slice(0, 2)).toEqual(['SET_VAULT_ALLOCATION', 'SET_VAULT_ALLOCATION']);
  expect(data.buildVaultRebalance).toMatchObject({
    transactions: [expect.objectContaining({ signers: [admin] })],
  });
  const { wallet } = acting.localnet.addresses;
  expect(await session.failure('prepare', { rebalance: { wallet, vault, targets } })).toMatchObject({
    code: 'NOT_VAULT_ADMIN',
  });
  expect(
    await session.failure('simulate', { suppose: { rebalance: { vault, targets, wallet } } }),
  ).toMatchObject({ code: 'NOT_VAULT_ADMIN' });
  expect(await session.failure('prepare', {})).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('exactly one of actions, rebalance'),
  });
});

it('says what other weights would have earned, and what is unknown', async () => {
  const [first] = targets;
  const { data } = await session.call<{ vault: { backtest: Record<string, unknown> } }>('simulate', {
    suppose: {
      backtest: {
        vault,
        weights: [{ reserve: first?.reserve, weight: 1 }],
        unallocatedWeight: 0,
        last: 'D7',
      },
    },
  });
  expect(data.vault.backtest).toMatchObject({
    given: { reserves: [{ reserveAddress: first?.reserve, share: '1' }] },
    current: { reserves: targets.map(({ reserve }) => ({ reserveAddress: reserve })) },
    limits: expect.arrayContaining([expect.objectContaining({ code: 'OWN_SIZE' })]),
  });
});

it('shows the terms of a reserve, and the referral fees of a wallet', async () => {
  const { termReserve, referrer, referredReserve } = acting.localnet.addresses;
  const reserve = await session.call<{ reserve: object }>('inspect', {
    address: termReserve,
    kind: 'reserve',
  });
  expect(reserve.data.reserve).toMatchObject({ terms: { kind: 'FIXED_TERM', rate: 'FIXED' } });
  const own = await session.call<{ wallet: object }>('inspect', { address: referrer, kind: 'wallet' });
  expect(own.data.wallet).toMatchObject({
    referralFees: expect.arrayContaining([
      expect.objectContaining({
        reserveAddress: referredReserve,
        claimable: expect.objectContaining({ amount: expect.stringMatching(/^\d/) }),
      }),
    ]),
  });
});
