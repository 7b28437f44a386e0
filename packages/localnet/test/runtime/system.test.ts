import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { type AccountMeta, type Address, createAddressWithSeed } from '@solana/kit';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  FundedChain,
  other as fresh,
  hexOf,
  payer,
  SOL,
  someAddress,
} from '../support/runtime/funded-chain.ts';
import { hex64, paying, rawInstruction, signing, writable } from '../support/runtime/signed-wire.ts';

/** 128 and 10 bytes at 6,960 lamports. */
const RENT_OF_10_BYTES = 960_480n;
const stranger = someAddress(77);

let chain: FundedChain;

beforeEach(() => {
  chain = new FundedChain();
});

const hexText = (text: string) => hex64(BigInt(text.length)) + Buffer.from(text).toString('hex');

/** Sends one instruction of the system program. */
async function run(data: string, ...accounts: AccountMeta[]): Promise<unknown> {
  const outcome = await chain.outcomeOf(rawInstruction(SYSTEM_PROGRAM, data, accounts));
  // The same transaction can be sent again in the next slot.
  chain.advance();
  return outcome.failure;
}

const failed = (failure: unknown) => ({ InstructionError: [0, failure] });
const create = (lamports: bigint, space: bigint, owner = TOKEN_PROGRAM) =>
  `00000000${hex64(lamports)}${hex64(space)}${hexOf(owner)}`;

describe('CreateAccount', () => {
  test('funds, sizes and assigns a new account', async () => {
    const failure = await run(create(RENT_OF_10_BYTES, 10n), paying(payer.address), paying(fresh.address));
    expect(failure).toBeNull();
    expect(chain.accounts.get(fresh.address)).toEqual({
      owner: TOKEN_PROGRAM,
      lamports: RENT_OF_10_BYTES,
      data: new Uint8Array(10),
      executable: false,
    });
    // Two signatures.
    expect(chain.lamportsOf(payer.address)).toBe(SOL - RENT_OF_10_BYTES - 10_000n);
  });

  test.each([
    ['more than the payer has', create(2n * SOL, 0n), { Custom: 1 }],
    ['more than 10 MiB', create(SOL / 2n, 10_485_761n), { Custom: 3 }],
    ['without arguments', '00000000', 'InvalidInstructionData'],
    ['an unknown instruction', '63000000', 'InvalidInstructionData'],
    ['no data', '', 'InvalidInstructionData'],
  ])('refuses %s', async (_name, data, failure) => {
    expect(await run(data, paying(payer.address), paying(fresh.address))).toEqual(failed(failure));
  });

  test('refuses an account that exists', async () => {
    chain.set(fresh.address, { lamports: 1n });
    const failure = await run(create(SOL / 2n, 0n), paying(payer.address), paying(fresh.address));
    expect(failure).toEqual(failed({ Custom: 0 }));
  });

  test('refuses an account that does not sign', async () => {
    const failure = await run(create(SOL / 2n, 0n), paying(payer.address), writable(stranger));
    expect(failure).toEqual(failed('MissingRequiredSignature'));
  });

  test('refuses to go on without the account', async () => {
    const failure = await run(create(SOL / 2n, 0n), paying(payer.address));
    expect(failure).toEqual(failed('NotEnoughAccountKeys'));
  });

  test('fails the transaction when the lamports do not cover the rent', async () => {
    const failure = await run(
      create(RENT_OF_10_BYTES - 1n, 10n),
      paying(payer.address),
      paying(fresh.address),
    );
    expect(failure).toEqual({ InsufficientFundsForRent: { account_index: 1 } });
  });
});

describe('Allocate and Assign', () => {
  const allocate = `08000000${hex64(10n)}`;
  const assign = `01000000${hexOf(TOKEN_PROGRAM)}`;

  test('change a funded account of the system program', async () => {
    chain.set(fresh.address, { lamports: RENT_OF_10_BYTES });
    expect(await run(allocate, paying(fresh.address))).toBeNull();
    expect(await run(assign, paying(fresh.address))).toBeNull();
    expect(chain.accounts.get(fresh.address)).toMatchObject({
      owner: TOKEN_PROGRAM,
      data: new Uint8Array(10),
    });
    expect(await run(allocate, paying(fresh.address))).toEqual(failed({ Custom: 0 }));
  });

  test('need the signature of the account', async () => {
    chain.set(stranger, { lamports: SOL });
    expect(await run(allocate, writable(stranger))).toEqual(failed('MissingRequiredSignature'));
    expect(await run(assign, writable(stranger))).toEqual(failed('MissingRequiredSignature'));
  });

  test('cannot change an account of another program', async () => {
    chain.set(fresh.address, { lamports: SOL, owner: stranger });
    expect(await run(allocate, paying(fresh.address))).toEqual(failed({ Custom: 0 }));
    expect(await run(assign, paying(fresh.address))).toEqual(failed('ModifiedProgramId'));
  });
});

