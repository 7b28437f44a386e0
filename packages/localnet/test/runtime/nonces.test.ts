import { createHash } from 'node:crypto';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  RECENT_BLOCKHASHES_SYSVAR,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { type Address, getAddressDecoder, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  FundedChain,
  hexOf,
  other as nonce,
  payer,
  SOL,
  someAddress,
  transfer,
} from '../support/runtime/funded-chain.ts';
import {
  hex64,
  paying,
  rawInstruction,
  readonly,
  signing,
  writable,
} from '../support/runtime/signed-wire.ts';

/** 128 and 80 bytes at 6,960 lamports. */
const NONCE_RENT = 1_447_680n;
const receiver = someAddress(77);

let chain: FundedChain;

const system = (data: string, ...accounts: EncodedInstruction['accounts']) =>
  rawInstruction(SYSTEM_PROGRAM, data, accounts);

const advance = (authority = payer.address) =>
  system('04000000', writable(nonce.address), readonly(RECENT_BLOCKHASHES_SYSVAR), signing(authority));
const withdraw = (lamports: bigint) =>
  system(
    `05000000${hex64(lamports)}`,
    writable(nonce.address),
    writable(receiver),
    readonly(RECENT_BLOCKHASHES_SYSVAR),
    readonly(RENT_SYSVAR),
    signing(payer.address),
  );
const initialize = () =>
  system(
    `06000000${hexOf(payer.address)}`,
    writable(nonce.address),
    readonly(RECENT_BLOCKHASHES_SYSVAR),
    readonly(RENT_SYSVAR),
  );

const failed = (failure: unknown) => ({ InstructionError: [0, failure] });
const signed = (blockhash: string, signers: KeyPairSigner[], ...instructions: EncodedInstruction[]) =>
  chain.wireOf(instructions, { blockhash, signers });

/** The nonce as the protocol defines it, computed with other code than the chain's. */
function expectedNonce(blockhash: string): string {
  const hash = createHash('sha256')
    .update('DURABLE_NONCE')
    .update(addressBytes(blockhash as Address));
  return getAddressDecoder().decode(hash.digest());
}

function storedNonce(): string {
  const data = chain.accounts.get(nonce.address)?.data ?? new Uint8Array(80);
  return getAddressDecoder().decode(data.slice(40, 72));
}

beforeEach(async () => {
  chain = new FundedChain();
  const create = system(
    `00000000${hex64(NONCE_RENT)}${hex64(80n)}${hexOf(SYSTEM_PROGRAM)}`,
    paying(payer.address),
    paying(nonce.address),
  );
  chain.mustSend(await signed(chain.blockhash, [payer, nonce], create, initialize()));
});

