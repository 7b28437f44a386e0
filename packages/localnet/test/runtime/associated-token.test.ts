import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import {
  createAssociatedToken,
  recoverNestedAssociatedToken,
} from '@sluice/protocol/token/associated-token-instructions';
import {
  closeAccount,
  createAssociatedTokenIdempotent,
  syncNative,
} from '@sluice/protocol/token/instructions';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { associatedTokenProgram } from '../../src/runtime/associated-token/associated-token-program.ts';
import { PROGRAMS } from '../../src/runtime/programs.ts';
import { systemProgram } from '../../src/runtime/system/program.ts';
import { createWorldChain, type WorldChain } from '../../src/world/world-chain.ts';
import { ProgramBench } from '../support/runtime/program-bench.ts';
import {
  addressOf,
  rentOf,
  TEST_CLOCK,
  TokenBench,
  transferFeeConfig,
  unsigned,
} from '../support/runtime/token-bench.ts';

const ANN = addressOf('ann');
const PAYER = addressOf('payer');
const BALANCE = 10_000_000_000n;
const custom = (code: number) => ({ Custom: code });

function bench(tokenProgram: Address) {
  const tokens = new TokenBench(tokenProgram, [associatedTokenProgram, systemProgram]);
  tokens.wallet('payer', BALANCE);
  return tokens;
}

const accountsFor = (owner: Address, tokenProgram: Address, mint: Address) => ({
  payer: PAYER,
  associatedToken: associatedTokenAddress(owner, tokenProgram, mint).address,
  owner,
  mint,
  systemProgram: SYSTEM_PROGRAM,
  tokenProgram,
});

const create = (accounts: ReturnType<typeof accountsFor>) =>
  createAssociatedToken.encode(ASSOCIATED_TOKEN_PROGRAM, accounts, {});
const createIdempotent = (accounts: ReturnType<typeof accountsFor>) =>
  createAssociatedTokenIdempotent.encode(ASSOCIATED_TOKEN_PROGRAM, accounts, {});