describe('Transfer', () => {
  const transfer = `02000000${hex64(SOL / 2n)}`;

  test('needs the signature of the sender', async () => {
    chain.set(stranger, { lamports: SOL });
    const failure = await run(transfer, writable(stranger), paying(payer.address));
    expect(failure).toEqual(failed('MissingRequiredSignature'));
  });

  test('refuses a sender with data', async () => {
    chain.set(fresh.address, { lamports: SOL, data: new Uint8Array(1) });
    const failure = await run(transfer, paying(fresh.address), writable(stranger));
    expect(failure).toEqual(failed('InvalidArgument'));
  });

  test('cannot spend what another program owns', async () => {
    chain.set(fresh.address, { lamports: SOL, owner: TOKEN_PROGRAM });
    const failure = await run(transfer, paying(fresh.address), writable(stranger));
    expect(failure).toEqual(failed('ExternalAccountLamportSpend'));
  });

  test('to oneself changes nothing', async () => {
    expect(await run(transfer, paying(payer.address), writable(payer.address))).toBeNull();
    expect(chain.lamportsOf(payer.address)).toBe(SOL - 5_000n);
  });
});

describe('addresses from a seed', () => {
  const seed = 'savings';
  let derived: Address;

  beforeAll(async () => {
    derived = await createAddressWithSeed({
      baseAddress: payer.address,
      programAddress: SYSTEM_PROGRAM,
      seed,
    });
  });

  const createWithSeed = (text: string, base: Address, owner = SYSTEM_PROGRAM) =>
    `03000000${hexOf(base)}${hexText(text)}${hex64(SOL / 2n)}${hex64(0n)}${hexOf(owner)}`;

  test('can be opened and emptied with the signature of the base', async () => {
    const created = await run(createWithSeed(seed, payer.address), paying(payer.address), writable(derived));
    expect(created).toBeNull();
    expect(chain.lamportsOf(derived)).toBe(SOL / 2n);
    const back = `0b000000${hex64(SOL / 2n)}${hexText(seed)}${hexOf(SYSTEM_PROGRAM)}`;
    const sent = await run(back, writable(derived), signing(payer.address), writable(stranger));
    expect(sent).toBeNull();
    expect(chain.lamportsOf(stranger)).toBe(SOL / 2n);
    expect(chain.accounts.get(derived)).toBeUndefined();
  });

  test('refuse another seed, another base without signature, and a seed above 32 bytes', async () => {
    const accounts = [paying(payer.address), writable(derived)];
    expect(await run(createWithSeed('other', payer.address), ...accounts)).toEqual(failed({ Custom: 5 }));
    expect(await run(createWithSeed('x'.repeat(33), payer.address), ...accounts)).toEqual(
      failed('MaxSeedLengthExceeded'),
    );
    const foreign = await createAddressWithSeed({
      baseAddress: stranger,
      programAddress: SYSTEM_PROGRAM,
      seed,
    });
    const failure = await run(createWithSeed(seed, stranger), paying(payer.address), writable(foreign));
    expect(failure).toEqual(failed('MissingRequiredSignature'));
  });

  test('can be allocated and assigned', async () => {
    const address = await createAddressWithSeed({
      baseAddress: payer.address,
      programAddress: TOKEN_PROGRAM,
      seed,
    });
    chain.set(address, { lamports: SOL });
    const allocate = `09000000${hexOf(payer.address)}${hexText(seed)}${hex64(3n)}${hexOf(TOKEN_PROGRAM)}`;
    expect(await run(allocate, writable(address), signing(payer.address))).toBeNull();
    expect(chain.accounts.get(address)).toMatchObject({ owner: TOKEN_PROGRAM, data: new Uint8Array(3) });
    chain.set(address, { lamports: SOL });
    const assign = `0a000000${hexOf(payer.address)}${hexText(seed)}${hexOf(TOKEN_PROGRAM)}`;
    expect(await run(assign, writable(address), signing(payer.address))).toBeNull();
    expect(chain.accounts.get(address)).toMatchObject({ owner: TOKEN_PROGRAM, data: new Uint8Array(0) });
  });
});
