import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { encodeMint } from '@sluice/protocol/token/mint';
import { encodeTokenAccount, type TokenAccount } from '@sluice/protocol/token/token-account';
import { type Address, type Base58EncodedBytes, createSolanaRpc } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { type LocalnetRpc, startRpcServer } from '../../src/rpc/server.ts';
import { account, FakeChain, testAddress } from '../support/chain/fake-chain.ts';

const ALICE = testAddress(1);
const BOB = testAddress(2);
const USD = testAddress(10);
const EXTENDED = testAddress(11);
const ALICE_USD = testAddress(20);
const BOB_USD = testAddress(21);
const ALICE_EXTENDED = testAddress(22);
const MISSING = testAddress(99);

function balance(
  mint: Address,
  owner: Address,
  amount: bigint,
  extra: Partial<TokenAccount> = {},
): Uint8Array {
  return encodeTokenAccount({
    mint,
    owner,
    amount,
    delegate: null,
    delegatedAmount: 0n,
    frozen: false,
    nativeRentLamports: null,
    closeAuthority: null,
    extensions: [],
    ...extra,
  });
}

const mint = (supply: bigint, decimals: number) =>
  encodeMint({ mintAuthority: BOB, supply, decimals, freezeAuthority: null, extensions: [] });

const immutableOwner = { type: 7, data: new Uint8Array() };

function filled(): FakeChain {
  const localChain = new FakeChain();
  localChain.accounts.set(USD, account(mint(1_000_000_000_000n, 6), TOKEN_PROGRAM));
  localChain.accounts.set(EXTENDED, account(mint(50n, 0), TOKEN_2022_PROGRAM));
  localChain.accounts.set(ALICE_USD, account(balance(USD, ALICE, 1_250_000n), TOKEN_PROGRAM));
  localChain.accounts.set(BOB_USD, account(balance(USD, BOB, 2_000_000n), TOKEN_PROGRAM));
  localChain.accounts.set(
    ALICE_EXTENDED,
    account(balance(EXTENDED, ALICE, 7n, { extensions: [immutableOwner] }), TOKEN_2022_PROGRAM),
  );
  return localChain;
}

let localChain: FakeChain;
let server: LocalnetRpc;
let rpc: ReturnType<typeof createSolanaRpc>;

beforeEach(async () => {
  localChain = filled();
  server = await startRpcServer(localChain);
  rpc = createSolanaRpc(server.url as `http://${string}`);
  return () => server.close();
});

const base64 = { encoding: 'base64' } as const;
const owned = async (owner: Address, filter: { mint: Address } | { programId: Address }) =>
  (await rpc.getTokenAccountsByOwner(owner, filter, base64).send()).value.map(({ pubkey }) => pubkey);

describe('getTokenAccountsByOwner', () => {
  test('finds the accounts of a mint, or of a token program', async () => {
    expect(await owned(ALICE, { mint: USD })).toEqual([ALICE_USD]);
    expect(await owned(ALICE, { mint: EXTENDED })).toEqual([ALICE_EXTENDED]);
    expect(await owned(ALICE, { programId: TOKEN_PROGRAM })).toEqual([ALICE_USD]);
    expect(await owned(ALICE, { programId: TOKEN_2022_PROGRAM })).toEqual([ALICE_EXTENDED]);
    expect(await owned(MISSING, { programId: TOKEN_PROGRAM })).toEqual([]);
  });

  test('returns the bytes in base64', async () => {
    const answer = await rpc.getTokenAccountsByOwner(BOB, { mint: USD }, base64).send();
    expect(answer).toMatchObject({
      context: { slot: 5_000n },
      value: [
        {
          pubkey: BOB_USD,
          account: {
            data: [Buffer.from(balance(USD, BOB, 2_000_000n)).toString('base64'), 'base64'],
            owner: TOKEN_PROGRAM,
            space: 165n,
          },
        },
      ],
    });
  });

  test('parses balances as a node does', async () => {
    const answer = await rpc.getTokenAccountsByOwner(ALICE, { mint: USD }, { encoding: 'jsonParsed' }).send();
    expect(answer.value[0]?.account.data).toEqual({
      program: 'spl-token',
      space: 165n,
      parsed: {
        type: 'account',
        info: {
          isNative: false,
          mint: USD,
          owner: ALICE,
          state: 'initialized',
          tokenAmount: { amount: '1250000', decimals: 6, uiAmount: 1.25, uiAmountString: '1.25' },
        },
      },
    });
    const extended = await rpc
      .getTokenAccountsByOwner(ALICE, { programId: TOKEN_2022_PROGRAM }, { encoding: 'jsonParsed' })
      .send();
    expect(extended.value[0]?.account.data).toMatchObject({
      program: 'spl-token-2022',
      parsed: { info: { tokenAmount: { amount: '7', uiAmount: 7, uiAmountString: '7' } } },
    });
  });

  test('parses delegates, wrapped lamports and frozen accounts', async () => {
    const special = balance(USD, ALICE, 5n, {
      delegate: BOB,
      delegatedAmount: 3n,
      frozen: true,
      nativeRentLamports: 2_039_280n,
      closeAuthority: MISSING,
    });
    localChain.tick(new Map([[ALICE_USD, account(special, TOKEN_PROGRAM)]]));
    const { value } = await rpc.getAccountInfo(ALICE_USD, { encoding: 'jsonParsed' }).send();
    expect(value?.data).toMatchObject({
      parsed: {
        info: {
          closeAuthority: MISSING,
          delegate: BOB,
          delegatedAmount: { amount: '3', uiAmountString: '0.000003' },
          isNative: true,
          rentExemptReserve: { amount: '2039280', uiAmountString: '2.03928' },
          state: 'frozen',
        },
      },
    });
  });

  test('scans the chain once, then follows its changes', async () => {
    expect(await owned(BOB, { mint: USD })).toEqual([BOB_USD]);
    expect(localChain.scans).toBe(2);
    const opened = testAddress(23);
    localChain.tick(
      new Map([
        [opened, account(balance(USD, BOB, 1n), TOKEN_PROGRAM)],
        [ALICE_USD, account(balance(USD, BOB, 1n), TOKEN_PROGRAM)],
      ]),
    );
    expect(await owned(BOB, { mint: USD })).toEqual([BOB_USD, opened, ALICE_USD]);
    expect(await owned(ALICE, { mint: USD })).toEqual([]);
    localChain.tick(new Map([[BOB_USD, null]]));
    expect(await owned(BOB, { mint: USD })).toEqual([opened, ALICE_USD]);
    expect(localChain.scans).toBe(2);
  });

  test('rejects unknown mints and programs', async () => {
    await expect(owned(ALICE, { mint: MISSING })).rejects.toMatchObject({
      context: { __code: -32602, __serverMessage: 'Invalid param: could not find mint' },
    });
    await expect(owned(ALICE, { mint: ALICE_USD })).rejects.toMatchObject({
      context: { __serverMessage: 'Invalid param: not a Token mint' },
    });
    await expect(owned(ALICE, { programId: USD })).rejects.toMatchObject({
      context: { __serverMessage: 'Invalid param: unrecognized Token program id' },
    });
  });
});