describe('create', () => {
  it.each([
    ['SPL Token', TOKEN_PROGRAM, [], 165, 2_039_280n],
    ['Token-2022', TOKEN_2022_PROGRAM, [], 170, 2_074_080n],
    [
      'Token-2022 with transfer fees',
      TOKEN_2022_PROGRAM,
      [transferFeeConfig([100, 5n], [100, 5n])],
      182,
      2_157_600n,
    ],
  ])('opens an account of %s and charges the payer its rent', (_name, program, extensions, bytes, rent) => {
    const tokens = bench(program);
    const accounts = accountsFor(ANN, program, tokens.mint('mint', { extensions }));
    const { failure, inner, logs, unitsConsumed } = tokens.run([create(accounts)]);
    expect(failure).toBeNull();
    const account = tokens.existing(accounts.associatedToken);
    expect(account).toMatchObject({ owner: program, lamports: rent });
    expect(account.data).toHaveLength(bytes);
    expect(tokens.held(accounts.associatedToken)).toMatchObject({
      owner: ANN,
      mint: accounts.mint,
      amount: 0n,
    });
    expect(tokens.existing(PAYER).lamports).toBe(BALANCE - rent);
    expect(
      inner[0]?.map(({ instruction: { programAddress, data }, stackHeight }) => [
        programAddress,
        data[0],
        stackHeight,
      ]),
    ).toEqual([
      [program, 21, 2],
      [SYSTEM_PROGRAM, 0, 2],
      [program, 22, 2],
      [program, 18, 2],
    ]);
    expect(logs).toContain('Program log: Create');
    expect(unitsConsumed).toBeGreaterThan(15_000);
    expect(unitsConsumed).toBeLessThan(30_000);
  });

  it('takes empty data as its instruction', () => {
    const tokens = bench(TOKEN_PROGRAM);
    const accounts = accountsFor(ANN, TOKEN_PROGRAM, tokens.mint('mint'));
    expect(tokens.failureOf({ ...create(accounts), data: new Uint8Array(0) })).toBeNull();
    expect(tokens.held(accounts.associatedToken).owner).toBe(ANN);
  });

  it.each([
    ['little', 1_000n, 2_038_280n, [21, 2, 8, 1, 22, 18]],
    ['enough', 2_039_280n, 0n, [21, 8, 1, 22, 18]],
    ['more than enough', 3_000_000n, 0n, [21, 8, 1, 22, 18]],
  ])('tops up an address that has %s', (_name, before, charged, called) => {
    const tokens = bench(TOKEN_PROGRAM);
    const accounts = accountsFor(ANN, TOKEN_PROGRAM, tokens.mint('mint'));
    const address = accounts.associatedToken;
    tokens.set(address, {
      owner: SYSTEM_PROGRAM,
      lamports: before,
      data: new Uint8Array(0),
      executable: false,
    });
    const { failure, inner } = tokens.run([create(accounts)]);
    expect(failure).toBeNull();
    expect(tokens.existing(address).lamports).toBe(before + charged);
    expect(tokens.existing(PAYER).lamports).toBe(BALANCE - charged);
    expect(inner[0]?.map(({ instruction }) => instruction.data[0])).toEqual(called);
  });

  it('counts what was sent to the address of wrapped SOL', () => {
    const tokens = bench(TOKEN_PROGRAM);
    tokens.set(
      WRAPPED_SOL_MINT,
      tokens.existing(tokens.mint('template', { decimals: 9, mintAuthority: null })),
    );
    const accounts = accountsFor(ANN, TOKEN_PROGRAM, WRAPPED_SOL_MINT);
    const address = accounts.associatedToken;
    const lamports = 2_039_280n + 500n;
    tokens.set(address, { owner: SYSTEM_PROGRAM, lamports, data: new Uint8Array(0), executable: false });
    expect(tokens.failureOf(create(accounts))).toBeNull();
    expect(tokens.held(address)).toMatchObject({ amount: 500n, nativeRentLamports: 2_039_280n });
  });

  it('succeeds for an existing account only if it is idempotent', () => {
    const tokens = bench(TOKEN_PROGRAM);
    const accounts = accountsFor(ANN, TOKEN_PROGRAM, tokens.mint('mint'));
    const { failure, inner, unitsConsumed } = tokens.run([
      createIdempotent(accounts),
      createIdempotent(accounts),
    ]);
    expect(failure).toBeNull();
    expect(inner.map((calls) => calls.length)).toEqual([4, 0]);
    expect(unitsConsumed).toBeLessThan(35_000);
    expect(tokens.existing(PAYER).lamports).toBe(BALANCE - 2_039_280n);
    expect(tokens.failureOf(create(accounts))).toBe('IllegalOwner');
  });

  it('refuses with the reason', () => {
    const tokens = bench(TOKEN_PROGRAM);
    const mint = tokens.mint('mint');
    const accounts = accountsFor(ANN, TOKEN_PROGRAM, mint);
    const address = accounts.associatedToken;
    expect(tokens.failureOf(create({ ...accounts, owner: PAYER }))).toBe('InvalidSeeds');
    expect(tokens.failureOf(create({ ...accounts, tokenProgram: TOKEN_2022_PROGRAM }))).toBe('InvalidSeeds');
    expect(tokens.failureOf(create(accountsFor(ANN, TOKEN_2022_PROGRAM, mint)))).toBe('IncorrectProgramId');
    expect(tokens.failureOf(create(accountsFor(ANN, TOKEN_PROGRAM, PAYER)))).toBe('IncorrectProgramId');
    expect(tokens.failureOf(create(accountsFor(ANN, TOKEN_PROGRAM, tokens.empty('zeros', 82))))).toEqual(
      custom(2),
    );
    expect(tokens.failureOf({ ...create(accounts), data: Uint8Array.of(3) })).toBe('InvalidInstructionData');
    expect(tokens.failureOf({ ...create(accounts), accounts: create(accounts).accounts.slice(0, 5) })).toBe(
      'NotEnoughAccountKeys',
    );
    expect(tokens.failureOf(unsigned(create(accounts), PAYER))).toBe('PrivilegeEscalation');
    tokens.wallet('payer', 2_039_279n);
    expect(tokens.failureOf(create(accounts))).toEqual(custom(1));
    expect(tokens.get(address)).toBeUndefined();

    tokens.account('taken', mint, PAYER, 0n);
    tokens.set(address, tokens.existing(addressOf('taken')));
    expect(tokens.failureOf(createIdempotent(accounts))).toEqual(custom(0));
    tokens.account('other', tokens.mint('other mint'), ANN, 0n);
    tokens.set(address, tokens.existing(addressOf('other')));
    expect(tokens.failureOf(createIdempotent(accounts))).toBe('InvalidAccountData');
    tokens.set(address, { ...tokens.existing(address), data: new Uint8Array(165) });
    expect(tokens.failureOf(createIdempotent(accounts))).toBe('IllegalOwner');
  });
});

