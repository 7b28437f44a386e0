import { addressBytes } from '@sluice/protocol/layout/base58';
import { TOKEN_2022_PROGRAM as PROGRAM } from '@sluice/protocol/program-ids';
import { approve, setAuthority } from '@sluice/protocol/token/account-instructions';
import { readTransferFeeConfig } from '@sluice/protocol/token/extensions';
import { transferCheckedWithFee } from '@sluice/protocol/token/fee-instructions';
import { closeAccount, transfer, transferChecked } from '@sluice/protocol/token/instructions';
import { burn, mintTo } from '@sluice/protocol/token/supply-instructions';
import {
  harvestWithheldToMint,
  withdrawWithheldFromAccounts,
  withdrawWithheldFromMint,
} from '@sluice/protocol/token/withheld-instructions';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  extension,
  TEST_CLOCK,
  TokenBench,
  transferFeeConfig,
  withheld,
  withheldIn,
} from '../support/runtime/token-bench.ts';

const ANN = addressOf('ann');
const BEN = addressOf('ben');
const MINTER = addressOf('minter');
const custom = (code: number) => ({ Custom: code });
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;

describe('transfer fees', () => {
  /** 1 % up to 500 base units; from epoch 801 on 2.5 % up to 10,000. */
  function bench() {
    const tokens = new TokenBench(PROGRAM);
    const config = transferFeeConfig([100, 500n], [250, 10_000n], 801n);
    const mint = tokens.mint('mint', { supply: 1_000_000n, extensions: [config] });
    const source = tokens.account('source', mint, ANN, 1_000_000n, { extensions: [withheld(0n)] });
    const destination = tokens.account('destination', mint, BEN, 0n, { extensions: [withheld(0n)] });
    const accounts = { source, mint, destination, owner: ANN };
    const move = (amount: bigint) =>
      tokens.failureOf(transferChecked.encode(PROGRAM, accounts, { amount, decimals: 6 }));
    return { tokens, accounts, move, mint, source, destination };
  }

  it.each([
    [100n, 1n],
    [101n, 2n],
    [1n, 1n],
    [0n, 0n],
    [10_000n, 100n],
    [50_000n, 500n],
    [50_001n, 500n],
    [1_000_000n, 500n],
  ])('withholds of %s the fee of %s in the receiver', (amount, fee) => {
    const { tokens, move, source, destination, mint } = bench();
    expect(move(amount)).toBeNull();
    expect(tokens.held(source).amount).toBe(1_000_000n - amount);
    expect(tokens.held(destination).amount).toBe(amount - fee);
    expect(withheldIn(tokens.held(destination))).toBe(fee);
    expect(tokens.mintState(mint).supply).toBe(1_000_000n);
  });

  it('charges the newer fee from its epoch on', () => {
    const { tokens, move, destination } = bench();
    tokens.clock = { ...TEST_CLOCK, slot: 801n * 432_000n - 1n };
    expect(move(1_000n)).toBeNull();
    expect(withheldIn(tokens.held(destination))).toBe(10n);
    tokens.clock = { ...TEST_CLOCK, slot: 801n * 432_000n };
    expect(move(1_000n)).toBeNull();
    expect(withheldIn(tokens.held(destination))).toBe(10n + 25n);
  });

  it('checks the expected fee', () => {
    const { tokens, accounts, destination } = bench();
    const move = (fee: bigint) =>
      tokens.failureOf(
        transferCheckedWithFee.encode(PROGRAM, accounts, { amount: 1_000n, decimals: 6, fee }),
      );
    expect(move(9n)).toEqual(custom(32));
    expect(move(10n)).toBeNull();
    expect(tokens.held(destination).amount).toBe(990n);
  });

  it('needs the mint, and keeps accounts with withheld fees open', () => {
    const { tokens, accounts, move, destination, mint } = bench();
    expect(tokens.failureOf(transfer.encode(PROGRAM, accounts, { amount: 1n }))).toEqual(custom(31));
    expect(move(1_000n)).toBeNull();
    const burning = { account: destination, mint, authority: BEN };
    expect(tokens.failureOf(burn.encode(PROGRAM, burning, { amount: 990n }))).toBeNull();
    const closing = { account: destination, destination: tokens.wallet('ben'), owner: BEN };
    expect(tokens.failureOf(closeAccount.encode(PROGRAM, closing, {}))).toEqual(custom(35));
  });
});

