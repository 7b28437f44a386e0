import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';

/** A vault that is created, set up and used over the APIs. */

const { kvault } = MAINNET_PROGRAMS;
const WHOLE = 1_000_000n;

interface Built {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string; readonly signers: readonly Address[] }[];
  readonly steps: readonly { readonly kind: string }[];
  readonly warnings: readonly { readonly code: string; readonly level: string }[];
  readonly simulation: { readonly success: boolean; readonly logs: readonly string[] };
}

const BUILT = `__typename ... on BuildError { code message }
  ... on TransactionPlan {
    transactions { base64 signers } steps { kind } warnings { code level } simulation { success logs }
  }`;

let world: ActingApp;
let mint: Address;
let reserve: Address;
let wallet: KeyPairSigner;
beforeAll(async () => {
  world = await startActingApp();
  const found = world.localnet.chain.world.vaults.find(({ name }) => name === 'Jetty USDC');
  if (found === undefined) throw new RangeError('no such vault');
  mint = found.token.mint.address;
  reserve = found.allocations[0]?.reserve.address ?? expect.fail('no reserve');
  wallet = await world.newWallet({ [mint]: 1_000n * WHOLE });
});
afterAll(() => world?.stop());

const newest = async () => ({ 'x-min-slot': String(await world.rpc.getSlot().send()) });

async function ask(document: string, variables: Readonly<Record<string, unknown>>): Promise<Built> {
  const { data, errors } = await world.gateway.query<{ built: Built }>(document, {
    variables,
    headers: await newest(),
  });
  expect(errors).toEqual([]);
  return data.built;
}

const create = (input: object) =>
  ask(`mutation ($input: CreateVaultInput!) { built: buildCreateVault(input: $input) { ${BUILT} } }`, {
    input,
  });

const plan = (actions: readonly object[]) =>
  ask(`mutation ($actions: [BuildAction!]!) { built: buildPlan(actions: $actions) { ${BUILT} } }`, {
    actions,
  });

describe('a new vault', () => {
  it('is created and set up in one plan, signed by two keys, and takes deposits', async () => {
    const key = await generateKeyPairSigner();
    const at = { wallet: wallet.address, vault: key.address };
    const built = await plan([
      { createVault: { ...at, mint } },
      { setVaultConfig: { ...at, name: 'Harbour', performanceFeeBps: 1_000 } },
      { setVaultAllocation: { ...at, reserve, weight: '100' } },
      { vaultDeposit: { ...at, amount: { tokens: '250' } } },
      { investVault: { ...at, reserve } },
    ]);
    expect(built.message).toBeUndefined();
    const [first] = built.transactions;
    expect(first?.signers).toEqual([wallet.address, key.address]);
    expect(built.simulation).toMatchObject({ success: true });
    for (const { base64, signers } of built.transactions) {
      const keys = signers.includes(key.address) ? [wallet, key] : [wallet];
      await world.send('GraphQL', base64, ...keys);
    }
    const state = vaultState.decode(accountIn(world.localnet.chain, key.address), kvault);
    expect(state).toMatchObject({ performanceFeeBps: 1_000n, tokenMint: mint });
    expect(state.sharesIssued).toBe(250n * WHOLE + 1_000n);
    const { data } = await world.gateway.query<{ vault: Record<string, unknown> }>(
      `{ vault(address: "${key.address}") {
        name sharesIssued token { mint } allocations { share: actualShare } position(wallet: "${wallet.address}") { totalShares }
      } }`,
      { headers: await newest() },
    );
    expect(data.vault).toMatchObject({
      name: 'Harbour',
      // Not in the View yet.
      position: { totalShares: '250' },
      sharesIssued: '250.001',
      token: { mint },
      allocations: [{ share: expect.stringMatching(/^(1|0\.9)/) }],
    });
  });

  it('is refused at an address in use', async () => {
    const refused = await create({ wallet: wallet.address, vault: reserve, mint });
    expect(refused).toMatchObject({ __typename: 'BuildRefused', code: 'BUILD_REFUSED' });
    expect(refused.message).toContain('in use');
  });

  it('warns a wallet that cannot pay, and builds nothing for it in strict mode', async () => {
    const poor = await generateKeyPairSigner();
    const key = await generateKeyPairSigner();
    const input = { wallet: poor.address, vault: key.address, mint };
    const built = await create(input);
    const { warnings } = built;
    expect(warnings).toContainEqual({ code: 'BALANCE_TOO_LOW', level: 'ERROR' });
    expect(warnings).toContainEqual({ code: 'NEW_VAULT_SIGNS', level: 'INFO' });
    expect(built.simulation.success).toBe(false);
    const strict = await create({ ...input, options: { strict: true } });
    expect(strict).toMatchObject({ code: 'BUILD_REFUSED' });
  });
});
