import {
  RENT_SYSVAR,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import {
  initializeAccount,
  initializeAccount2,
  initializeAccount3,
  initializeImmutableOwner,
} from '@sluice/protocol/token/account-instructions';
import {
  getAccountDataSize,
  initializeMint,
  initializeMint2,
  initializeMultisig,
  initializeMultisig2,
} from '@sluice/protocol/token/mint-instructions';
import { decodeMultisig } from '@sluice/protocol/token/multisig';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  extension,
  rentOf,
  TokenBench,
  transferFeeConfig,
} from '../support/runtime/token-bench.ts';

const ANN = addressOf('ann');
const BEN = addressOf('ben');
const custom = (code: number) => ({ Custom: code });

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('%s', (_name, program) => {
  it('opens mints', () => {
    const tokens = new TokenBench(program);
    const args = { decimals: 9, mintAuthority: ANN, freezeAuthorityTag: 1, freezeAuthority: BEN };
    const first = tokens.empty('first', 82);
    expect(tokens.failureOf(initializeMint2.encode(program, { mint: first }, args))).toBeNull();
    expect(tokens.mintState(first)).toMatchObject({
      decimals: 9,
      supply: 0n,
      mintAuthority: ANN,
      freezeAuthority: BEN,
    });
    expect(tokens.failureOf(initializeMint2.encode(program, { mint: first }, args))).toEqual(custom(6));

    const second = tokens.empty('second', 82);
    const accounts = { mint: second, rent: RENT_SYSVAR };
    const encoded = initializeMint.encode(program, accounts, { ...args, freezeAuthorityTag: 0 });
    expect(tokens.failureOf({ ...encoded, data: encoded.data.slice(0, 35) })).toBeNull();
    expect(tokens.mintState(second)).toMatchObject({ mintAuthority: ANN, freezeAuthority: null });

    const incomplete = initializeMint2.encode(program, { mint: tokens.empty('third', 82) }, args);
    expect(tokens.failureOf({ ...incomplete, data: incomplete.data.slice(0, 40) })).toEqual(custom(12));
    const poor = tokens.empty('poor', 82, rentOf(82) - 1n);
    expect(tokens.failureOf(initializeMint2.encode(program, { mint: poor }, args))).toEqual(custom(0));
    const long = tokens.empty('long', 200);
    expect(tokens.failureOf(initializeMint2.encode(program, { mint: long }, args))).toBe(
      'InvalidAccountData',
    );
  });

  it('opens token accounts', () => {
    const tokens = new TokenBench(program);
    const mint = tokens.mint('mint');
    const open: Record<string, (account: Address, of?: Address) => ReturnType<TokenBench['failureOf']>> = {
      one: (account, of = mint) =>
        tokens.failureOf(
          initializeAccount.encode(program, { account, mint: of, owner: ANN, rent: RENT_SYSVAR }, {}),
        ),
      two: (account, of = mint) =>
        tokens.failureOf(
          initializeAccount2.encode(program, { account, mint: of, rent: RENT_SYSVAR }, { owner: ANN }),
        ),
      three: (account, of = mint) =>
        tokens.failureOf(initializeAccount3.encode(program, { account, mint: of }, { owner: ANN })),
    };
    for (const [name, run] of Object.entries(open)) {
      const account = tokens.empty(name, 165);
      expect(run(account)).toBeNull();
      expect(tokens.held(account)).toMatchObject({
        mint,
        owner: ANN,
        amount: 0n,
        delegate: null,
        frozen: false,
        nativeRentLamports: null,
      });
      expect(run(account)).toEqual(custom(6));
    }
    expect(open.three?.(tokens.empty('poor', 165, rentOf(165) - 1n))).toEqual(custom(0));
    expect(open.three?.(tokens.empty('short', 164))).toBe('InvalidAccountData');
    expect(open.three?.(tokens.empty('no mint', 165), tokens.empty('zeros', 82))).toEqual(custom(2));
    expect(open.three?.(tokens.empty('wallet mint', 165), tokens.wallet('wallet'))).toBe(
      'IncorrectProgramId',
    );
  });

  it('opens multisigs', () => {
    const tokens = new TokenBench(program);
    const signers = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        address: addressOf(`signer ${i}`),
        role: AccountRole.READONLY,
      }));
    const multisig = tokens.empty('multisig', 355);
    const open = (required: number, count: number) =>
      tokens.failureOf(initializeMultisig2.encode(program, { multisig }, { required }, signers(count)));
    expect(open(1, 0)).toEqual(custom(7));
    expect(open(1, 12)).toEqual(custom(7));
    expect(open(0, 3)).toEqual(custom(8));
    expect(open(2, 3)).toBeNull();
    expect(decodeMultisig(tokens.existing(multisig).data)).toEqual({
      required: 2,
      isInitialized: true,
      signers: signers(3).map(({ address }) => address),
    });
    const again = initializeMultisig.encode(
      program,
      { multisig, rent: RENT_SYSVAR },
      { required: 1 },
      signers(1),
    );
    expect(tokens.failureOf(again)).toEqual(custom(6));
  });
});