describe('withheld fees', () => {
  function bench(authority: Address | null) {
    const tokens = new TokenBench(PROGRAM);
    const { type, data } = transferFeeConfig([100, 500n], [100, 500n]);
    const configured = data.slice();
    if (authority !== null) configured.set(addressBytes(authority), 32);
    const mint = tokens.mint('mint', { supply: 100n, extensions: [{ type, data: configured }] });
    const payer = tokens.account('payer', mint, ANN, 60n, { extensions: [withheld(30n)] });
    const receiver = tokens.account('receiver', mint, BEN, 0n, { extensions: [withheld(10n)] });
    return { tokens, mint, payer, receiver };
  }
  const writable = (address: Address) => ({ address, role: AccountRole.WRITABLE });

  it('are collected in the mint by anyone and paid out by its authority', () => {
    const { tokens, mint, payer, receiver } = bench(MINTER);
    const stranger = tokens.wallet('stranger');
    const sources = [writable(payer), writable(stranger), writable(receiver)];
    const harvest = harvestWithheldToMint.encode(PROGRAM, { mint }, {}, sources);
    const { failure, logs } = tokens.run([harvest]);
    expect(failure).toBeNull();
    expect(logs).toContain('Program log: TransferFeeInstruction: HarvestWithheldTokensToMint');
    expect(readTransferFeeConfig(tokens.mintState(mint).extensions)?.withheldAmount).toBe(40n);
    const withdraw = (authority: Address) =>
      tokens.failureOf(
        withdrawWithheldFromMint.encode(PROGRAM, { mint, destination: receiver, authority }, {}),
      );
    expect(withdraw(ANN)).toEqual(custom(4));
    expect(withdraw(MINTER)).toBeNull();
    expect(tokens.held(receiver).amount).toBe(40n);
    expect(readTransferFeeConfig(tokens.mintState(mint).extensions)?.withheldAmount).toBe(0n);
  });

  it('are paid out of accounts, the receiver included', () => {
    const { tokens, mint, payer, receiver } = bench(MINTER);
    const accounts = { mint, destination: receiver, authority: MINTER };
    const sources = [writable(payer), writable(receiver)];
    const withdraw = withdrawWithheldFromAccounts.encode(PROGRAM, accounts, { accountCount: 2 }, sources);
    expect(tokens.failureOf(withdraw)).toBeNull();
    expect(tokens.held(receiver).amount).toBe(40n);
    expect([payer, receiver].map((address) => withheldIn(tokens.held(address)))).toEqual([0n, 0n]);
  });

  it('stay where they are without an authority or a fee', () => {
    const { tokens, mint, receiver } = bench(null);
    const accounts = { mint, destination: receiver, authority: MINTER };
    expect(tokens.failureOf(withdrawWithheldFromMint.encode(PROGRAM, accounts, {}))).toEqual(custom(29));
    const plain = tokens.mint('plain');
    expect(tokens.failureOf(harvestWithheldToMint.encode(PROGRAM, { mint: plain }, {}))).toBe(
      'InvalidAccountData',
    );
  });
});

describe('extensions of a mint', () => {
  const authorityBytes = [...addressBytes(MINTER)];

  it('paused: nothing moves', () => {
    const tokens = new TokenBench(PROGRAM);
    const mint = tokens.mint('mint', { supply: 10n, extensions: [extension(26, ...authorityBytes, 1)] });
    const source = tokens.account('source', mint, ANN, 10n, { extensions: [extension(27)] });
    const destination = tokens.account('destination', mint, BEN, 0n, { extensions: [extension(27)] });
    const accounts = { source, mint, destination, owner: ANN };
    const failures = [
      transferChecked.encode(PROGRAM, accounts, { amount: 1n, decimals: 6 }),
      mintTo.encode(PROGRAM, { mint, account: source, authority: MINTER }, { amount: 1n }),
      burn.encode(PROGRAM, { account: source, mint, authority: ANN }, { amount: 1n }),
      transfer.encode(PROGRAM, accounts, { amount: 1n }),
    ].map((instruction) => tokens.failureOf(instruction));
    expect(failures).toEqual([custom(67), custom(67), custom(67), custom(31)]);
  });

  it('non-transferable: minted to accounts with a fixed owner only', () => {
    const tokens = new TokenBench(PROGRAM);
    const mint = tokens.mint('mint', { extensions: [extension(9)] });
    const bound = tokens.account('bound', mint, ANN, 5n, { extensions: [extension(13), extension(7)] });
    const loose = tokens.account('loose', mint, BEN, 0n);
    const minting = (account: Address) =>
      tokens.failureOf(mintTo.encode(PROGRAM, { mint, account, authority: MINTER }, { amount: 1n }));
    expect(minting(bound)).toBeNull();
    expect(minting(loose)).toEqual(custom(38));
    const accounts = { source: bound, mint, destination: loose, owner: ANN };
    const move = transferChecked.encode(PROGRAM, accounts, { amount: 1n, decimals: 6 });
    expect(tokens.failureOf(move)).toEqual(custom(37));
  });

  it('permanent delegate: moves and burns the tokens of others', () => {
    const tokens = new TokenBench(PROGRAM);
    const mint = tokens.mint('mint', { supply: 10n, extensions: [extension(12, ...authorityBytes)] });
    const source = tokens.account('source', mint, ANN, 10n);
    const destination = tokens.account('destination', mint, BEN, 0n);
    const accounts = { source, mint, destination, owner: MINTER };
    const move = transferChecked.encode(PROGRAM, accounts, { amount: 4n, decimals: 6 });
    expect(tokens.failureOf(move)).toBeNull();
    const burning = { account: source, mint, authority: MINTER };
    expect(tokens.failureOf(burn.encode(PROGRAM, burning, { amount: 6n }))).toBeNull();
    expect(tokens.held(source).amount).toBe(0n);
    expect(tokens.mintState(mint).supply).toBe(4n);
  });

  it('transfer hook: the program must exist', () => {
    const tokens = new TokenBench(PROGRAM);
    const hook = addressOf('hook');
    const mint = tokens.mint('mint', {
      extensions: [extension(14, ...authorityBytes, ...addressBytes(hook))],
    });
    const state = { extensions: [extension(15, 0)] };
    const source = tokens.account('source', mint, ANN, 10n, state);
    const destination = tokens.account('destination', mint, BEN, 0n, state);
    const accounts = { source, mint, destination, owner: ANN };
    const program = { address: hook, role: AccountRole.READONLY };
    const move = transferChecked.encode(PROGRAM, accounts, { amount: 1n, decimals: 6 }, [program]);
    expect(tokens.failureOf(move)).toBe('UnsupportedProgramId');
    expect(tokens.failureOf(transfer.encode(PROGRAM, accounts, { amount: 1n }))).toEqual(custom(31));
  });

  it('close authority: closes a mint without supply', () => {
    const tokens = new TokenBench(PROGRAM);
    const state = { extensions: [extension(3, ...authorityBytes)] };
    const used = tokens.mint('used', { ...state, supply: 1n });
    const unused = tokens.mint('unused', state);
    const destination = tokens.wallet('receiver', 0n);
    const close = (account: Address, owner: Address) =>
      tokens.failureOf(closeAccount.encode(PROGRAM, { account, destination, owner }, {}));
    expect(close(used, MINTER)).toEqual(custom(28));
    expect(close(unused, ANN)).toEqual(custom(4));
    expect(close(unused, MINTER)).toBeNull();
    expect(close(tokens.mint('plain'), MINTER)).toBe('InvalidAccountData');
  });
});

