import { RECENT_BLOCKHASHES_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import {
  type AccountMeta,
  AccountRole,
  type Address,
  address,
  generateKeyPairSigner,
  type Instruction,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { legacyTransaction } from '../support/explain/built-transaction.ts';
import { type Explained, Explainer, replaced, sentences } from '../support/explain/explainer.ts';

const USDC = 1_000_000n;
const STRANGER = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const UNKNOWN_PROGRAM = address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4');

let world: ActingApp;
let explainer: Explainer;
let usdc: Address;
beforeAll(async () => {
  world = await startActingApp();
  const { tokenMint } = world.localnet.addresses;
  explainer = new Explainer(world, await world.newWallet({ [tokenMint]: 10_000n * USDC }));
  usdc = associatedTokenAddress(explainer.signer.address, TOKEN_PROGRAM, tokenMint).address;
});
afterAll(() => world?.stop());

describe('transactions from elsewhere', () => {
  const transactionOf = (...instructions: readonly Instruction[]) =>
    legacyTransaction(
      explainer.signer.address,
      { blockhash: STRANGER, lastValidBlockHeight: 1n },
      instructions,
    );
  const instruction = (
    programAddress: Address,
    data: string,
    accounts: readonly AccountMeta[],
  ): Instruction => ({
    programAddress,
    accounts,
    data: Uint8Array.from(Buffer.from(data, 'hex')),
  });
  const writable = (at: Address): AccountMeta => ({ address: at, role: AccountRole.WRITABLE });
  const owner = (): AccountMeta => ({ address: explainer.signer.address, role: AccountRole.WRITABLE_SIGNER });
  const readonly = (at: Address): AccountMeta => ({ address: at, role: AccountRole.READONLY });
  const codes = ({ warnings }: Explained) => warnings.map(({ code }) => code);
  const key = Buffer.from(new Uint8Array(32).fill(7)).toString('hex');

  it('warn of tokens and SOL that go to somebody else', async () => {
    const other = await world.newWallet({ [world.localnet.addresses.tokenMint]: 1n });
    const theirs = associatedTokenAddress(
      other.address,
      TOKEN_PROGRAM,
      world.localnet.addresses.tokenMint,
    ).address;
    const explained = await explainer.explain(
      transactionOf(
        instruction(TOKEN_PROGRAM, '0360e3160000000000', [writable(usdc), writable(theirs), owner()]),
        instruction(SYSTEM_PROGRAM, '0200000000ca9a3b00000000', [owner(), writable(STRANGER)]),
      ),
    );
    expect(explained).toMatchObject({
      version: 'legacy',
      networkFeeLamports: '5000',
      computeUnitLimit: null,
    });
    expect(sentences(explained)[0]).toMatch(/^Transfer 1\.5 USDC to USDC account of /);
    expect(sentences(explained)[1]).toBe('Transfer 1 SOL to 9WzD…AWWM');
    expect(codes(explained)).toEqual(['TOKENS_TO_OTHER', 'SOL_TO_OTHER']);
    expect(explained.unknown).toEqual({ programs: [], writableAccounts: [theirs, STRANGER] });
  });

  it('warn of approvals, new authorities and closed accounts', async () => {
    const explained = await explainer.explain(
      transactionOf(
        instruction(TOKEN_PROGRAM, '04ffffffffffffffff', [writable(usdc), readonly(STRANGER), owner()]),
        instruction(TOKEN_PROGRAM, `060201${key}`, [writable(usdc), owner()]),
        instruction(TOKEN_PROGRAM, '060300', [writable(usdc), owner()]),
        instruction(TOKEN_PROGRAM, '09', [writable(usdc), writable(STRANGER), owner()]),
        instruction(TOKEN_PROGRAM, '09', [writable(usdc), owner(), owner()]),
      ),
    );
    expect(explained.warnings.map(({ code, instructionIndex }) => [code, instructionIndex])).toEqual([
      ['SPENDING_ALLOWED', 0],
      ['AUTHORITY_CHANGED', 1],
      ['AUTHORITY_CHANGED', 2],
      ['ACCOUNT_CLOSED_TO_OTHER', 3],
    ]);
    expect(sentences(explained)).toEqual([
      'Allow 9WzD…AWWM to spend all USDC of your USDC account',
      expect.stringMatching(/^Give the ownership of your USDC account to /),
      'Remove an authority of your USDC account',
      'Close your USDC account and send its SOL to 9WzD…AWWM',
      'Close your USDC account and send its SOL to your wallet',
    ]);
  });

  it('warn of unknown programs and instructions that may change accounts of the wallet', async () => {
    const explained = await explainer.explain(
      transactionOf(
        instruction(UNKNOWN_PROGRAM, '01', [writable(usdc), readonly(STRANGER)]),
        instruction(UNKNOWN_PROGRAM, '01', [readonly(usdc)]),
        instruction(TOKEN_PROGRAM, 'fe', [writable(usdc)]),
      ),
      'simulation',
    );
    expect(codes(explained)).toEqual([
      'UNKNOWN_PROGRAM_WRITES',
      'UNKNOWN_PROGRAM_WRITES',
      'UNKNOWN_INSTRUCTION_WRITES',
    ]);
    expect(sentences(explained)).toEqual([
      'Calls an unknown program',
      'Calls an unknown program',
      'Calls an unknown instruction of the Token program',
    ]);
    expect(explained.instructions[0]).toMatchObject({ isKnown: false, name: null, arguments: [] });
    expect(explained.unknown.programs).toEqual([UNKNOWN_PROGRAM]);
    expect(explained.simulation).toMatchObject({ success: false, balanceChanges: [] });
  });

  it('warn of an action that pays to somebody else', async () => {
    const { market, reserve, tokenMint } = world.localnet.addresses;
    const other = await world.newWallet({ [tokenMint]: 1n });
    const theirs = associatedTokenAddress(other.address, TOKEN_PROGRAM, tokenMint).address;
    const deposit = { market, reserve, amount: { tokens: '5' } };
    const base64 = await explainer.build('buildLendingDeposit', 'LendingActionInput', deposit);
    await explainer.send(base64);
    const withdrawal = await explainer.build('buildLendingWithdraw', 'LendingActionInput', {
      market,
      reserve,
      amount: { tokens: '1' },
    });
    expect((await explainer.explain(withdrawal)).warnings).toEqual([]);
    const explained = await explainer.explain(replaced(withdrawal, usdc, theirs));
    expect(explained.warnings.map(({ code, message }) => [code, message])).toContainEqual([
      'TOKENS_TO_OTHER',
      expect.stringMatching(
        /^USDC account of .*, given as userDestinationLiquidity, belongs to somebody else\.$/,
      ),
    ]);
    expect(explained.unknown.writableAccounts).toEqual([theirs]);
  });

  it('with a durable nonce say so', async () => {
    const advance = instruction(SYSTEM_PROGRAM, '04000000', [
      writable(STRANGER),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      owner(),
    ]);
    const { lifetime, instructions } = await explainer.explain(transactionOf(advance));
    expect(lifetime).toEqual({ kind: 'DURABLE_NONCE', value: STRANGER, nonceAccount: STRANGER });
    expect(instructions[0]).toMatchObject({ name: 'advanceNonceAccount' });
  });

  it('warn of a lookup table that does not exist', async () => {
    const base64 = await explainer.build('buildVaultDeposit', 'VaultDepositInput', {
      vault: world.localnet.addresses.vault,
      amount: { tokens: '1' },
    });
    const [table] = (await explainer.explain(base64)).instructions.flatMap(({ accounts }) =>
      accounts.flatMap(({ lookupTable }) => lookupTable ?? []),
    );
    const { address: gone } = await generateKeyPairSigner();
    const explained = await explainer.explain(replaced(base64, table ?? expect.fail('no table'), gone));
    expect(codes(explained)).toContain('LOOKUP_TABLE_UNREADABLE');
    expect(explained.instructions.flatMap(({ accounts }) => accounts)).toContainEqual(
      expect.objectContaining({ address: null, name: null, lookupTable: gone }),
    );
  });

  it('are refused by code when they are none', async () => {
    const base64 = transactionOf(
      instruction(SYSTEM_PROGRAM, '0200000000ca9a3b00000000', [owner(), writable(STRANGER)]),
    );
    const bytes = Buffer.from(base64, 'base64');
    const invalid = async (text: string) => {
      const { __typename, code } = await explainer.explain(text);
      return [__typename, code];
    };
    const malformed = ['InvalidTransaction', 'TRANSACTION_MALFORMED'];
    expect(await invalid('')).toEqual(malformed);
    expect(await invalid('not base64!')).toEqual(malformed);
    expect(await invalid(bytes.subarray(0, -3).toString('base64'))).toEqual(malformed);
    expect(await invalid(Buffer.concat([bytes, Buffer.from([0])]).toString('base64'))).toEqual(malformed);
    expect(await invalid(Buffer.alloc(1233).toString('base64'))).toEqual([
      'InvalidTransaction',
      'TRANSACTION_TOO_LARGE',
    ]);
  });
});
