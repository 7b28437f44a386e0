import { lookupTableAddress, marketOwner } from '@sluice/localnet/world/markets';
import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, signerOf, startActingApp } from '../support/apps/acting-app.ts';
import { createNonceAccount } from '../support/apps/system-transactions.ts';
import { debtUnits } from '../support/lending/position-units.ts';
import { sendSigned } from '../support/leverage/leverage-actor.ts';
import { given, swapWith } from '../support/leverage/maker-swap.ts';

/** Claims that need several transactions and plans with two flash loans, on the localnet: sent in order. */

interface Plan {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly transactions: readonly {
    readonly base64: string;
    readonly steps: readonly number[];
    readonly setupOnly: boolean;
    readonly splitReason: string | null;
    readonly sizeBytes: number;
  }[];
  readonly steps: readonly {
    readonly transaction: number;
    readonly preview: { readonly debtTokens: { readonly after: string } | null };
  }[];
  readonly preview: {
    readonly rewards: readonly { readonly mint: Address; readonly amount: { readonly baseUnits: string } }[];
  };
}

const BUILD = `mutation ($actions: [BuildAction!]!, $options: BuildOptions) { plan: buildPlan(actions: $actions, options: $options) {
  __typename
  ... on BuildError { code message }
  ... on TransactionPlan {
    transactions { base64 steps setupOnly splitReason sizeBytes }
    steps { transaction preview { debtTokens { after } } }
    preview { rewards { mint amount { baseUnits } } }
    simulation { success logs }
  }
} }`;

let world: ActingApp;
let signer: KeyPairSigner;
beforeAll(async () => {
  world = await startActingApp();
  signer = await signerOf([...world.localnet.secretKey]);
});
afterAll(() => world?.stop());

async function build(actions: readonly object[], options: object = {}): Promise<Plan> {
  const variables = { actions, options };
  const { data, errors } = await world.gateway.query<{ plan: Plan }>(BUILD, { variables });
  expect(errors).toEqual([]);
  return data.plan;
}

const claimAll = () => ({ claimRewards: { wallet: signer.address, options: { unwrapSol: false } } });

describe('a claim from all farms', () => {
  it('over REST, in one transaction, is refused with the advice to name fewer', async () => {
    const claim = world.post('/ktx/farms/claim', { wallet: signer.address });
    await expect(claim).rejects.toThrow(/400.*TRANSACTION_SIZE_ERROR/);
    await expect(claim).rejects.toThrow(/Name fewer farms, or claim with buildClaimRewards/);
  });

  it('with a durable nonce is refused: it is good for one transaction', async () => {
    const payer = await world.newWallet({});
    const account = await createNonceAccount(world, payer, signer.address);
    const durableNonce = { account, authority: signer.address };
    expect(await build([claimAll()], { durableNonce })).toMatchObject({ code: 'DURABLE_NONCE_INVALID' });
  });

  it('is divided among transactions, which pay every reward of the preview', async () => {
    const plan = await build([claimAll()]);
    expect(plan, plan.message).toMatchObject({
      __typename: 'TransactionPlan',
      simulation: { success: true },
    });
    const { transactions, preview } = plan;
    expect(transactions.length).toBeGreaterThan(1);
    expect(transactions.map(({ steps, setupOnly }) => [steps, setupOnly])).toEqual(
      transactions.map(() => [[0], false]),
    );
    expect(transactions.map(({ splitReason }) => splitReason)).toEqual([
      null,
      ...transactions.slice(1).map(() => 'SIZE'),
    ]);
    const promised = new Map<Address, bigint>();
    for (const { mint, amount } of preview.rewards) {
      promised.set(mint, (promised.get(mint) ?? 0n) + BigInt(amount.baseUnits));
    }
    const balances = () =>
      Promise.all([...promised.keys()].map((mint) => world.tokens(signer.address, mint)));
    const before = await balances();
    const received = async () => (await balances()).map((units, i) => units - (before[i] ?? 0n));
    for (const { base64 } of transactions) {
      // Each transaction is needed.
      expect((await received()).some((units, i) => units < ([...promised.values()][i] ?? 0n))).toBe(true);
      await world.send('RPC', base64, signer);
    }
    const all = await received();
    expect(all.length).toBeGreaterThan(1);
    for (const [i, units] of [...promised.values()].entries()) {
      expect(units).toBeGreaterThan(0n);
      // A slot passes before each further transaction, in which stakes earn a little more.
      expect(all[i]).toBeGreaterThanOrEqual(units);
      expect(all[i]).toBeLessThanOrEqual(units + units / 1_000n + 1n);
    }
  });
});

describe('two flash loans', () => {
  it('of one plan are in two transactions, which work in order', async () => {
    const { market, stakedReserve, stakedMint, reserve, tokenMint } = world.localnet.addresses;
    const wallet = await world.newWallet({ [stakedMint]: 3_000_000_000n });
    const maker = await world.newWallet({ [stakedMint]: 10_000_000_000n, [tokenMint]: 1_000_000_000n });
    const multiply = (tokens: string, paid: bigint, bought: bigint, more: object, inAmount = {}) => ({
      multiply: {
        wallet: wallet.address,
        market,
        collateralReserve: stakedReserve,
        debtReserve: reserve,
        borrow: { tokens },
        swap: {
          instructions: given(
            swapWith(
              maker.address,
              wallet.address,
              { mint: tokenMint, amount: paid },
              { mint: stakedMint, amount: bought },
            ),
          ),
          minOut: String(bought),
          signers: [maker.address],
          ...inAmount,
        },
        ...more,
      },
    });
    const plan = await build(
      [
        multiply('150', 149_998_500n, 650_000_000n, { deposit: { tokens: '1' } }),
        multiply('20', 15_000_000n, 64_000_000n, {}, { inAmount: '15000000' }),
      ],
      { lookupTables: [lookupTableAddress(marketOwner('sluice'), 'Harbor Market')] },
    );
    expect(plan, plan.message).toMatchObject({
      __typename: 'TransactionPlan',
      simulation: { success: true },
    });
    expect(plan.transactions.map(({ steps, splitReason }) => [steps, splitReason])).toEqual([
      [[0], null],
      [[1], 'FLASH_LOANS'],
    ]);
    expect(plan.steps.map(({ transaction }) => transaction)).toEqual([0, 1]);
    // Each borrow and 1/10,000 of origination fee.
    expect(plan.steps.map(({ preview }) => preview.debtTokens?.after)).toEqual(['150.015', '170.017']);
    const landed = [];
    for (const { base64 } of plan.transactions) landed.push(await sendSigned(world, base64, wallet, maker));
    const after = landed.at(-1)?.after ?? expect.fail('nothing was sent');
    const key = { tag: 1, id: 0, seed1: stakedMint, seed2: tokenMint };
    const obligation = obligationAddress(MAINNET_PROGRAMS.klend, wallet.address, market, key).address;
    const debt = debtUnits(after, obligation, reserve);
    // With the interest of the slots between.
    expect(debt.compare(Rational.of(170_017_000n))).toBeGreaterThanOrEqual(0);
    expect(debt.compare(Rational.of(170_018_000n))).toBe(-1);
  });
});
