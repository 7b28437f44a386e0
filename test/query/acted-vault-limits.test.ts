import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { viewOf } from '@sluice/protocol/layout/account';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';

/** Vaults with a deposit cap, a minimum of shares or a permissioning authority: previewed, sent and read back. */

const USDC = 1_000_000n;

interface Built {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string; readonly signers: readonly string[] }[];
  readonly bundle: { readonly instructions: readonly { readonly summary: string }[] };
  readonly preview: { readonly shares: { readonly before: string; readonly after: string } };
  readonly warnings: readonly { readonly code: string; readonly level: string; readonly message: string }[];
}

let world: ActingApp;
let wallet: KeyPairSigner;
beforeAll(async () => {
  world = await startActingApp();
  wallet = await world.newWallet({ [world.localnet.addresses.tokenMint]: 10_000n * USDC });
});
afterAll(() => world?.stop());

/** Another wallet's transfer enters the next slot, so that a View with the change is read. */
async function change(fields: StructInput<typeof vaultState.body.fields>): Promise<void> {
  const { vault } = world.localnet.addresses;
  const account = world.localnet.chain.account(vault);
  if (account === undefined) throw new Error('there is no vault');
  const data = account.data.slice();
  vaultState.body.write(viewOf(data), vaultState.discriminator.length, fields);
  world.localnet.chain.world.store.commit(new Map([[vault, { ...account, data }]]));
  await world.newWallet({});
}

const latest = async () => ({ 'x-min-slot': String(await world.rpc.getSlot().send()) });

async function limits(): Promise<Record<string, { amount: string } | string | null>> {
  const { data } = await world.gateway.query<{ vault: Record<string, { amount: string } | null> }>(
    `{ vault(address: "${world.localnet.addresses.vault}") {
      depositCap { amount } depositRoom { amount } permissioningAuthority totalValue { amount }
    } }`,
    { headers: await latest() },
  );
  return data.vault;
}

async function build(amount: string, options: object = {}): Promise<Built> {
  const input = {
    wallet: wallet.address,
    vault: world.localnet.addresses.vault,
    amount: { tokens: amount },
    options,
  };
  const { data, errors } = await world.gateway.query<{ plan: Built }>(
    `mutation ($input: VaultDepositInput!) { plan: buildVaultDeposit(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 signers }
        bundle { instructions { summary } }
        preview { shares { before after } }
        warnings { code level message }
        simulation { success }
      }
    } }`,
    { variables: { input }, headers: await latest() },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

const balance = () => world.tokens(wallet.address, world.localnet.addresses.tokenMint);

describe('a vault with limits', () => {
  it('shows none when it has none', async () => {
    expect(await limits()).toMatchObject({
      depositCap: null,
      depositRoom: null,
      permissioningAuthority: null,
    });
  });

  it('takes a deposit up to its cap, as previewed', async () => {
    const { totalValue } = await limits();
    const value = BigInt(Math.ceil(Number((totalValue as { amount: string }).amount)));
    await change({ depositCap: (value + 5n) * USDC });
    const shown = await limits();
    expect(shown.depositCap).toEqual({ amount: String(value + 5n) });
    const plan = await build('1000');
    expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
    const cut = plan.warnings.find(({ code }) => code === 'CUT_BY_DEPOSIT_CAP');
    expect(cut?.message).toContain((shown.depositRoom as { amount: string }).amount);
    const before = await balance();
    await world.send('RPC', plan.transactions[0]?.base64 ?? '', wallet);
    const paid = before - (await balance());
    // Fees not yet charged leave more room than the total value alone. Interest of a slot or two takes some of it.
    const room = parseDecimal((shown.depositRoom as { amount: string }).amount)
      .mul(Rational.of(USDC))
      .floor();
    expect(paid).toBeGreaterThan(room - USDC);
    expect(paid).toBeLessThan(room + 1_000n);
    // Interest of the next slots fills what is left of a base unit or two.
    const full = await build('1000', { strict: true });
    expect(full).toMatchObject({ code: 'BUILD_REFUSED' });
    expect(full.message).toContain('VaultDepositCapReached');
    await change({ depositCap: 0n });
  });

  it('is protected by a minimum of shares', async () => {
    const plan = await build('100', { slippageBps: 50 });
    expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
    expect(plan.bundle.instructions.map(({ summary }) => summary).join()).toMatch(
      /for at least [\d.]+ shares/,
    );
    expect(await build('100', { minSharesOut: '1', slippageBps: 1 })).toMatchObject({
      code: 'BUILD_REFUSED',
    });
    expect(await build('100', { minSharesOut: '100000', strict: true })).toMatchObject({
      code: 'BUILD_REFUSED',
    });
    await world.send('RPC', plan.transactions[0]?.base64 ?? '', wallet);
  });

  it('is signed by its authority too when it is permissioned', async () => {
    const authority = await generateKeyPairSigner();
    await change({ permissioningAuthority: authority.address });
    expect(await limits()).toMatchObject({ permissioningAuthority: authority.address });
    const plan = await build('100');
    expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
    expect(plan.transactions[0]?.signers).toEqual([wallet.address, authority.address]);
    const warned = plan.warnings.find(({ code }) => code === 'NEEDS_PERMISSION');
    expect(warned?.message).toContain(authority.address);
    const before = await balance();
    await world.send('RPC', plan.transactions[0]?.base64 ?? '', wallet, authority);
    expect(await balance()).toBeLessThan(before);
  });
});
