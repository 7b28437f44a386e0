import type { Address } from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { Explainer } from '../support/explain/explainer.ts';

const USDC = 1_000_000n;
const QUERY = `query ($signature: String!) {
  transaction(signature: $signature) {
    signature slot feeLamports error { message } logs
    balanceChanges { change { baseUnits token { mint } } after { baseUnits } }
    explanation { feePayer instructions { name summary } }
  }
}`;

interface Found {
  readonly signature: string;
  readonly slot: string;
  readonly feeLamports: string;
  readonly error: { readonly message: string } | null;
  readonly logs: readonly string[];
  readonly balanceChanges: readonly {
    readonly change: { readonly baseUnits: string; readonly token: { readonly mint: Address } };
    readonly after: { readonly baseUnits: string };
  }[];
  readonly explanation: {
    readonly feePayer: Address;
    readonly instructions: readonly { readonly name: string | null; readonly summary: string }[];
  };
}

let world: ActingApp;
let explainer: Explainer;
beforeAll(async () => {
  world = await startActingApp();
  const { tokenMint } = world.localnet.addresses;
  explainer = new Explainer(world, await world.newWallet({ [tokenMint]: 100n * USDC }));
});
afterAll(() => world?.stop());

const find = (signature: string) =>
  world.gateway.query<{ transaction: Found | null }>(QUERY, {
    variables: { signature },
    headers: explainer.headers,
  });

it('explains a transaction that has landed, with what it did to its fee payer', async () => {
  const { vault, tokenMint, sharesMint } = world.localnet.addresses;
  const wallet = explainer.signer.address;
  const built = await explainer.build('buildVaultDeposit', 'VaultDepositInput', {
    vault,
    amount: { tokens: '25' },
  });
  const { signature, slot } = await explainer.send(built);
  const { data, errors } = await find(signature);
  expect(errors).toEqual([]);
  expect(data.transaction).toMatchObject({
    signature,
    slot: String(slot),
    feeLamports: '5000',
    error: null,
    explanation: { feePayer: wallet },
  });
  const { balanceChanges = [], explanation, logs = [] } = data.transaction ?? {};
  expect(explanation?.instructions.map(({ name }) => name)).toContain('deposit');
  expect(logs.length).toBeGreaterThan(0);
  const changeOf = (mint: Address) => balanceChanges.find(({ change }) => change.token.mint === mint);
  expect(changeOf(tokenMint)?.change.baseUnits).toBe(String(-25n * USDC));
  expect(changeOf(tokenMint)?.after.baseUnits).toBe(String(await world.tokens(wallet, tokenMint)));
  // All shares are staked in the farm at once, so that the wallet never holds any.
  expect(await world.tokens(wallet, sharesMint)).toBe(0n);
  expect(changeOf(sharesMint)).toBeUndefined();
});

it('is null for a signature that no block has, and an error for what is none', async () => {
  const unknown = '5'.repeat(87);
  const { data, errors } = await find(unknown);
  expect(errors).toEqual([]);
  expect(data.transaction).toBeNull();
  const malformed = await find('not a signature');
  expect(malformed.errors).toMatchObject([{ extensions: { code: 'SIGNATURE_MALFORMED' } }]);
});
