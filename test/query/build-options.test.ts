import { obligationAddress, userMetadataAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { createNonceAccount, nonceIn, payFor } from '../support/apps/system-transactions.ts';
import { depositUnits } from '../support/lending/position-units.ts';

/** The options of a build on the localnet: built, simulated, signed by all signers, sent and read back. */

const USDC = 1_000_000n;
/** Lamports of one signature. */
const SIGNATURE_FEE = 5_000n;

interface Built {
  readonly transactions: readonly {
    readonly base64: string;
    readonly signers: readonly Address[];
    readonly blockhash: string;
    readonly lastValidBlockHeight: string | null;
    readonly priorityFeeMicroLamports: string | null;
  }[];
  readonly bundle: { readonly instructions: readonly { readonly summary: string; readonly data: string }[] };
  readonly simulation: {
    readonly success: boolean;
    readonly logs: readonly string[];
    readonly error: unknown;
  };
  readonly warnings: readonly { readonly code: string; readonly level: string }[];
}

interface Refused {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
}

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

/** A wallet with tokens and no SOL. */
async function tokenWallet(): Promise<KeyPairSigner> {
  const signer = await generateKeyPairSigner();
  await world.call('localnet_requestTokens', [
    signer.address,
    world.localnet.addresses.tokenMint,
    1_000_000_000,
  ]);
  return signer;
}

const latest = async () => ({ 'x-min-slot': String(await world.rpc.getSlot().send()) });
const lamportsOf = (address: Address) => world.localnet.chain.account(address)?.lamports ?? 0n;

async function ask(wallet: Address, options: object, amount = '25.5'): Promise<Built & Refused> {
  const { market, reserve } = world.localnet.addresses;
  const { data, errors } = await world.gateway.query<{ built: Built & Refused }>(
    `mutation ($input: LendingActionInput!) { built: buildLendingDeposit(input: $input) {
      __typename
      ... on BuildError { code message }
      ... on TransactionPlan {
        transactions { base64 signers blockhash lastValidBlockHeight priorityFeeMicroLamports }
        bundle { instructions { summary data } }
        simulation { success logs error { message } }
        warnings { code level }
      }
    } }`,
    {
      variables: { input: { wallet, market, reserve, amount: { tokens: amount }, options } },
      headers: await latest(),
    },
  );
  expect(errors).toEqual([]);
  return data.built;
}

async function build(wallet: Address, options: object, amount?: string): Promise<Built> {
  const built = await ask(wallet, options, amount);
  expect(built).toMatchObject({ __typename: 'TransactionPlan', simulation: { success: true, error: null } });
  return built;
}

/** The only transaction of a build. */
function only({ transactions }: Built): Built['transactions'][number] {
  const [transaction] = transactions;
  expect(transactions).toHaveLength(1);
  return transaction ?? expect.fail('no transaction');
}

const obligationOf = (wallet: Address) =>
  obligationAddress(MAINNET_PROGRAMS.klend, wallet, world.localnet.addresses.market, VANILLA_OBLIGATION)
    .address;

function deposited(wallet: Address): bigint {
  const get = (address: Address) => world.localnet.chain.account(address);
  return depositUnits({ get }, obligationOf(wallet), world.localnet.addresses.reserve).floor();
}

/** 25.5 tokens: the program rounds collateral down, by less than two base units of the token. */
function expectDeposited(wallet: Address): void {
  const missing = 25_500_000n - deposited(wallet);
  expect([0n, 1n, 2n]).toContain(missing);
}

describe('a fee payer', () => {
  it('pays the fee, the rent and the tip of a wallet that has no SOL', async () => {
    const [wallet, sponsor] = [await tokenWallet(), await world.newWallet({})];
    const tipped = (await world.newWallet({})).address;
    const before = { sponsor: lamportsOf(sponsor.address), tipped: lamportsOf(tipped) };
    const built = await build(wallet.address, {
      feePayer: sponsor.address,
      memo: 'Bestellung 17 ✓',
      tip: { account: tipped, lamports: '123456' },
    });
    const { base64, signers } = only(built);
    expect(signers).toEqual([sponsor.address, wallet.address]);
    expect(built.bundle.instructions.slice(-2).map(({ summary }) => summary)).toEqual([
      'Log a memo of 17 bytes',
      'Pay a tip of 0.000123456 SOL',
    ]);
    const { signature } = await world.send('GraphQL', base64, sponsor, wallet);
    expect(world.localnet.chain.transaction(signature)?.logs).toContain(
      'Program log: Memo (len 17): "Bestellung 17 ✓"',
    );
    const { addresses, preBalances, postBalances } =
      world.localnet.chain.transaction(signature) ?? expect.fail('it did not land');
    const created = addresses.filter((_, i) => preBalances[i] === 0n && postBalances[i] !== 0n);
    expect(created).toContain(obligationOf(wallet.address));
    expect(created).toContain(userMetadataAddress(MAINNET_PROGRAMS.klend, wallet.address).address);
    const rent = created.map(lamportsOf).reduce((sum, each) => sum + each, 0n);
    const paid = rent + 2n * SIGNATURE_FEE + 123_456n;
    expect(before.sponsor - lamportsOf(sponsor.address)).toBe(paid);
    expect(lamportsOf(tipped) - before.tipped).toBe(123_456n);
    expect(lamportsOf(wallet.address)).toBe(0n);
    expectDeposited(wallet.address);
  });

  it('pays for a vault deposit over REST, except for the stake account', async () => {
    const { vault, sharesMint, tokenMint } = world.localnet.addresses;
    const [wallet, sponsor] = [
      await world.newWallet({ [tokenMint]: 1_000n * USDC }),
      await world.newWallet({}),
    ];
    const body = {
      wallet: wallet.address,
      kvault: vault,
      amount: '100',
      options: { feePayer: sponsor.address, memo: 'sponsored' },
    };
    const before = { wallet: lamportsOf(wallet.address), sponsor: lamportsOf(sponsor.address) };
    const { transaction } = await world.post<{ transaction: string }>(
      '/ktx/kvault/deposit',
      body,
      await latest(),
    );
    const { signature } = await world.send('REST', transaction, wallet, sponsor);
    const { addresses, preBalances, postBalances } =
      world.localnet.chain.transaction(signature) ?? expect.fail('it did not land');
    const created = addresses.filter((_, i) => preBalances[i] === 0n && postBalances[i] !== 0n);
    const shares = associatedTokenAddress(wallet.address, TOKEN_PROGRAM, sharesMint).address;
    expect(created).toContain(shares);
    const [stake, ...others] = created.filter((address) => address !== shares);
    expect(others).toEqual([]);
    expect(before.sponsor - lamportsOf(sponsor.address)).toBe(lamportsOf(shares) + 2n * SIGNATURE_FEE);
    expect(before.wallet - lamportsOf(wallet.address)).toBe(lamportsOf(stake ?? expect.fail('no stake')));
  });

  it('must sign as well', async () => {
    const [wallet, sponsor] = [await tokenWallet(), await world.newWallet({})];
    const { base64 } = only(await build(wallet.address, { feePayer: sponsor.address }));
    await expect(world.send('REST', base64, wallet)).rejects.toThrow(/missing signatures/);
    await expect(world.post('/transactions', { transaction: base64 })).rejects.toThrow(
      /TRANSACTION_UNSIGNED/,
    );
  });
});

describe('a durable nonce', () => {
  it('keeps a transaction valid after many slots, and lets it land once', async () => {
    const wallet = await world.newWallet({ [world.localnet.addresses.tokenMint]: 1_000n * USDC });
    const account = await createNonceAccount(world, wallet, wallet.address);
    const stored = nonceIn(world, account);
    const built = await build(wallet.address, {
      durableNonce: { account, authority: wallet.address },
      computeUnitLimit: 900_000,
    });
    const { base64, blockhash, lastValidBlockHeight, signers } = only(built);
    expect({ blockhash, lastValidBlockHeight, signers }).toEqual({
      blockhash: stored,
      lastValidBlockHeight: null,
      signers: [wallet.address],
    });
    expect(built.bundle.instructions[0]?.data).toBe('BAAAAA==');
    const { slot } = world.localnet.chain;
    await world.call('localnet_advanceTime', [600]);
    expect(world.localnet.chain.slot - slot).toBeGreaterThan(1_000n);
    expect(world.localnet.chain.isBlockhashValid(stored)).toBe(false);
    await world.send('REST', base64, wallet);
    const after = deposited(wallet.address);
    expectDeposited(wallet.address);
    expect(nonceIn(world, account)).not.toBe(stored);
    await expect(world.send('RPC', base64, wallet)).rejects.toThrow(/AlreadyProcessed|BlockhashNotFound/);
    expect(deposited(wallet.address)).toBe(after);
  });

  it('belongs to the fee payer when that is its authority', async () => {
    const [wallet, sponsor] = [await tokenWallet(), await world.newWallet({})];
    const account = await createNonceAccount(world, sponsor, sponsor.address);
    const options = { feePayer: sponsor.address, durableNonce: { account, authority: sponsor.address } };
    const { base64 } = only(await build(wallet.address, options));
    await world.call('localnet_advanceTime', [600]);
    await world.send('GraphQL', base64, sponsor, wallet);
    expectDeposited(wallet.address);
  });
});

describe('a plan', () => {
  it('takes the options once, for all of its actions', async () => {
    const [wallet, sponsor] = [await tokenWallet(), await world.newWallet({})];
    const account = await createNonceAccount(world, sponsor, sponsor.address);
    const { market, reserve } = world.localnet.addresses;
    const step = (tokens: string) => ({ wallet: wallet.address, market, reserve, amount: { tokens } });
    const { data, errors } = await world.gateway.query<{ built: Built }>(
      `mutation ($actions: [BuildAction!]!, $options: BuildOptions) {
        built: buildPlan(actions: $actions, options: $options) {
          ... on BuildError { code message }
          ... on TransactionPlan {
            transactions { base64 signers blockhash lastValidBlockHeight priorityFeeMicroLamports }
            simulation { success logs error { message } }
          }
        }
      }`,
      {
        variables: {
          actions: [{ lendingDeposit: step('30') }, { lendingWithdraw: step('10') }],
          options: {
            feePayer: sponsor.address,
            memo: 'one plan',
            durableNonce: { account, authority: sponsor.address },
          },
        },
        headers: await latest(),
      },
    );
    expect(errors).toEqual([]);
    expect(data.built).toMatchObject({ simulation: { success: true } });
    const { base64, signers, lastValidBlockHeight } = only(data.built);
    expect({ signers, lastValidBlockHeight }).toEqual({
      signers: [sponsor.address, wallet.address],
      lastValidBlockHeight: null,
    });
    const { signature } = await world.send('GraphQL', base64, sponsor, wallet);
    const logs = world.localnet.chain.transaction(signature)?.logs ?? [];
    expect(logs.filter((line) => line.startsWith('Program log: Memo'))).toEqual([
      'Program log: Memo (len 8): "one plan"',
    ]);
    expect(lamportsOf(wallet.address)).toBe(0n);
    // A withdrawal redeems whole collateral tokens, so it may pay a base unit or two more.
    const left = await world.tokens(wallet.address, world.localnet.addresses.tokenMint);
    expect([0n, 1n, 2n]).toContain(left - 980_000_000n);
  });
});

describe('a priority fee by level', () => {
  it('is the percentile of what recent transactions paid, and is charged', async () => {
    const wallet = await world.newWallet({ [world.localnet.addresses.tokenMint]: 1_000n * USDC });
    // Nothing was paid for in the 150 slots before.
    await world.call('localnet_advanceTime', [600]);
    // 10 of 150 slots at 9,000 and 20 at 4,000: ranks 38 and 75 are zero, rank 135 is the 15th of 30 from above.
    for (let i = 0; i < 30; i += 1) await payFor(world, wallet, i < 10 ? 9_000n : 4_000n, BigInt(i + 1));
    const priced = async (priorityFee: string) =>
      only(await build(wallet.address, { priorityFee, computeUnitLimit: 1_000_000 }))
        .priorityFeeMicroLamports;
    expect([await priced('LOW'), await priced('MEDIUM')]).toEqual(['0', '0']);
    const built = only(await build(wallet.address, { priorityFee: 'HIGH', computeUnitLimit: 1_000_000 }));
    expect(built.priorityFeeMicroLamports).toBe('4000');
    const { signature } = await world.send('REST', built.base64, wallet);
    expect(world.localnet.chain.transaction(signature)?.feeLamports).toBe(SIGNATURE_FEE + 4_000n);
  });

  it('is not stated without one, and an explicit one is stated', async () => {
    const wallet = await world.newWallet({ [world.localnet.addresses.tokenMint]: 1_000n * USDC });
    expect(only(await build(wallet.address, {})).priorityFeeMicroLamports).toBeNull();
    const explicit = await build(wallet.address, { priorityFeeMicroLamports: '77' });
    expect(only(explicit).priorityFeeMicroLamports).toBe('77');
  });
});

describe('an option that cannot be used is refused with a code', () => {
  let wallet: KeyPairSigner;
  let stranger: KeyPairSigner;
  beforeAll(async () => {
    const tokens = { [world.localnet.addresses.tokenMint]: 1_000n * USDC };
    [wallet, stranger] = [await world.newWallet(tokens), await world.newWallet({})];
  });

  const expectRefused = async (options: object, code: string, message: RegExp) => {
    const refused = await ask(wallet.address, options);
    expect(refused).toMatchObject({ __typename: 'InvalidOption', code });
    expect(refused.message).toMatch(message);
  };

  it('a fee payer that is the wallet', () =>
    expectRefused({ feePayer: wallet.address }, 'FEE_PAYER_INVALID', /it is the wallet/));

  it.each([
    ['that is empty', '', /it is empty/],
    ['over its limit in bytes', 'é'.repeat(284), /takes 568 bytes in UTF-8, and at most 566/],
    ['with half a character', 'a\uD83D', /not valid Unicode/],
  ])('a memo %s', (_what, memo, message) => expectRefused({ memo }, 'MEMO_INVALID', message));

  it('a tip of nothing, and one to the payer', async () => {
    await expectRefused(
      { tip: { account: stranger.address, lamports: '0' } },
      'TIP_INVALID',
      /from 1 lamport/,
    );
    await expectRefused(
      { tip: { account: wallet.address, lamports: '5' } },
      'TIP_INVALID',
      /fee payer itself/,
    );
  });

  it('a level beside an explicit price', () =>
    expectRefused(
      { priorityFee: 'LOW', priorityFeeMicroLamports: '1' },
      'PRIORITY_FEE_INVALID',
      /both a level and a price/,
    ));

  it('a nonce account that is not usable', async () => {
    const { address: authority } = wallet;
    const nonce = (account: Address, by = authority) => ({ durableNonce: { account, authority: by } });
    const foreign = await createNonceAccount(world, stranger, stranger.address);
    const raw = await createNonceAccount(world, wallet, null);
    const code = 'DURABLE_NONCE_INVALID';
    const absent = (await generateKeyPairSigner()).address;
    await expectRefused(nonce(absent), code, /there is no account/);
    await expectRefused(nonce(world.localnet.addresses.reserve), code, /not a nonce account/);
    await expectRefused(nonce(stranger.address), code, /not a nonce account/);
    await expectRefused(nonce(raw), code, /not initialised/);
    await expectRefused(nonce(foreign), code, new RegExp(`authority of ${foreign} is ${stranger.address}`));
    await expectRefused(nonce(foreign, stranger.address), code, /neither the wallet nor the fee payer/);
  });

  it('a tip above the balance only warns, except in strict mode', async () => {
    const tip = { account: stranger.address, lamports: '200000000000' };
    const built = await ask(wallet.address, { tip });
    expect(built.warnings).toContainEqual({ code: 'TIP_ABOVE_BALANCE', level: 'ERROR' });
    expect(built.simulation.success).toBe(false);
    expect(await ask(wallet.address, { tip, strict: true })).toMatchObject({
      __typename: 'BuildRefused',
      code: 'BUILD_REFUSED',
    });
  });
});
