import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, signerOf, startActingApp } from '../support/apps/acting-app.ts';

/**
 * Claims on the localnet: built, simulated, signed, sent and read back. The chain is frozen, so a claim runs in the
 * slot of its preview, and the wallet must receive what the preview says, to the base unit.
 */

interface Reward {
  readonly farm: Address;
  readonly mint: Address;
  readonly amount: { readonly baseUnits: string };
}

interface Result {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions?: readonly { readonly base64: string }[];
  readonly preview?: { readonly rewards: readonly Reward[]; readonly warnings: readonly object[] };
}

const CLAIM = `mutation ($input: ClaimRewardsInput!) { claim: buildClaimRewards(input: $input) {
  __typename
  ... on BuildError { code message }
  ... on TransactionPlan {
    transactions { base64 }
    preview { rewards { farm mint amount { baseUnits } } warnings { code message } }
    simulation { success logs }
  }
} }`;

let world: ActingApp;
let signer: KeyPairSigner;
let headers: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  world = await startActingApp();
  signer = await signerOf([...world.localnet.secretKey]);
});
afterAll(() => world?.stop());

async function claim(wallet: Address, farms?: readonly Address[], options = {}): Promise<Result> {
  const input = { wallet, ...(farms && { farms }), options };
  const { data, errors } = await world.gateway.query<{ claim: Result }>(CLAIM, {
    variables: { input },
    headers,
  });
  expect(errors).toEqual([]);
  return data.claim;
}

/** Sends the claim and returns what the wallet received of each mint, beside what the preview promised. */
async function paidBy(plan: Result): Promise<readonly (readonly [bigint, bigint])[]> {
  expect(plan).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true } });
  expect(plan.transactions).toHaveLength(1);
  const promised = new Map<Address, bigint>();
  for (const { mint, amount } of plan.preview?.rewards ?? []) {
    promised.set(mint, (promised.get(mint) ?? 0n) + BigInt(amount.baseUnits));
  }
  const before = new Map<Address, bigint>();
  for (const mint of promised.keys()) before.set(mint, await world.tokens(signer.address, mint));
  ({ headers } = await world.send('RPC', plan.transactions?.[0]?.base64 ?? '', signer));
  return await Promise.all(
    [...promised].map(async ([mint, amount]) => {
      const after = await world.tokens(signer.address, mint);
      return [after - (before.get(mint) ?? 0n), amount] as const;
    }),
  );
}

/** Farms of reserves in which the wallet's obligations have a stake. */
async function reserveFarms(): Promise<Address[]> {
  const { data } = await world.gateway.query<{
    wallet: { stakes: { farm: { address: Address }; reserve: object | null }[] };
  }>(`{ wallet(address: "${signer.address}") { stakes { farm { address } reserve { address } } } }`, {
    headers,
  });
  const found = data.wallet.stakes.filter(({ reserve }) => reserve !== null);
  return [...new Set(found.map(({ farm }) => farm.address))];
}

const vaultFarm = () => {
  const account = world.localnet.chain.account(world.localnet.addresses.vault);
  if (account === undefined) throw new Error('no vault');
  return vaultState.decode(account, MAINNET_PROGRAMS.kvault).vaultFarm;
};

describe('a claim', () => {
  it('pays what the preview names from the farm of a vault, and creates missing accounts', async () => {
    const paid = await paidBy(await claim(signer.address, [vaultFarm()]));
    expect(paid.length).toBeGreaterThan(1);
    for (const [received, promised] of paid) {
      expect(received).toBeGreaterThan(0n);
      expect(received).toBe(promised);
    }
  });

  it('pays what the preview names from the farms of reserves, for the obligations of the wallet', async () => {
    const farms = await reserveFarms();
    expect(farms.length).toBeGreaterThan(0);
    const plan = await claim(signer.address, farms.slice(0, 2), { unwrapSol: false });
    const paid = await paidBy(plan);
    expect(paid.length).toBeGreaterThan(0);
    for (const [received, promised] of paid) expect(received).toBe(promised);
  });

  it('of nothing is refused', async () => {
    expect(await claim(world.localnet.addresses.emptyWallet)).toMatchObject({
      __typename: 'NothingToClaim',
      code: 'NOTHING_TO_CLAIM',
    });
  });

  it('from a farm in which the wallet has no stake is refused', async () => {
    expect(await claim(world.localnet.addresses.emptyWallet, [vaultFarm()])).toMatchObject({
      __typename: 'StakeNotFound',
      code: 'FARM_STAKE_NOT_FOUND',
    });
    expect(await claim(signer.address, [])).toMatchObject({ __typename: 'BuildRefused' });
  });
});