describe('amounts', () => {
  test('getTokenAccountBalance', async () => {
    const answer = await rpc.getTokenAccountBalance(BOB_USD).send();
    expect(answer.value).toEqual({ amount: '2000000', decimals: 6, uiAmount: 2, uiAmountString: '2' });
    await expect(rpc.getTokenAccountBalance(MISSING).send()).rejects.toMatchObject({
      context: { __serverMessage: 'Invalid param: could not find account' },
    });
    await expect(rpc.getTokenAccountBalance(USD).send()).rejects.toMatchObject({
      context: { __serverMessage: 'Invalid param: not a Token account' },
    });
  });

  test('getTokenSupply', async () => {
    expect((await rpc.getTokenSupply(USD).send()).value).toEqual({
      amount: '1000000000000',
      decimals: 6,
      uiAmount: 1_000_000,
      uiAmountString: '1000000',
    });
    await expect(rpc.getTokenSupply(ALICE_USD).send()).rejects.toMatchObject({
      context: { __serverMessage: 'Invalid param: not a Token mint' },
    });
  });

  test('getTokenLargestAccounts lists the twenty largest, largest first', async () => {
    for (let i = 0; i < 25; i += 1) {
      localChain.accounts.set(testAddress(300 + i), account(balance(USD, BOB, BigInt(i)), TOKEN_PROGRAM));
    }
    const { value } = await rpc.getTokenLargestAccounts(USD).send();
    expect(value).toHaveLength(20);
    expect(value.slice(0, 3)).toEqual([
      { address: BOB_USD, amount: '2000000', decimals: 6, uiAmount: 2, uiAmountString: '2' },
      { address: ALICE_USD, amount: '1250000', decimals: 6, uiAmount: 1.25, uiAmountString: '1.25' },
      {
        address: testAddress(324),
        amount: '24',
        decimals: 6,
        uiAmount: 0.000024,
        uiAmountString: '0.000024',
      },
    ]);
  });

  test('parses a mint', async () => {
    const { value } = await rpc.getAccountInfo(EXTENDED, { encoding: 'jsonParsed' }).send();
    expect(value?.data).toEqual({
      program: 'spl-token-2022',
      space: 82n,
      parsed: {
        type: 'mint',
        info: { decimals: 0, freezeAuthority: null, isInitialized: true, mintAuthority: BOB, supply: '50' },
      },
    });
  });
});

test('a scan for the token accounts of one wallet or mint uses the index', async () => {
  const scan = async (offset: bigint, wanted: Address) => {
    const memcmp = { offset, bytes: wanted as string as Base58EncodedBytes, encoding: 'base58' } as const;
    const found = await rpc
      .getProgramAccounts(TOKEN_PROGRAM, { ...base64, filters: [{ dataSize: 165n }, { memcmp }] })
      .send();
    return found.map(({ pubkey }) => pubkey);
  };
  expect(await scan(0n, USD)).toEqual([ALICE_USD, BOB_USD]);
  expect(await scan(32n, BOB)).toEqual([BOB_USD]);
  expect(await scan(0n, EXTENDED)).toEqual([]);
  expect(localChain.scans).toBe(2);
});
