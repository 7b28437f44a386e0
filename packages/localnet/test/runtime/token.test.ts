import { TOKEN_ERRORS } from '@sluice/protocol/error-names';
import {
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import {
  approve,
  approveChecked,
  freezeAccount,
  revoke,
  setAuthority,
  thawAccount,
} from '@sluice/protocol/token/account-instructions';
import { closeAccount, syncNative, transfer, transferChecked } from '@sluice/protocol/token/instructions';
import { encodeMultisig } from '@sluice/protocol/token/multisig';
import { burn, burnChecked, mintTo, mintToChecked } from '@sluice/protocol/token/supply-instructions';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { TOKEN_ERROR } from '../../src/runtime/token/token-errors.ts';
import { addressOf, rentOf, TokenBench, unsigned } from '../support/runtime/token-bench.ts';

const ANN = addressOf('ann');
const BEN = addressOf('ben');
const MINTER = addressOf('minter');
const FREEZER = addressOf('freezer');
const custom = (code: number) => ({ Custom: code });

/** Two accounts of one mint: Ann has 1,000 base units, Ben 50. */
function bench(program: Address) {
  const tokens = new TokenBench(program);
  const mint = tokens.mint('mint', { supply: 1_050n });
  const other = tokens.mint('other mint');
  const source = tokens.account('source', mint, ANN, 1_000n);
  const destination = tokens.account('destination', mint, BEN, 50n);
  return { tokens, mint, other, source, destination };
}

it('numbers errors as the programs do', () => {
  for (const [name, code] of Object.entries(TOKEN_ERROR)) {
    expect(TOKEN_ERRORS.names[code]?.toLowerCase()).toBe(name.toLowerCase());
  }
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('%s', (_name, program) => {
  it('moves tokens', () => {
    const { tokens, mint, source, destination } = bench(program);
    const plain = transfer.encode(program, { source, destination, owner: ANN }, { amount: 300n });
    const checked = transferChecked.encode(
      program,
      { source, mint, destination, owner: ANN },
      { amount: 200n, decimals: 6 },
    );
    const { failure, logs, unitsConsumed } = tokens.run([plain, checked]);
    expect(failure).toBeNull();
    expect(tokens.held(source).amount).toBe(500n);
    expect(tokens.held(destination).amount).toBe(550n);
    expect(tokens.mintState(mint).supply).toBe(1_050n);
    expect(logs).toContain('Program log: Instruction: Transfer');
    expect(logs).toContain('Program log: Instruction: TransferChecked');
    expect(unitsConsumed).toBeGreaterThan(8_000);
    expect(unitsConsumed).toBeLessThan(15_000);
  });

  it('refuses transfers with the number of each reason', () => {
    const { tokens, mint, other, source, destination } = bench(program);
    const move = (changes: object, amount = 10n, decimals = 6) =>
      tokens.failureOf(
        transferChecked.encode(
          program,
          { source, mint, destination, owner: ANN, ...changes },
          { amount, decimals },
        ),
      );
    expect(move({}, 1_001n)).toEqual(custom(1));
    expect(move({ owner: BEN })).toEqual(custom(4));
    expect(move({ mint: other })).toEqual(custom(3));
    expect(move({}, 10n, 9)).toEqual(custom(18));
    expect(move({ destination: tokens.account('of other', other, BEN, 0n) })).toEqual(custom(3));
    const frozen = tokens.account('frozen', mint, ANN, 100n, { frozen: true });
    expect(move({ source: frozen })).toEqual(custom(17));
    expect(move({ destination: frozen })).toEqual(custom(17));
    expect(move({ destination: tokens.empty('zeros', 165) })).toBe('UninitializedAccount');
    expect(move({ destination: mint })).toBe('InvalidAccountData');
    expect(move({ destination: tokens.wallet('wallet') })).toBe(
      program === TOKEN_PROGRAM ? 'InvalidAccountData' : 'IncorrectProgramId',
    );
    const full = tokens.account('full', mint, BEN, 2n ** 64n - 5n);
    expect(move({ destination: full })).toEqual(custom(14));
    expect(tokens.held(source).amount).toBe(1_000n);
    const instruction = transfer.encode(program, { source, destination, owner: ANN }, { amount: 10n });
    expect(tokens.failureOf(unsigned(instruction, ANN))).toBe('MissingRequiredSignature');
    expect(tokens.failureOf({ ...instruction, accounts: instruction.accounts.slice(0, 2) })).toBe(
      'NotEnoughAccountKeys',
    );
    expect(tokens.failureOf({ ...instruction, data: instruction.data.slice(0, 5) })).toEqual(custom(12));
    expect(tokens.failureOf({ ...instruction, data: Uint8Array.of(200) })).toEqual(custom(12));
    const readonly = instruction.accounts.map((meta) =>
      meta.address === destination ? { ...meta, role: AccountRole.READONLY } : meta,
    );
    expect(tokens.failureOf({ ...instruction, accounts: readonly })).toBe('ReadonlyDataModified');
  });

  it('refuses an account of another program, however it looks', () => {
    const { tokens, source, destination } = bench(program);
    const forged = addressOf('forged');
    tokens.set(forged, { ...tokens.existing(source), owner: addressOf('forger') });
    const instruction = transfer.encode(program, { source: forged, destination, owner: ANN }, { amount: 1n });
    expect(tokens.failureOf(instruction)).toBe(
      program === TOKEN_PROGRAM ? 'ExternalAccountDataModified' : 'IncorrectProgramId',
    );
    expect(tokens.held(destination).amount).toBe(50n);
  });

  it('leaves balances alone when an account sends to itself', () => {
    const { tokens, source } = bench(program);
    const toSelf = (amount: bigint) =>
      tokens.failureOf(transfer.encode(program, { source, destination: source, owner: ANN }, { amount }));
    expect(toSelf(1_000n)).toBeNull();
    expect(toSelf(1_001n)).toEqual(custom(1));
    expect(tokens.held(source).amount).toBe(1_000n);
  });

  it('lets a delegate spend what was approved', () => {
    const { tokens, mint, source, destination } = bench(program);
    const give = { source, delegate: BEN, owner: ANN };
    expect(tokens.failureOf(approve.encode(program, give, { amount: 100n }))).toBeNull();
    const spend = (amount: bigint) =>
      tokens.failureOf(transfer.encode(program, { source, destination, owner: BEN }, { amount }));
    expect(spend(60n)).toBeNull();
    expect(tokens.held(source)).toMatchObject({ delegate: BEN, delegatedAmount: 40n, amount: 940n });
    expect(spend(41n)).toEqual(custom(1));
    const burning = { account: source, mint, authority: BEN };
    expect(tokens.failureOf(burn.encode(program, burning, { amount: 40n }))).toBeNull();
    expect(tokens.held(source)).toMatchObject({ delegate: null, delegatedAmount: 0n, amount: 900n });
    expect(spend(1n)).toEqual(custom(4));

    const checked = { source, mint, delegate: BEN, owner: ANN };
    expect(tokens.failureOf(approveChecked.encode(program, checked, { amount: 5n, decimals: 7 }))).toEqual(
      custom(18),
    );
    expect(tokens.failureOf(approveChecked.encode(program, checked, { amount: 5n, decimals: 6 }))).toBeNull();
    expect(tokens.failureOf(approve.encode(program, { ...give, owner: BEN }, { amount: 9n }))).toEqual(
      custom(4),
    );
    const byDelegate = revoke.encode(program, { source, owner: BEN }, {});
    expect(tokens.failureOf(byDelegate)).toEqual(program === TOKEN_PROGRAM ? custom(4) : null);
    expect(tokens.failureOf(revoke.encode(program, { source, owner: ANN }, {}))).toBeNull();
    expect(tokens.held(source)).toMatchObject({ delegate: null, delegatedAmount: 0n });
  });

  it('mints and burns', () => {
    const { tokens, mint, other, source } = bench(program);
    const minting = { mint, account: source, authority: MINTER };
    const burning = { account: source, mint, authority: ANN };
    expect(tokens.failureOf(mintTo.encode(program, minting, { amount: 7n }))).toBeNull();
    expect(tokens.failureOf(mintToChecked.encode(program, minting, { amount: 3n, decimals: 6 }))).toBeNull();
    expect(tokens.mintState(mint).supply).toBe(1_060n);
    expect(tokens.held(source).amount).toBe(1_010n);
    expect(tokens.failureOf(burn.encode(program, burning, { amount: 4n }))).toBeNull();
    expect(tokens.failureOf(burnChecked.encode(program, burning, { amount: 6n, decimals: 6 }))).toBeNull();
    expect(tokens.mintState(mint).supply).toBe(1_050n);
    expect(tokens.held(source).amount).toBe(1_000n);

    const fixed = tokens.mint('fixed', { mintAuthority: null, supply: 2n ** 64n - 1n });
    const ofFixed = tokens.account('of fixed', fixed, ANN, 0n);
    const mintFailure = (changes: object, decimals = 6, amount = 1n) =>
      tokens.failureOf(mintToChecked.encode(program, { ...minting, ...changes }, { amount, decimals }));
    expect(mintFailure({ authority: ANN })).toEqual(custom(4));
    expect(mintFailure({ mint: other })).toEqual(custom(3));
    expect(mintFailure({}, 5)).toEqual(custom(18));
    expect(mintFailure({}, 6, 2n ** 64n - 1n)).toEqual(custom(14));
    expect(mintFailure({ mint: fixed, account: ofFixed })).toEqual(custom(5));
    const burnFailure = (changes: object, decimals = 6, amount = 1n) =>
      tokens.failureOf(burnChecked.encode(program, { ...burning, ...changes }, { amount, decimals }));
    expect(burnFailure({}, 6, 1_001n)).toEqual(custom(1));
    expect(burnFailure({ authority: BEN })).toEqual(custom(4));
    expect(burnFailure({ mint: other })).toEqual(custom(3));
    expect(burnFailure({}, 5)).toEqual(custom(18));
    expect(tokens.mintState(mint).supply).toBe(1_050n);
  });

  it('freezes and thaws', () => {
    const { tokens, mint, other, source, destination } = bench(program);
    const accounts = { account: source, mint, authority: FREEZER };
    const freeze = (changes: object = {}) =>
      tokens.failureOf(freezeAccount.encode(program, { ...accounts, ...changes }, {}));
    const thaw = () => tokens.failureOf(thawAccount.encode(program, accounts, {}));
    expect(thaw()).toEqual(custom(13));
    expect(freeze({ authority: ANN })).toEqual(custom(4));
    expect(freeze({ mint: other })).toEqual(custom(3));
    expect(freeze()).toBeNull();
    expect(freeze()).toEqual(custom(13));
    const failures = [
      transfer.encode(program, { source, destination, owner: ANN }, { amount: 1n }),
      mintTo.encode(program, { mint, account: source, authority: MINTER }, { amount: 1n }),
      burn.encode(program, { account: source, mint, authority: ANN }, { amount: 1n }),
      approve.encode(program, { source, delegate: BEN, owner: ANN }, { amount: 1n }),
      revoke.encode(program, { source, owner: ANN }, {}),
    ].map((instruction) => tokens.failureOf(instruction));
    expect(failures).toEqual(failures.map(() => custom(17)));
    expect(thaw()).toBeNull();
    expect(tokens.held(source).frozen).toBe(false);
    const free = tokens.mint('unfreezable', { freezeAuthority: null });
    const account = tokens.account('of unfreezable', free, ANN, 0n);
    expect(freeze({ mint: free, account })).toEqual(custom(16));
  });

  it('closes empty accounts and pays out their rent', () => {
    const { tokens, mint, source } = bench(program);
    const destination = tokens.wallet('receiver', 5n);
    const close = (account: Address, owner: Address, receiver = destination) =>
      tokens.failureOf(closeAccount.encode(program, { account, destination: receiver, owner }, {}));
    expect(close(source, ANN)).toEqual(custom(11));
    const empty = tokens.account('empty', mint, ANN, 0n);
    expect(close(empty, BEN)).toEqual(custom(4));
    expect(close(empty, ANN, empty)).toBe('InvalidAccountData');
    expect(close(empty, ANN)).toBeNull();
    expect(tokens.existing(destination).lamports).toBe(5n + 2_039_280n);
    expect(tokens.existing(empty)).toMatchObject({ lamports: 0n, owner: SYSTEM_PROGRAM });
    expect(tokens.existing(empty).data).toHaveLength(0);
    const byOther = tokens.account('by other', mint, ANN, 0n, { closeAuthority: BEN });
    expect(close(byOther, ANN)).toEqual(custom(4));
    expect(close(byOther, BEN)).toBeNull();
  });

  it('changes authorities', () => {
    const { tokens, mint, source } = bench(program);
    const set = (account: Address, authority: Address, authorityType: number, next: Address | null) => {
      const args = {
        authorityType,
        newAuthorityTag: next === null ? 0 : 1,
        newAuthority: next ?? SYSTEM_PROGRAM,
      };
      const encoded = setAuthority.encode(program, { account, authority }, args);
      // Clients leave out the address of an authority that is removed.
      return tokens.failureOf(next === null ? { ...encoded, data: encoded.data.slice(0, 3) } : encoded);
    };
    expect(set(mint, ANN, 0, BEN)).toEqual(custom(4));
    expect(set(mint, MINTER, 0, BEN)).toBeNull();
    expect(set(mint, BEN, 0, null)).toBeNull();
    expect(set(mint, BEN, 0, BEN)).toEqual(custom(5));
    expect(set(mint, FREEZER, 1, null)).toBeNull();
    expect(set(mint, FREEZER, 1, FREEZER)).toEqual(custom(16));
    expect(set(mint, FREEZER, 2, ANN)).toEqual(custom(15));
    expect(tokens.mintState(mint)).toMatchObject({ mintAuthority: null, freezeAuthority: null });
    expect(set(source, ANN, 0, BEN)).toEqual(custom(15));
    expect(set(source, ANN, 3, BEN)).toBeNull();
    expect(set(source, ANN, 3, ANN)).toEqual(custom(4));
    expect(set(source, ANN, 2, null)).toEqual(custom(12));
    expect(set(source, ANN, 2, FREEZER)).toBeNull();
    expect(tokens.held(source)).toMatchObject({ owner: FREEZER, closeAuthority: BEN, amount: 1_000n });
  });

  it('accepts enough signers of a multisig, and no fewer', () => {
    const { tokens, mint, destination } = bench(program);
    const signers = ['one', 'two', 'three'].map(addressOf);
    const owner = addressOf('multisig');
    const data = encodeMultisig({ required: 2, signers });
    tokens.set(owner, { owner: program, lamports: rentOf(355), data, executable: false });
    const source = tokens.account('joint', mint, owner, 100n);
    const spend = (...names: readonly string[]) => {
      const encoded = transfer.encode(
        program,
        { source, destination, owner },
        { amount: 10n },
        names.map((name) => ({ address: addressOf(name), role: AccountRole.READONLY_SIGNER })),
      );
      return tokens.failureOf(unsigned(encoded, owner));
    };
    expect(spend('one')).toBe('MissingRequiredSignature');
    expect(spend('one', 'one')).toBe('MissingRequiredSignature');
    expect(spend('one', 'stranger')).toBe('MissingRequiredSignature');
    expect(spend('three', 'one')).toBeNull();
    expect(tokens.held(source).amount).toBe(90n);
  });
});

describe('wrapped SOL', () => {
  const RENT = 2_039_280n;
  const wrapped = (tokens: TokenBench, name: string, owner: Address, amount: bigint) =>
    tokens.account(name, WRAPPED_SOL_MINT, owner, amount, { nativeRentLamports: RENT });

  it('moves lamports with the amount', () => {
    const tokens = new TokenBench();
    const source = wrapped(tokens, 'source', ANN, 900n);
    const destination = wrapped(tokens, 'destination', BEN, 0n);
    const accounts = { source, destination, owner: ANN };
    expect(tokens.failureOf(transfer.encode(TOKEN_PROGRAM, accounts, { amount: 400n }))).toBeNull();
    expect(tokens.existing(source).lamports).toBe(RENT + 500n);
    expect(tokens.existing(destination).lamports).toBe(RENT + 400n);
  });

  it('counts lamports that were sent to it', () => {
    const tokens = new TokenBench();
    const account = wrapped(tokens, 'account', ANN, 900n);
    tokens.set(account, { ...tokens.existing(account), lamports: RENT + 1_234n });
    expect(tokens.failureOf(syncNative.encode(TOKEN_PROGRAM, { account }, {}))).toBeNull();
    expect(tokens.held(account).amount).toBe(1_234n);
    const plain = tokens.account('plain', tokens.mint('mint'), ANN, 1n);
    expect(tokens.failureOf(syncNative.encode(TOKEN_PROGRAM, { account: plain }, {}))).toEqual(custom(19));
    const wallet = tokens.wallet('wallet');
    expect(tokens.failureOf(syncNative.encode(TOKEN_PROGRAM, { account: wallet }, {}))).toBe(
      'IncorrectProgramId',
    );
  });

  it('is unwrapped by closing the account, and cannot be minted, burned or frozen', () => {
    const tokens = new TokenBench();
    const mint = WRAPPED_SOL_MINT;
    tokens.set(mint, tokens.existing(tokens.mint('template')));
    const account = wrapped(tokens, 'account', ANN, 900n);
    const failures = [
      mintTo.encode(TOKEN_PROGRAM, { mint, account, authority: MINTER }, { amount: 1n }),
      burn.encode(TOKEN_PROGRAM, { account, mint, authority: ANN }, { amount: 1n }),
      freezeAccount.encode(TOKEN_PROGRAM, { account, mint, authority: FREEZER }, {}),
    ].map((instruction) => tokens.failureOf(instruction));
    expect(failures).toEqual([custom(10), custom(10), custom(10)]);
    const destination = tokens.wallet('receiver', 1n);
    const close = closeAccount.encode(TOKEN_PROGRAM, { account, destination, owner: ANN }, {});
    expect(tokens.failureOf(close)).toBeNull();
    expect(tokens.existing(destination).lamports).toBe(1n + RENT + 900n);
  });
});