describe('a durable nonce', () => {
  test('is stored in the layout of the system program', () => {
    const data = Buffer.from(chain.accounts.get(nonce.address)?.data ?? []);
    expect(data.toString('hex')).toBe(
      `0100000001000000${hexOf(payer.address)}${hexOf(expectedNonce(chain.blockhash) as Address)}8813000000000000`,
    );
  });

  test('replaces the blockhash, once', async () => {
    const wire = await signed(storedNonce(), [payer], advance(), transfer(SOL / 2n, receiver));
    chain.advance(100_000n);
    chain.mustSend(wire);
    expect(chain.lamportsOf(receiver)).toBe(SOL / 2n);
    expect(storedNonce()).toBe(expectedNonce(chain.blockhash));
    chain.advance();
    expect(chain.send(wire)).toEqual({ kind: 'refused', failure: 'BlockhashNotFound' });
  });

  test('advances although the transaction fails, and nothing else changes but the fee', async () => {
    const wire = await signed(storedNonce(), [payer], advance(), transfer(2n * SOL, receiver));
    chain.advance();
    const before = chain.lamportsOf(payer.address);
    expect(chain.send(wire)).toMatchObject({ failure: { InstructionError: [1, { Custom: 1 }] } });
    expect(storedNonce()).toBe(expectedNonce(chain.blockhash));
    expect(chain.lamportsOf(payer.address)).toBe(before - 5_000n);
    expect(chain.lamportsOf(receiver)).toBe(0n);
    chain.advance();
    expect(chain.send(wire)).toEqual({ kind: 'refused', failure: 'BlockhashNotFound' });
  });

  test('cannot be used in the slot in which it was stored', async () => {
    const wire = await signed(storedNonce(), [payer], advance(), transfer(SOL / 2n, receiver));
    expect(chain.send(wire)).toEqual({ kind: 'refused', failure: 'BlockhashNotFound' });
    const again = await signed(chain.blockhash, [payer], advance());
    expect(chain.send(again)).toMatchObject({ failure: { InstructionError: [0, { Custom: 7 }] } });
  });

  test('counts only in the first instruction and with its authority', async () => {
    chain.advance();
    const late = await signed(storedNonce(), [payer], transfer(SOL / 2n, receiver), advance());
    expect(chain.send(late)).toEqual({ kind: 'refused', failure: 'BlockhashNotFound' });
    const foreign = await signed(storedNonce(), [payer, nonce], advance(nonce.address));
    expect(chain.send(foreign)).toEqual({ kind: 'refused', failure: 'BlockhashNotFound' });
    const recent = await signed(chain.blockhash, [payer, nonce], advance(nonce.address));
    expect(chain.send(recent)).toMatchObject({
      failure: { InstructionError: [0, 'MissingRequiredSignature'] },
    });
  });

  test('passes to another authority', async () => {
    const authorize = system(
      `07000000${hexOf(nonce.address)}`,
      writable(nonce.address),
      signing(payer.address),
    );
    chain.mustSend(await signed(chain.blockhash, [payer], authorize));
    chain.advance();
    chain.mustSend(await signed(storedNonce(), [payer, nonce], advance(nonce.address)));
  });

  test('pays out what exceeds its rent, and ends when emptied', async () => {
    const partly = await signed(chain.blockhash, [payer], withdraw(1n));
    expect(chain.send(partly)).toMatchObject({ failure: { InstructionError: [0, 'InsufficientFunds'] } });
    const early = await signed(chain.blockhash, [payer], withdraw(NONCE_RENT));
    expect(chain.send(early)).toMatchObject({ failure: { InstructionError: [0, { Custom: 7 }] } });
    chain.advance();
    chain.mustSend(await signed(chain.blockhash, [payer], withdraw(NONCE_RENT)));
    expect(chain.lamportsOf(receiver)).toBe(NONCE_RENT);
    expect(chain.accounts.get(nonce.address)).toBeUndefined();
  });

  test('is initialised once, with rent, in an account of its size', async () => {
    const run = async () => {
      chain.advance();
      return chain.send(await signed(chain.blockhash, [payer], initialize()));
    };
    expect(await run()).toMatchObject({ failure: { InstructionError: [0, 'InvalidAccountData'] } });
    chain.set(nonce.address, { lamports: SOL, data: new Uint8Array(79) });
    expect(await run()).toMatchObject({ failure: { InstructionError: [0, 'InvalidAccountData'] } });
    chain.set(nonce.address, { lamports: NONCE_RENT - 1n, data: new Uint8Array(80) });
    expect(await run()).toMatchObject({ failure: { InstructionError: [0, 'InsufficientFunds'] } });
  });

  test('can pay the fee of its own transaction, but keeps its rent', async () => {
    const withdrawOwn = system(
      `05000000${hex64(SOL)}`,
      writable(nonce.address),
      writable(receiver),
      readonly(RECENT_BLOCKHASHES_SYSVAR),
      readonly(RENT_SYSVAR),
    );
    chain.advance();
    const authorize = system(
      `07000000${hexOf(nonce.address)}`,
      writable(nonce.address),
      signing(payer.address),
    );
    chain.mustSend(await signed(chain.blockhash, [payer], authorize));
    const wire = await signed(storedNonce(), [nonce], advance(nonce.address), withdrawOwn);
    expect(chain.send(wire)).toEqual({ kind: 'refused', failure: 'InsufficientFundsForFee' });
    const data = chain.accounts.get(nonce.address)?.data ?? new Uint8Array(0);
    chain.set(nonce.address, { lamports: NONCE_RENT + 5_000n, data });
    expect(chain.send(wire)).toMatchObject({ failure: { InstructionError: [1, 'InsufficientFunds'] } });
    expect(chain.lamportsOf(nonce.address)).toBe(NONCE_RENT);
    expect(storedNonce()).toBe(expectedNonce(chain.blockhash));
  });

  test('of the first version is a blockhash until it is upgraded, by anybody', async () => {
    const [blockhash, upgrade] = [chain.blockhash, system('0c000000', writable(nonce.address))];
    const stored = (state: number) =>
      Buffer.from(
        `00000000${state === 0 ? '00' : '01'}000000${hexOf(payer.address)}${hexOf(blockhash as Address)}8813000000000000`,
        'hex',
      );
    const run = async (...instructions: EncodedInstruction[]) => {
      chain.advance();
      return chain.send(await signed(chain.blockhash, [payer], ...instructions)).failure;
    };
    chain.set(nonce.address, { lamports: NONCE_RENT, data: stored(1) });
    expect(await run(system('0c000000', readonly(nonce.address)))).toEqual(failed('InvalidArgument'));
    expect(await run(upgrade)).toBeNull();
    expect(storedNonce()).toBe(expectedNonce(blockhash));
    chain.mustSend(await signed(storedNonce(), [payer], advance(), transfer(SOL / 2n, receiver)));
    expect(await run(upgrade)).toEqual(failed('InvalidArgument'));
    chain.set(nonce.address, { lamports: NONCE_RENT, data: stored(0) });
    expect(await run(upgrade)).toEqual(failed('InvalidArgument'));
    chain.set(nonce.address, { lamports: NONCE_RENT, data: new Uint8Array(79) });
    expect(await run(upgrade)).toEqual(failed('InvalidAccountData'));
    chain.set(nonce.address, { lamports: NONCE_RENT, data: stored(1), owner: TOKEN_PROGRAM });
    expect(await run(upgrade)).toEqual(failed('InvalidAccountOwner'));
  });
});