describe('recover nested', () => {
  it('empties and closes the account of an account', () => {
    const tokens = bench(TOKEN_PROGRAM);
    tokens.wallet('ann', 0n);
    const [ownerMint, nestedMint] = [tokens.mint('owner mint'), tokens.mint('nested mint')];
    const addressFor = (owner: Address, mint: Address) =>
      associatedTokenAddress(owner, TOKEN_PROGRAM, mint).address;
    const ownerAccount = addressFor(ANN, ownerMint);
    const nested = addressFor(ownerAccount, nestedMint);
    const destination = addressFor(ANN, nestedMint);
    const place = (address: Address, mint: Address, owner: Address, amount: bigint) =>
      tokens.set(address, tokens.existing(tokens.account('template', mint, owner, amount)));
    place(ownerAccount, ownerMint, ANN, 0n);
    place(nested, nestedMint, ownerAccount, 40n);
    place(destination, nestedMint, ANN, 2n);
    const accounts = {
      nested,
      nestedMint,
      destination,
      ownerAccount,
      ownerMint,
      wallet: ANN,
      tokenProgram: TOKEN_PROGRAM,
    };
    const recover = (changes: object = {}) =>
      recoverNestedAssociatedToken.encode(ASSOCIATED_TOKEN_PROGRAM, { ...accounts, ...changes }, {});
    expect(tokens.failureOf(recover({ destination: nested }))).toBe('InvalidSeeds');
    expect(tokens.failureOf(unsigned(recover(), ANN))).toBe('MissingRequiredSignature');
    expect(tokens.failureOf(recover())).toBeNull();
    expect(tokens.held(destination).amount).toBe(42n);
    expect(tokens.existing(nested).lamports).toBe(0n);
    expect(tokens.existing(ANN).lamports).toBe(rentOf(165));
  });
});

describe('in the generated world', () => {
  let localChain: WorldChain;
  beforeAll(() => {
    localChain = createWorldChain({ scale: 1, now: () => Date.UTC(2026, 5, 1) });
  });

  it('opens accounts with the bytes of those that exist', () => {
    const tokens = bench(TOKEN_PROGRAM);
    const compared = new Set<Address>();
    for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
      for (const [, account] of localChain.programAccounts(program)) {
        if (account.data.length < 165 || account.data[165] === 1) continue;
        const { mint, owner } = decodeTokenAccount(account);
        if (compared.has(mint)) continue;
        compared.add(mint);
        const state = localChain.account(mint);
        if (state === undefined) throw new Error(`There is no mint ${mint}`);
        tokens.set(mint, state);
        const accounts = accountsFor(owner, program, mint);
        expect(tokens.failureOf(create(accounts))).toBeNull();
        const expected = account.data.slice();
        expected.fill(0, 64, 72);
        expect(Buffer.compare(tokens.existing(accounts.associatedToken).data, expected)).toBe(0);
      }
    }
    expect(compared.size).toBeGreaterThan(20);
  });

  it('wraps and unwraps SOL without loss', () => {
    const { wallet } = localChain.addresses;
    const before = localChain.account(wallet)?.lamports ?? 0n;
    const world = new ProgramBench(PROGRAMS.values(), TEST_CLOCK, {
      get: (address) => localChain.account(address),
    });
    const amount = 1_234_567_890n;
    const accounts = { ...accountsFor(wallet, TOKEN_PROGRAM, WRAPPED_SOL_MINT), payer: wallet };
    const account = accounts.associatedToken;
    const pay = { source: wallet, destination: account };
    const wrap = [
      createIdempotent(accounts),
      transferLamports.encode(SYSTEM_PROGRAM, pay, { lamports: amount }),
      syncNative.encode(TOKEN_PROGRAM, { account }, {}),
    ];
    expect(world.run(wrap).failure).toBeNull();
    expect(world.get(wallet)?.lamports).toBe(before - amount - 2_039_280n);
    const wrapped = world.get(account);
    expect(wrapped).toMatchObject({ owner: TOKEN_PROGRAM, lamports: amount + 2_039_280n });
    expect(wrapped && decodeTokenAccount(wrapped).amount).toBe(amount);
    const unwrap = closeAccount.encode(TOKEN_PROGRAM, { account, destination: wallet, owner: wallet }, {});
    expect(world.run([unwrap]).failure).toBeNull();
    expect(world.get(wallet)?.lamports).toBe(before);
  });
});