it('counts the lamports above rent of a new account of wrapped SOL', () => {
  const tokens = new TokenBench();
  const account = tokens.empty('account', 165, 2_039_280n + 77n);
  const opening = initializeAccount3.encode(
    TOKEN_PROGRAM,
    { account, mint: WRAPPED_SOL_MINT },
    { owner: ANN },
  );
  expect(tokens.failureOf(opening)).toBeNull();
  expect(tokens.held(account)).toMatchObject({ amount: 77n, nativeRentLamports: 2_039_280n });
});

describe('Token-2022 extensions', () => {
  const fees = transferFeeConfig([100, 500n], [100, 500n]);
  const hook = extension(14, ...new Array<number>(64).fill(1));
  const pausable = extension(26, ...new Array<number>(33).fill(0));

  /** 165 + type byte + 4 bytes and the length of each extension. */
  it.each([
    ['no extension', [], 165],
    ['metadata only', [extension(18, ...new Array<number>(64).fill(1))], 165],
    ['transfer fees', [fees], 178],
    ['non-transferable', [extension(9)], 174],
    ['hook and pausable', [hook, pausable], 175],
  ])('an account of a mint with %s needs the right space', (_name, extensions, size) => {
    const tokens = new TokenBench(TOKEN_2022_PROGRAM);
    const mint = tokens.mint('mint', { extensions });
    const query = getAccountDataSize.encode(TOKEN_2022_PROGRAM, { mint }, {});
    const returned = (data: Uint8Array) => {
      const line = tokens.run([{ ...query, data }]).logs.find((log) => log.startsWith('Program return: '));
      return Buffer.from(line?.split(' ')[3] ?? '', 'base64').readBigUInt64LE();
    };
    expect(returned(query.data)).toBe(BigInt(size));
    const alreadyFixed = extensions.some(({ type }) => type === 9);
    const withOwner = alreadyFixed ? size : size === 165 ? 170 : size + 4;
    expect(returned(Uint8Array.of(...query.data, 7, 0))).toBe(BigInt(withOwner));

    const open = (name: string, bytes: number) => {
      const account = tokens.empty(name, bytes);
      return tokens.failureOf(
        initializeAccount3.encode(TOKEN_2022_PROGRAM, { account, mint }, { owner: ANN }),
      );
    };
    expect(open('fits', size)).toBeNull();
    if (size > 165) expect(open('too small', size - 1)).toBe('InvalidAccountData');
  });

  it('fixes the owner before the account is opened', () => {
    const tokens = new TokenBench(TOKEN_2022_PROGRAM);
    const mint = tokens.mint('mint', { extensions: [fees] });
    const account = tokens.empty('account', 182);
    const fix = initializeImmutableOwner.encode(TOKEN_2022_PROGRAM, { account }, {});
    const open = initializeAccount3.encode(TOKEN_2022_PROGRAM, { account, mint }, { owner: ANN });
    expect(tokens.run([fix, open]).failure).toBeNull();
    expect(tokens.existing(account).data[165]).toBe(2);
    expect([...tokens.existing(account).data.subarray(166)]).toEqual([
      7, 0, 0, 0, 2, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect(tokens.failureOf(fix)).toEqual(custom(6));
  });

  it('opens accounts frozen where the mint says so', () => {
    const tokens = new TokenBench(TOKEN_2022_PROGRAM);
    const mint = tokens.mint('mint', { extensions: [extension(6, 2)] });
    const account = tokens.empty('account', 165);
    const open = initializeAccount3.encode(TOKEN_2022_PROGRAM, { account, mint }, { owner: ANN });
    expect(tokens.failureOf(open)).toBeNull();
    expect(tokens.held(account).frozen).toBe(true);
  });
});