describe('extensions of a token account', () => {
  function bench(state: Parameters<TokenBench['account']>[4]) {
    const tokens = new TokenBench(PROGRAM);
    const mint = tokens.mint('mint', { supply: 100n });
    const special = tokens.account('special', mint, ANN, 50n, state);
    const plain = tokens.account('plain', mint, BEN, 50n);
    return { tokens, mint, special, plain };
  }

  it('required memo: comes just before the transfer', () => {
    const { tokens, plain, special } = bench({ extensions: [extension(8, 1)] });
    const accounts = { source: plain, destination: special, owner: BEN };
    const move = transfer.encode(PROGRAM, accounts, { amount: 1n });
    expect(tokens.failureOf(move)).toEqual(custom(36));
    const memo = { programAddress: MEMO, accounts: [], data: new Uint8Array(0) };
    const withMemo = new TokenBench(PROGRAM, [{ address: MEMO, run: () => undefined }]);
    for (const address of [plain, special]) withMemo.set(address, tokens.existing(address));
    expect(withMemo.run([memo, move]).failure).toBeNull();
    expect(withMemo.run([memo, move, move]).failure).toEqual({ index: 2, reason: custom(36) });
    expect(withMemo.held(special).amount).toBe(51n);
  });

  it('CPI guard: the owner acts directly only', () => {
    const { tokens, mint, plain, special } = bench({ extensions: [extension(11, 1)] });
    const moving = { source: special, destination: plain, owner: ANN };
    const authority = { authorityType: 2, newAuthorityTag: 1, newAuthority: BEN };
    const changing = setAuthority.encode(PROGRAM, { account: special, authority: ANN }, authority);
    const empty = tokens.account('empty', mint, ANN, 0n, { extensions: [extension(11, 1)] });
    const stranger = tokens.wallet('stranger');
    const instructions = [
      transfer.encode(PROGRAM, moving, { amount: 1n }),
      burn.encode(PROGRAM, { account: special, mint, authority: ANN }, { amount: 1n }),
      closeAccount.encode(PROGRAM, { account: empty, destination: stranger, owner: ANN }, {}),
      approve.encode(PROGRAM, { source: special, delegate: BEN, owner: ANN }, { amount: 1n }),
      changing,
    ];
    expect(instructions.map((instruction) => tokens.failureOfCall(instruction))).toEqual(
      [42, 43, 44, 45, 46].map(custom),
    );
    expect(tokens.failureOf(changing)).toEqual(custom(47));
    expect(instructions.slice(0, 4).map((instruction) => tokens.failureOf(instruction))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('fixed owner: cannot change', () => {
    const { tokens, special } = bench({ extensions: [extension(7)] });
    const authority = { authorityType: 2, newAuthorityTag: 1, newAuthority: BEN };
    const changing = setAuthority.encode(PROGRAM, { account: special, authority: ANN }, authority);
    expect(tokens.failureOf(changing)).toEqual(custom(34));
  });
});
